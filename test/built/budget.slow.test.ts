// The budget of a start: the packages, modules, files and kilobytes that each command loads, and the system calls of a
// create. They decide how long a start takes, and unlike a time they are the same on every machine. A ceiling is a little
// above the count.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../harness/incident.ts";
import { loadsOf } from "../harness/loads.ts";
import { isMissing } from "../harness/programs.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { command, node } from "./program.ts";

const fixture = join(import.meta.dirname, "../../fixtures/api-outage.yaml");
const outage = readFileSync(fixture, "utf8");
const id = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";

const parsing = ["commander"];
const checking = [...parsing, "yaml", "zod"];
/** For text with characters that are not one cell wide. */
const drawing = ["ansi-regex", "get-east-asian-width", "string-width", "strip-ansi"];

/** Modules that are slow to load: TLS, HTTP/2 and compression for a plain HTTP/1.1 service, for example. */
const slow = "assert child_process crypto http http2 net readline stream tls tty worker_threads zlib"
  .split(" ")
  .map((name) => `node:${name}`);
const sending = ["node:crypto", "node:net", "node:stream"];

interface Budget {
  readonly files: number;
  /** Of the sources of the files. */
  readonly kilobytes: number;
  readonly packages: readonly string[];
  readonly builtins?: readonly string[];
  readonly exitCode?: number;
}

async function expectWithin(
  line: string,
  { builtins = [], exitCode = 0, files, kilobytes, packages }: Budget,
  env: Readonly<Record<string, string>> = {},
  cwd = temporaryFolder(),
): Promise<void> {
  const loads = await loadsOf(line.split(" "), { env, cwd });
  const loaded = { builtins: loads.builtins.filter((name) => slow.includes(name)), packages: loads.packages };
  const names = Object.keys(loads.files);
  expect([line, loads.exitCode, loaded]).toEqual([
    line,
    exitCode,
    { builtins, packages: [...packages].sort() },
  ]);
  expect(names.length).toBeLessThanOrEqual(files);
  expect(Math.ceil(loads.bytes / 1000)).toBeLessThanOrEqual(kilobytes);
  const code = names.map((name) => readFileSync(join(dirname(command), name), "utf8"));
  // The sandbox alone needs its faults.
  expect(code.filter((text) => text.includes("TARGET[#N | #N-M]"))).toEqual([]);
}

describe("the files that a command loads", () => {
  it.each([
    ["--version", { files: 0, kilobytes: 0, packages: [] }],
    ["--help", { files: 7, kilobytes: 34, packages: [] }],
    // The file of a command has its flags and its run.
    ["get --help", { files: 21, kilobytes: 98, packages: parsing }],
    ["completion --words -- get --wa", { files: 25, kilobytes: 106, packages: parsing }],
    [`validate ${fixture} -o json`, { files: 46, kilobytes: 306, packages: checking }],
  ] satisfies [string, Budget][])("incident %s stays within %o", (line, budget) =>
    expectWithin(line, budget),
  );

  it("validate stays within its own, and an error needs no further package", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "error.yaml"), outage.replace(/^severity: .*/m, "severity: major"));
    await expectWithin(`validate ${fixture}`, { files: 49, kilobytes: 309, packages: checking });
    const error = { files: 51, kilobytes: 312, packages: checking, exitCode: 3 };
    await expectWithin("validate error.yaml", error, {}, cwd);
  });

  it("create, get, list and apply stay within theirs", async () => {
    await withSandbox(async (service) => {
      const create = { packages: [...checking, "undici"], builtins: sending };
      const get = { packages: [...parsing, "undici"], builtins: ["node:net", "node:stream"] };
      await expectWithin(`create -f ${fixture}`, { files: 88, kilobytes: 545, ...create }, service);
      // With the journal, which knows the creates without a known outcome.
      await expectWithin(`get ${id}`, { files: 52, kilobytes: 243, ...get }, service);
      // With the service's document, which is JSON and needs no YAML parser.
      await expectWithin("list", { files: 56, kilobytes: 255, ...get }, service);
      await expectWithin(`apply -f ${fixture} --yes`, { files: 91, kilobytes: 556, ...create }, service);
      const cwd = temporaryFolder();
      const text = outage.replace(/^id: .*\n/m, "").replace(/^name: .*/m, 'name: "決済が失敗します"');
      writeFileSync(join(cwd, "wide.yaml"), text);
      const wide = { ...create, packages: [...drawing, ...create.packages] };
      await expectWithin("create -f wide.yaml", { files: 90, kilobytes: 556, ...wide }, service, cwd);
    });
  });

  // The one YAML parser has 84 kilobytes, zod 33, and the check of a JSON Schema 27.
  it("create in a project with a profile, a catalog, a policy and a contract stays within its own", async () => {
    await withSandbox(async (service) => {
      const { cwd, env } = writeProject(service);
      const pulled = await loadsOf(["contract", "pull"], { cwd, env: { ...service, ...env } });
      expect(pulled.exitCode).toBe(0);
      const packages = [...checking, "undici", "@cfworker/json-schema"];
      const budget = { files: 95, kilobytes: 580, packages, builtins: sending };
      await expectWithin("create -f outage.yaml", budget, env, cwd);
    });
  });
});

