// Measures commands over journals of 0 and 10,000 past creates in a folder, in git and in PostgreSQL, and prints each time
// as a ratio to the one over an empty journal in the same run. The journals are generated directly. Needs dist/, git, and
// the programs of PostgreSQL for its part. Usage: node test/bench/journals.mjs [rounds] [sizes, such as 0,1000]
import { execFileSync, execSync, spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "./sandbox.mjs";
import { startPostgres } from "./start-postgres.mjs";

const [, , rounds = 5, list = "0,10000"] = process.argv;
const sizes = list.split(",").map(Number);
const command = join(process.cwd(), "dist/incident.cjs");
const accountId = "11111111-2222-4333-8444-555555555555";
const serviceId = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";
const { NODE_EXTRA_CA_CERTS: _, ...base } = process.env;
const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));
const endings = [() => rmSync(folder, { recursive: true, force: true })];

const sandbox = startSandbox(command, folder, { ...base, HOME: folder });
endings.push(() => sandbox.stop());
const service = sandbox.variables;
const baseUrl = service.INCIDENT_CLI_BASE_URL;
const account = service.INCIDENT_CLI_ACCOUNT_ID ?? accountId;
const digestOf = (value) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
const sequence = digestOf([baseUrl, account]).slice(0, 12);

/** A create without an id, of which there are two events. Half a minute lies between two. */
function pastCreate(index, count) {
  const id = randomUUID();
  const at = (seconds) => new Date(Date.now() - (count - index) * 30_000 + seconds * 1000).toISOString();
  const body = {
    name: `Past incident ${index}`,
    severity: "MAJOR",
    services: [{ name: "Checkout", id: serviceId, accountId: account }],
    incidentUpdates: [{ description: "We are looking.", notifySubscribers: false }],
    id,
  };
  const digest = digestOf(id).slice(0, 32);
  const record = (event) => ({ id, event });
  return {
    /** A shared journal has no text. */
    events: (isShared) => [
      record({
        type: "sending",
        at: at(0),
        withId: true,
        deadline: 35_000,
        claim: 1,
        content: isShared ? { digest, name: body.name } : { body, digest },
      }),
      record({
        type: "created",
        at: at(1),
        by: "answer",
        serviceId: id,
        ...(!isShared && { incident: body }),
      }),
    ],
  };
}

const past = (count) => Array.from({ length: count }, (_, index) => pastCreate(index, count));

/**
 * The events of all: the newest 300 have an entry each, which the first create of a machine replaces by a snapshot, and the
 * others share a few entries, as in a journal that has had snapshots before.
 */
function entriesOf(creates, isShared) {
  const all = creates.flatMap(({ events }) => events(isShared));
  const newest = all.splice(-300);
  const older = Array.from({ length: Math.ceil(all.length / 1500) }, () => all.splice(0, 1500));
  return [...older, ...newest.map((event) => [event])].map((events) => {
    const format = { journal: 3, readBy: "0.4.0", at: Date.now() };
    return { writer: randomUUID(), ...format, service: { baseUrl, account }, events };
  });
}

function fillFolder(state, creates) {
  const place = join(state, "journal", sequence);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  for (const [number, entry] of entriesOf(creates, false).entries())
    writeFileSync(join(place, `${String(number).padStart(8, "0")}.json`), JSON.stringify(entry), {
      mode: 0o600,
    });
}

function fillGit(repository, creates) {
  execFileSync("git", ["init", "-q", "--bare", repository]);
  const input = entriesOf(creates, true).map((entry, number) => {
    const message = `${JSON.stringify({ number, entry })}\n\n[skip ci]\n`;
    const from = number === 0 ? "" : `from :${number}\n`;
    return (
      `commit refs/incident/v2/${sequence}\nmark :${number + 1}\ncommitter incident <incident@localhost> 1 +0000\n` +
      `data ${Buffer.byteLength(message)}\n${message}${from}\n`
    );
  });
  writeFileSync(join(repository, "stream"), input.join(""));
  execSync("git fast-import --quiet < stream", { cwd: repository });
  rmSync(join(repository, "stream"), { force: true });
}

function fillPostgres({ sql }, scope, creates) {
  const lines = entriesOf(creates, true).map((entry, number) =>
    [scope, sequence, number, JSON.stringify(entry).replaceAll("\\", "\\\\")].join("\t"),
  );
  const rows = lines.map((line) => `${line}\n`).join("");
  sql(
    `COPY incident_journal (scope, sequence, number, entry) FROM STDIN;\n${rows}\\.\nANALYZE incident_journal;\n`,
  );
}

/** Makes the journal of `size` past creates; returns the variables that name it. */
function prepare(engine, size, postgres) {
  const place = join(folder, `${engine}-${size}`);
  const state = join(place, "state");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const creates = past(size);
  const env = { ...base, ...service, HOME: place, INCIDENT_CLI_STATE_DIR: state };
  if (engine === "folder") fillFolder(state, creates);
  if (engine === "git") {
    fillGit(join(place, "journal.git"), creates);
    env.INCIDENT_CLI_JOURNAL = `git+file://${place}/journal.git`;
  }
  if (engine === "postgres") {
    fillPostgres(postgres, `scope-${size}`, creates);
    env.INCIDENT_CLI_JOURNAL = `${postgres.url}?scope=scope-${size}`;
  }
  // What the commands read: a create of this machine, as in each of the journals.
  const shown = run({ env, place }, definition(randomUUID()), ["create", "-f", "-", "-o", "id"]).trim();
  // As a host of repositories does now and then.
  if (engine === "git") execFileSync("git", ["gc", "-q"], { cwd: join(place, "journal.git") });
  return { engine, env, place, shown };
}

/** In words of its own: an incident that is over in the same words may be the one that the file tells of. */
const definition = (id) =>
  `id: ${id}\nname: Checkout fails\nseverity: MAJOR\nservices: [{ id: ${serviceId}, name: Checkout }]\n` +
  `incidentUpdates: [{ description: We are looking at ${id}., status: RESOLVED }]\n`;

function run({ env, place }, input, args) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [command, ...args], {
    cwd: place,
    env,
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Each command, with its input. */
const commands = {
  create: () => [definition(randomUUID()), ["create", "-f", "-"]],
  get: ({ shown }) => ["", ["get", shown]],
  "journal list": () => ["", ["journal", "list"]],
};

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

function measureEngine(engine) {
  const postgres = engine === "postgres" ? startPostgres(endings) : undefined;
  if (engine === "postgres") {
    if (postgres === undefined) return console.log("postgres: its programs are not installed");
    run({ env: { ...base, ...service, INCIDENT_CLI_JOURNAL: postgres.url }, place: folder }, "", [
      "journal",
      "init",
    ]);
  }
  const journals = sizes.map((size) => prepare(engine, size, postgres));
  for (const [name, lineOf] of Object.entries(commands)) {
    const times = sizes.map(() => []);
    // The first round fills the caches.
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, journal] of journals.entries()) {
        const line = lineOf(journal);
        const start = performance.now();
        run(journal, ...line);
        if (round >= 0) times[index].push(performance.now() - start);
      }
    }
    const medians = times.map(median);
    const ratios = medians.slice(1).map((each) => (each / medians[0]).toFixed(2));
    console.log(`| ${engine} | ${name} | ${medians[0].toFixed(0)} ms | ${ratios.join(" | ")} |`);
  }
}

try {
  console.log(`| journal in | command | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} |`);
  console.log(`|---|---|${sizes.map(() => "---|").join("")}`);
  for (const engine of ["folder", "git", "postgres"]) measureEngine(engine);
} finally {
  for (const end of endings.reverse()) end();
}
