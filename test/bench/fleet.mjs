// Measures the creates a second of machines that share a journal: sixteen on PostgreSQL, and eight on git. Each has an
// empty disk, and applies definitions of its own and others that all of them have. The service keeps both of two creates
// with one id, so that it counts the duplicates. Needs dist/, git, and the programs of PostgreSQL for its part.
// Usage: node test/bench/fleet.mjs [--engines postgres,git] [--own 20] [--common 20]
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "./start-postgres.mjs";

const { values } = parseArgs({
  options: {
    engines: { type: "string", default: "postgres,git" },
    own: { type: "string", default: "20" },
    common: { type: "string", default: "20" },
  },
});
const machines = { postgres: 16, git: 8 };
const command = join(process.cwd(), "dist/incident.cjs");
const serviceId = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";
const { NODE_EXTRA_CA_CERTS: _, ...base } = process.env;
const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));
const endings = [() => rmSync(folder, { recursive: true, force: true })];

/** The creates of each id. */
const created = new Map();

const service = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = (status, body) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.method === "POST" && request.url.endsWith("/incidents")) {
    const incident = { ...JSON.parse(Buffer.concat(chunks).toString()), lastUpdateStatus: "INVESTIGATING" };
    created.set(incident.id, [...(created.get(incident.id) ?? []), incident]);
    return answer(201, incident);
  }
  const found = created.get(request.url.split("/").at(-1))?.at(-1);
  return found === undefined ? answer(404, { statusCode: 404, error: "Not Found" }) : answer(200, found);
});
service.listen(0, "127.0.0.1");
await once(service, "listening");
endings.push(() => service.close());

function writeDefinitions(place, count) {
  mkdirSync(place, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const id = randomUUID();
    const text = `id: ${id}\nname: Incident ${id}\nseverity: MAJOR\nservices: [{ id: ${serviceId}, name: Checkout }]\nincidentUpdates: [{ description: We are looking., status: INVESTIGATING }]\n`;
    writeFileSync(join(place, `${id}.yaml`), text);
  }
}

/** The variable that names an empty journal. */
function openJournal(engine) {
  if (engine === "git") {
    const repository = join(folder, "journal.git");
    execFileSync("git", ["init", "-q", "--bare", repository]);
    return `git+file://${repository}`;
  }
  return startPostgres(endings)?.url;
}

async function measure(engine) {
  const journal = openJournal(engine);
  if (journal === undefined) return console.log(`${engine}: its programs are not installed`);
  const variables = {
    INCIDENT_CLI_BASE_URL: `http://127.0.0.1:${service.address().port}`,
    INCIDENT_CLI_API_KEY: "key",
    INCIDENT_CLI_ACCOUNT_ID: "11111111-2222-4333-8444-555555555555",
    INCIDENT_CLI_RATE: "1000000/1s",
    INCIDENT_CLI_JOURNAL: journal,
  };
  const common = join(folder, engine, "common");
  writeDefinitions(common, Number(values.common));
  const places = Array.from({ length: machines[engine] }, (_, index) => join(folder, engine, `${index}`));
  const envOf = (place) => ({
    ...base,
    ...variables,
    HOME: place,
    INCIDENT_CLI_STATE_DIR: join(place, "state"),
  });
  for (const place of places) writeDefinitions(join(place, "own"), Number(values.own));
  execFileSync(process.execPath, [command, "journal", "init"], { env: envOf(places[0]), cwd: places[0] });
  created.clear();
  const start = performance.now();
  const exitCodes = await Promise.all(
    places.map(async (place) => {
      const args = [command, "apply", "-f", join(place, "own"), "-f", common, "--yes"];
      const child = spawn(process.execPath, args, { env: envOf(place), cwd: place, stdio: "ignore" });
      const [exitCode] = await once(child, "exit");
      return exitCode;
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const wanted = places.length * Number(values.own) + Number(values.common);
  const posts = [...created.values()].reduce((sum, each) => sum + each.length, 0);
  console.log(
    `${engine}: ${places.length} machines, ${wanted} definitions, ${created.size} declared in ${seconds.toFixed(1)} s: ` +
      `${(created.size / seconds).toFixed(1)} creates a second, ${posts - created.size} duplicates, exit codes ${[...new Set(exitCodes)]}`,
  );
}

try {
  for (const engine of values.engines.split(",")) await measure(engine);
} finally {
  for (const end of endings.reverse()) end();
}
