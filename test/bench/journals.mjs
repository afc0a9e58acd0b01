// Measures the commands that use the journal, over journals of 0, 1,000, 10,000 and 100,000 past creates in a folder, in
// git and in PostgreSQL, and prints each time as a ratio to the one over an empty journal in the same run. The journals
// are generated directly. Needs dist/, git, and the programs of PostgreSQL for its part.
// Usage: node test/bench/journals.mjs [--engines folder,git,postgres] [--sizes 0,1000,10000] [--rounds 5] [--commands 'create|gate'] [--cpu]
import { execFileSync, execSync, spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { noLimit, startSandbox } from "./sandbox.mjs";
import { startPostgres } from "./start-postgres.mjs";

const { values } = parseArgs({
  options: {
    engines: { type: "string", default: "folder,git,postgres" },
    sizes: { type: "string", default: "0,1000,10000,100000" },
    rounds: { type: "string", default: "5" },
    commands: { type: "string", default: ".*" },
    cpu: { type: "boolean", default: false },
  },
});
const yesterday = Date.now() - 24 * 60 * 60 * 1000;
const sizes = values.sizes.split(",").map(Number);
const rounds = Number(values.rounds);
const command = join(process.cwd(), "dist/incident.cjs");
const accountId = "11111111-2222-4333-8444-555555555555";
const serviceId = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";
const { NODE_EXTRA_CA_CERTS: _, ...base } = process.env;
const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));
const endings = [() => rmSync(folder, { recursive: true, force: true })];

const sandbox = await startSandbox(folder, noLimit);
endings.push(() => sandbox.stop());
const service = sandbox.env;
const baseUrl = service.INCIDENT_CLI_BASE_URL;
const account = service.INCIDENT_CLI_ACCOUNT_ID ?? accountId;
const nameOf = (id) =>
  createHash("sha256")
    .update(JSON.stringify([baseUrl, account, id]))
    .digest("hex")
    .slice(0, 40);

/** A create without an id, of which there are three events and a claim. Half a minute lies between two. */
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
  const key = { baseUrl, account, id };
  const digest = createHash("sha256").update(id).digest("hex");
  const record = (number, event) => ({
    writer: `${id}-${number}`,
    formatVersion: 1,
    readBy: "0.2.0",
    key,
    event,
  });
  return {
    log: `op-${nameOf(id)}`,
    digest: createHash("sha256").update(JSON.stringify(id)).digest("hex").slice(0, 40),
    claim: { name: `claim-${digest.slice(0, 40)}`, event: { writer: `${id}-c`, claim: key } },
    at: at(0),
    /** A shared journal has no text. */
    events: (isShared) => [
      record(0, {
        type: "sending",
        at: at(0),
        withId: true,
        deadline: 35_000,
        content: isShared ? { digest, name: body.name } : { body, digest },
      }),
      record(1, {
        type: "created",
        at: at(1),
        by: "answer",
        serviceId: id,
        ...(!isShared && { incident: body }),
      }),
      record(2, { type: "acknowledged", at: at(2) }),
    ],
  };
}

const past = (count) => Array.from({ length: count }, (_, index) => pastCreate(index, count));

/** What a machine remembers that has run `incident gate` before. */
function rememberResolved(state, creates) {
  const services = join(state, "services");
  mkdirSync(services, { recursive: true, mode: 0o700 });
  const hash = createHash("sha256")
    .update(JSON.stringify([baseUrl, account]))
    .digest("hex")
    .slice(0, 40);
  writeFileSync(join(services, `resolved-${hash}`), creates.map(({ log }) => `\n${log}`).join(""), {
    mode: 0o600,
  });
  // The daily pass has been made.
  writeFileSync(join(services, "pruned.json"), String(Date.now()), { mode: 0o600 });
}

function fillFolder(state, creates) {
  const journal = join(state, "journal");
  mkdirSync(journal, { recursive: true, mode: 0o700 });
  const options = { mode: 0o600 };
  for (const { claim, events, log } of creates) {
    for (const [number, event] of events(false).entries())
      writeFileSync(join(journal, `${log}-00${number}.json`), `${JSON.stringify(event)}\n`, options);
    writeFileSync(join(journal, `${claim.name}-000.json`), `${JSON.stringify(claim.event)}\n`, options);
  }
  writeFileSync(join(state, "operations"), creates.map(({ log }) => `\n${log}`).join(""), options);
  const ids = creates.map(({ digest, log }) => `\n${digest} ${log}`).join("");
  writeFileSync(join(state, "id-digests"), `\n-${ids}\nall`, options);
}

