// Prints the time of a start of the published package, on this Node and on those whose binaries are named, each beside the
// bar that it must reach. "First run" is a start with an empty code cache. Usage: node test/bench/start-up.mjs [runs] [node…]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure } from "./measure.mjs";
import { startSandbox } from "./sandbox.mjs";

const runs = Number(process.argv[2] ?? 21);
const nodes = [process.execPath, ...process.argv.slice(3)];
const folder = mkdtempSync(join(tmpdir(), "incident-bench-"));
const inFolder = (name) => join(folder, name);
// The variable slows the start of every process on Node 20, also of node -e 0, and would improve the ratios.
const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...inherited } = process.env;
const env = {
  ...inherited,
  HOME: folder,
  XDG_CACHE_HOME: "",
  XDG_CONFIG_HOME: "",
  INCIDENT_CLI_STATE_DIR: inFolder("state"),
};

/** The bars of Node 20: the most that a start may take, as a ratio to `node -e 0` in the same run. */
const bars = {
  "incident --version": 1.05,
  "incident --help": 1.2,
  "incident validate, one file": 1.7,
  "incident validate, in a project": 1.9,
  "incident create, in a project": 3,
  "incident get, on loopback": 2,
  "incident create, on loopback": 2.6,
  "first run of validate": 3,
  "first run of get": 3.5,
  "first run of create": 3.5,
};