/** A project whose profile has the base URL, the account and the key of `service`. */
function writeProject(service: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder();
  const home = temporaryFolder();
  mkdirSync(join(home, "incident-cli"), { recursive: true });
  writeFileSync(
    join(home, "incident-cli/config.yaml"),
    `profiles:
  production:
    baseUrl: ${service.INCIDENT_CLI_BASE_URL}
    accountId: ${service.INCIDENT_CLI_ACCOUNT_ID}
    apiKey: ${service.INCIDENT_CLI_API_KEY}
`,
    { mode: 0o600 },
  );
  writeFileSync(
    join(cwd, ".incident.yaml"),
    `profile: production
services:
  checkout: { name: Checkout, id: ${id} }
policy:
  name: { maxLength: 100 }
`,
  );
  writeFileSync(
    join(cwd, "outage.yaml"),
    `name: Checkout fails
severity: MAJOR
services: [checkout]
incidentUpdates:
  - description: We look into failed payments.
`,
  );
  return { cwd, env: { XDG_CONFIG_HOME: home, INCIDENT_CLI_STATE_DIR: join(home, "state") } };
}

/** The system calls that open, look up, link or sync a file. The names differ between systems. */
const calls = {
  opened: ["open", "openat"],
  lookedUp: ["stat", "lstat", "statx", "newfstatat"],
  linked: ["link", "linkat", "rename", "renameat", "renameat2"],
  removed: ["unlink", "unlinkat"],
  synced: ["fsync", "fdatasync"],
} as const;

type Calls = Readonly<Record<keyof typeof calls, number>>;

/** The calls of Node with `args` and of all its threads. */
async function countCalls(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Calls> {
  const log = join(temporaryFolder(), "calls.txt");
  const trace = `trace=${Object.values(calls).flatMap((names) => names.map((name) => `?${name}`))}`;
  await execa("strace", ["-f", "-o", log, "-e", trace, node, ...args], { env, extendEnv: false });
  const made = Array.from(readFileSync(log, "utf8").matchAll(/^\d+ +(\w+)\(/gm), ([, name = ""]) => name);
  const count = (names: readonly string[]) => made.filter((name) => names.includes(name)).length;
  return Object.fromEntries(Object.entries(calls).map(([kind, names]) => [kind, count(names)])) as Calls;
}

describe.skipIf(isMissing("strace"))("the system calls of a create", () => {
  it("stay within their budget once its code is cached", async () => {
    await withSandbox(async (service) => {
      const folder = temporaryFolder();
      const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: folder, ...service };
      const create = (run: number) => {
        const file = join(folder, "outage.yaml");
        writeFileSync(file, outage.replace(/^id:.*\n/m, "").replace(/^name:.*/m, `name: Outage ${run}`));
        return countCalls([command, "create", "-f", file, "-q"], env);
      };
      for (const first of [1, 2]) await create(first);
      const third = await create(3);
      const empty = await countCalls(["-e", "0"], env);
      const of = (kind: keyof Calls) => third[kind] - empty[kind];
      // A sync less would be a promise less: each entry of the journal is synced, and its folder.
      expect(of("synced")).toBe(4);
      expect(of("linked")).toBe(2);
      expect(of("removed")).toBeLessThanOrEqual(5);
      // With the four entries of the two creates before it.
      expect(of("opened")).toBeLessThanOrEqual(35);
      // With each folder above the state directory, and the project of the file.
      expect(of("lookedUp")).toBeLessThanOrEqual(118);
    });
  });
});

it("the late file is the one function that its callers load", () => {
  const width = createRequire(command)(join(dirname(command), "string-width.cjs"));
  expect(width("a\u{1f600}")).toBe(3);
});