function fillGit(repository, creates) {
  execFileSync("git", ["init", "-q", "--bare", repository]);
  const input = [];
  const tips = new Map();
  const numberOf = (log) =>
    Number.parseInt(createHash("sha256").update(JSON.stringify(log)).digest("hex").slice(0, 8), 16);
  const commit = (ref, time, record) => {
    const message = `${JSON.stringify({ incident: 1, readBy: "0.2.0", nonce: randomUUID(), ...record })}\n\n[skip ci]\n`;
    const mark = input.length + 1;
    const from = tips.has(ref) ? `from :${tips.get(ref)}\n` : "";
    tips.set(ref, mark);
    input.push(
      `commit refs/incident/${ref}\nmark :${mark}\ncommitter incident <incident@localhost> ${time} +0000\n` +
        `data ${Buffer.byteLength(message)}\n${message}${from}\n`,
    );
  };
  const event = (log, number, stored, at) => {
    const bucket = (numberOf(log) % 2048).toString(16).padStart(3, "0");
    const record = { log, at, number, isUnsettled: number === 0, event: stored };
    commit(`v1/log/${bucket}`, Math.floor(at / 1000), record);
  };
  const lists = Array.from({ length: 16 }, () => []);
  if (creates.length > 0)
    for (const digit of "0123456789abcdef") commit(`v1/id/${digit}`, 1, { isBeginning: true, ids: [] });
  for (const { at, claim, digest, events, log } of creates) {
    const time = Date.parse(at);
    commit(`v1/id/${digest[0]}`, Math.floor(time / 1000), { ids: [[digest, log]] });
    for (const [number, stored] of events(true).entries()) event(log, number, stored, time + number * 1000);
    event(claim.name, 0, claim.event, time);
    lists[(numberOf(log) >>> 16) % 16].unshift([log, time]);
  }
  for (const [index, newest] of lists.entries())
    if (creates.length > 0) commit(`v1/list/${index}`, 1, { open: [], newest: newest.slice(0, 32) });
  const stream = join(repository, "stream");
  writeFileSync(stream, "");
  for (let at = 0; at < input.length; at += 10_000)
    appendFileSync(stream, input.slice(at, at + 10_000).join(""));
  execSync("git fast-import --quiet < stream", { cwd: repository });
  rmSync(stream, { force: true });
  execFileSync("git", ["pack-refs", "--all"], { cwd: repository });
}

function fillPostgres({ sql }, scope, creates) {
  const rows = creates.flatMap(({ at, claim, digest, events, log }) => [
    // The daily passes have tidied up what is older than a day.
    ...events(true).map((event, number) => [
      log,
      number,
      number === 0 && Date.parse(at) > yesterday,
      event,
      at,
      number === 0 ? `{${digest}}` : "\\N",
    ]),
    [claim.name, 0, false, claim.event, at, "\\N"],
  ]);
  const lines = rows.map(([log, number, isUnsettled, event, at, ids]) =>
    [scope, log, number, JSON.stringify(event).replaceAll("\\", "\\\\"), isUnsettled, at, ids].join("\t"),
  );
  const columns = "scope, operation, number, event, unsettled, appended_at, ids";
  sql(
    `COPY incident_journal (${columns}) FROM STDIN;\n${lines.map((line) => `${line}\n`).join("")}\\.\nANALYZE incident_journal;\n`,
  );
}

/** Makes the journal of `size` past creates; returns the variables that name it. */
function prepare(engine, size, postgres) {
  const place = join(folder, `${engine}-${size}`);
  const state = join(place, "state");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const creates = past(size);
  rememberResolved(state, creates);
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
  return { engine, env, place, shown };
}

const definition = (id) =>
  `id: ${id}\nname: Checkout fails\nseverity: MAJOR\nservices: [{ id: ${serviceId}, name: Checkout }]\n` +
  "incidentUpdates: [{ description: We are looking., status: RESOLVED }]\n";

function run({ env, place }, input, args, expected = [0]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, [command, ...args], {
    cwd: place,
    env,
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (!expected.includes(status)) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Each command, with its input and the exit codes that it may have. */
const commands = {
  create: () => [definition(randomUUID()), ["create", "-f", "-"]],
  "create without a file": ({ engine }) => [
    "",
    `create --name Past --severity MAJOR --service ${engine === "folder" ? "" : "Checkout="}${serviceId} --message M --status RESOLVED --new`.split(
      " ",
    ),
  ],
  "journal list": () => ["", ["journal", "list"]],
  /** The daily pass has not been made. */
  "first create": ({ env }) => {
    rmSync(join(env.INCIDENT_CLI_STATE_DIR, "services", "pruned.json"), { force: true });
    return [definition(randomUUID()), ["create", "-f", "-"]];
  },
  get: ({ shown }) => ["", ["get", shown]],
  "get of an unknown id": () => ["", ["get", randomUUID()], [5]],
  "journal show of an unknown id": () => ["", ["journal", "show", randomUUID()], [5]],
  "journal show": ({ shown }) => ["", ["journal", "show", shown]],
  // Its outcome is known, so nothing is written.
  "journal settle": ({ shown }) => ["", ["journal", "settle", shown, "--created", "--yes"], [2]],
  gate: () => ["", ["gate"]],
  doctor: () => ["", ["doctor"]],
};

/** Milliseconds: of the wall clock, or with --cpu of the processor for the commands and what they start. */
function time() {
  if (!values.cpu) return performance.now();
  const [, fields] = readFileSync("/proc/self/stat", "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(13, 15);
  return 10 * (Number(user) + Number(system));
}

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

async function measureEngine(engine) {
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
    if (!new RegExp(`^(?:${values.commands})$`).test(name)) continue;
    const times = sizes.map(() => []);
    // The first round fills the caches.
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, journal] of journals.entries()) {
        const line = lineOf(journal);
        const start = time();
        run(journal, ...line);
        if (round >= 0) times[index].push(time() - start);
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
  for (const engine of values.engines.split(",")) await measureEngine(engine);
} finally {
  for (const end of endings.reverse()) await end();
}
