// Measures `incident apply` with many definitions. Prints ratios to a loop that posts the same bodies in parallel with
// one fsync for each, and to a loop with all steps of the exactly-once protocol. Usage: node test/bench/apply.mjs
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "undici";
import { startSandbox } from "./sandbox.mjs";

const command = "dist/incident.cjs";
const concurrency = 16;
/** Interleaved runs of each case; the result is their median. */
const rounds = 3;
const { NODE_EXTRA_CA_CERTS: _, ...base } = process.env;
const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));
const meter = join(folder, "meter.cjs");
writeFileSync(
  meter,
  'process.on("exit", () => require("node:fs").writeFileSync(process.env.METER, String(process.resourceUsage().maxRSS)));',
);

/** The account of the sandbox. */
const accountId = "11111111-2222-4333-8444-555555555555";

function bodies(count) {
  return Array.from({ length: count }, () => {
    const id = crypto.randomUUID();
    return {
      name: `Checkout fails for some customers (${id})`,
      severity: "MAJOR",
      services: [{ name: "Checkout", id, accountId }],
      incidentUpdates: [{ description: "We are looking into failed payments.", notifySubscribers: false }],
      id,
    };
  });
}

/** A definition in the style of a person. */
function definitionOf({ id, name, severity, services: [service], incidentUpdates: [update] }) {
  return `id: ${id}
name: ${name}
severity: ${severity}
services:
  - id: ${service.id}
    name: ${service.name}
incidentUpdates:
  - description: ${update.description}
    notifySubscribers: ${update.notifySubscribers}
`;
}

async function apply(name, count, sandbox) {
  const definitions = join(folder, `definitions-${name}`);
  mkdirSync(definitions);
  for (const body of bodies(count)) writeFileSync(join(definitions, `${body.id}.yaml`), definitionOf(body));
  const env = {
    ...base,
    ...sandbox.env,
    INCIDENT_CLI_RATE: "1000000/1s",
    INCIDENT_CLI_STATE_DIR: join(folder, `state-${name}`),
    METER: join(folder, "rss"),
    NODE_OPTIONS: `--require ${meter}`,
  };
  const start = performance.now();
  const child = spawn(process.execPath, [command, "apply", "-f", definitions, "--yes", "-o", "json"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const [exitCode] = await once(child, "close");
  const milliseconds = performance.now() - start;
  const { summary } = JSON.parse(stdout);
  if (exitCode !== 0) throw new Error(`apply ended with ${exitCode}: ${JSON.stringify(summary)}`);
  return { milliseconds, megabytes: Number(readFileSync(env.METER, "utf8")) / 1024, summary };
}

/** Posts `count` bodies in parallel by `post`, and returns the duration. */
async function loop(name, count, sandbox, post) {
  const list = bodies(count);
  const target = join(folder, name);
  mkdirSync(target);
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    const client = new Client(sandbox.env.INCIDENT_CLI_BASE_URL);
    while (next < list.length) await post({ body: list[next++], client, folder: target, env: sandbox.env });
    await client.close();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return performance.now() - start;
}

/** The minimal journal: one file for each create, no reads. */
async function bare({ body, client, folder, env }) {
  writeSynced(join(folder, body.id), JSON.stringify(body));
  await request(client, env, 201, { method: "POST", body: JSON.stringify(body) });
}

/** The steps of the protocol: a read, an event on disk, a create on a fresh connection, an event on disk. */
async function wholeSteps({ body, client, folder, env }) {
  await request(client, env, 404, { method: "GET", id: body.id });
  appear(folder, `${body.id}-000`, JSON.stringify(body));
  const own = new Client(env.INCIDENT_CLI_BASE_URL);
  const answer = await request(own, env, 201, { method: "POST", body: JSON.stringify(body) });
  await own.close();
  appear(folder, `${body.id}-001`, answer);
}

async function request(client, env, expected, { method, id, body }) {
  const answer = await client.request({
    method,
    path: `/v1/status-pages/incidents${id ? `/${id}` : ""}`,
    headers: {
      authorization: `Bearer ${env.INCIDENT_CLI_API_KEY}`,
      "x-service-account": env.INCIDENT_CLI_ACCOUNT_ID,
      ...(body && { "content-type": "application/json" }),
    },
    body: body ?? null,
  });
  if (answer.statusCode !== expected) throw new Error(`the sandbox answered ${answer.statusCode}`);
  return answer.body.text();
}

function writeSynced(file, text) {
  const descriptor = openSync(file, "wx");
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Writes a file atomically and durably. */
function appear(folder, name, text) {
  const temporary = join(folder, `.${name}`);
  writeSynced(temporary, text);
  linkSync(temporary, join(folder, name));
  unlinkSync(temporary);
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

async function compare() {
  const sandbox = await startSandbox(folder);
  console.log(`Node ${process.version}, ${concurrency} at a time, without a limit`);
  for (const count of [500, 5000]) {
    const taken = { bare: [], whole: [], apply: [], megabytes: [] };
    for (let round = 1; round <= rounds; round += 1) {
      const name = `${count}-${round}`;
      taken.bare.push(await loop(`bare-${name}`, count, sandbox, bare));
      taken.whole.push(await loop(`whole-${name}`, count, sandbox, wholeSteps));
      const { megabytes, milliseconds } = await apply(name, count, sandbox);
      taken.apply.push(milliseconds);
      taken.megabytes.push(megabytes);
    }
    const least = median(taken.bare);
    const whole = median(taken.whole);
    const own = median(taken.apply);
    const ratios = [
      `${(own / least).toFixed(2)} × the bare loop (${seconds(least)})`,
      `${(own / whole).toFixed(2)} × a loop of all steps (${seconds(whole)}${count === 5000 ? "; bar 0.8" : ""})`,
    ];
    const megabytes = Math.max(...taken.megabytes).toFixed(0);
    console.log(
      `${String(count).padStart(5)} definitions: ${seconds(own)}, ${ratios.join(", ")}, ${megabytes} MB`,
    );
  }
  await sandbox.stop();
}

try {
  await compare();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