/** Installs the package as published, and writes the files that the runs read. */
function prepare() {
  const args = ["pack", "--silent", "--json", "--pack-destination", folder];
  const [{ filename }] = JSON.parse(execFileSync("npm", args, { encoding: "utf8" }));
  const tarball = inFolder(filename);
  const own = inFolder("own");
  mkdirSync(own);
  writeFileSync(join(own, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", tarball], { cwd: own });
  const command = join(own, "node_modules/incident-cli/dist/incident.cjs");
  // Without an id, and with a name and a text of its own, so that each run declares another incident like no open one.
  const definition = readFileSync("fixtures/api-outage.yaml", "utf8").replace(/^id:.*\n/m, "");
  writeFileSync(inFolder("outage.yaml"), definition);
  return { tarball, command };
}

const removeState = () => rmSync(env.INCIDENT_CLI_STATE_DIR, { recursive: true, force: true });

/** Removes the entries of the journal. Its folders stay: only the first create on a machine makes and syncs them. */
function forget() {
  mkdirSync(env.INCIDENT_CLI_STATE_DIR, { recursive: true });
  for (const entry of readdirSync(env.INCIDENT_CLI_STATE_DIR, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) rmSync(join(entry.parentPath, entry.name));
}

/** The cases of this package; `start` is its command. */
function ownCases(start) {
  const file = inFolder("outage.yaml");
  const rename = () => {
    forget();
    writeFileSync(
      file,
      readFileSync(file, "utf8")
        .replace(/^name:.*$/m, `name: Outage ${performance.now()}`)
        .replace(/description:.*$/m, `description: We look into outage ${performance.now()}.`),
    );
  };
  return {
    "incident --version": { command: [...start, "--version"] },
    "incident --help": { command: [...start, "--help"] },
    "incident validate, one file": { command: [...start, "validate", file] },
    "incident completion": { command: [...start, "completion", "--words", "--", "jou"] },
    "incident get, on loopback": { command: [...start, "get", readId] },
    "incident create, on loopback": { command: [...start, "create", "-f", file, "-q"], before: rename },
  };
}

/**
 * The cases in the project that the README recommends: a catalog, a policy, a contract, and a profile, of which the base
 * URL and the key are those of the sandbox.
 */
function projectCases(start) {
  const file = join(project, "incidents/outage.yaml");
  mkdirSync(join(project, "incidents"), { recursive: true });
  writeFileSync(
    join(project, ".incident.yaml"),
    `profile: production
definitions: [incidents]
services:
  checkout: { name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
  public-api: { name: Public API, id: 8a1d3c52-7425-40de-944b-e07fc1f90ae7 }
policy:
  notify: [CRITICAL, MAJOR]
  name: { maxLength: 100 }
  description: { forbid: [sorry, oops] }
`,
  );
  const declare = () => {
    forget();
    writeFileSync(
      file,
      `name: Outage ${performance.now()}
severity: MAJOR
services: [checkout, public-api]
incidentUpdates:
  - status: INVESTIGATING
    description: We are looking into failed payments ${performance.now()}.
    notifySubscribers: false
`,
    );
  };
  declare();
  return {
    "incident validate, in a project": { command: [...start, "validate"], ...inProject },
    "incident create, in a project": {
      command: [...start, "create", "-f", "incidents", "-q"],
      before: declare,
      ...inProject,
    },
  };
}

/** The commands of `ownCases` with a code cache that is empty each time. */
function firstRuns(start) {
  const cache = inFolder("first-run");
  const cases = ownCases(start);
  const names = { validate: "validate, one file", get: "get, on loopback", create: "create, on loopback" };
  const entries = Object.entries(names).map(([name, label]) => {
    const { command, before } = cases[`incident ${label}`];
    const empty = () => {
      rmSync(cache, { recursive: true, force: true });
      before?.();
      removeState();
    };
    return [`first run of ${name}`, { command, before: empty, env: { XDG_CACHE_HOME: cache } }];
  });
  return Object.fromEntries(entries);
}

const readId = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";

const project = inFolder("project");
const config = inFolder("config");
const unset = Object.fromEntries(
  ["BASE_URL", "ACCOUNT_ID", "API_KEY"].map((name) => [`INCIDENT_CLI_${name}`, ""]),
);
const inProject = { cwd: project, env: { ...unset, XDG_CONFIG_HOME: config } };

let sandbox;

/**
 * Starts another sandbox, which has one incident, and names it in `env` and in the profile: a create looks at the open
 * incidents, and takes longer where there are more.
 */
function restartSandbox(command) {
  sandbox?.stop();
  sandbox = startSandbox(command, folder, env);
  Object.assign(env, sandbox.variables);
  mkdirSync(join(config, "incident-cli"), { recursive: true });
  writeFileSync(
    join(config, "incident-cli/config.yaml"),
    `profiles:
  production:
    baseUrl: ${env.INCIDENT_CLI_BASE_URL}
    accountId: ${env.INCIDENT_CLI_ACCOUNT_ID}
    apiKey: ${env.INCIDENT_CLI_API_KEY}
`,
    { mode: 0o600 },
  );
  removeState();
  execFileSync(process.execPath, [command, "create", "-f", "fixtures/api-outage.yaml", "-q"], { env });
  execFileSync(process.execPath, [command, "contract", "pull"], {
    cwd: project,
    env: { ...env, ...inProject.env },
    stdio: "ignore",
  });
}

function printTable(results) {
  const rows = Object.entries(results).map(([name, { ms, ratio }]) => {
    const bar = bars[name] === undefined ? "" : `${bars[name].toFixed(2)} ×`;
    return [name, `${ms.toFixed(1)} ms`, `${ratio.toFixed(2)} ×`, bar];
  });
  const table = [["", "median", "to Node", "bar"], ["---", "---", "---", "---"], ...rows];
  for (const cells of table) console.log(`| ${cells.join(" | ")} |`);
}

try {
  const { tarball, command } = prepare();
  for (const node of nodes) {
    const cases = {
      "node -e 0": { command: [node, "-e", "0"], before: () => restartSandbox(command) },
      ...ownCases([node, command]),
      ...projectCases([node, command]),
      ...firstRuns([node, command]),
    };
    const results = measure(cases, { runs, env });
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    const date = new Date().toISOString().slice(0, 10);
    const size = (statSync(tarball).size / 1e3).toFixed(0);
    console.log(
      `\nNode ${version}, ${date}: medians of ${runs} interleaved runs. The tarball has ${size} kB.\n`,
    );
    printTable(results);
  }
} finally {
  sandbox?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
