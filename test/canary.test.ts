// A recognizable API key goes through every command, every failure and --debug, from each of its sources. The tests
// search everything that is printed and written for it.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Outcome, Transport } from "../src/http/transport.ts";
import { access, config, definitionYaml, incidentId as id, unset } from "./harness/builders.ts";
import { isComplete, isThorough, sampled } from "./harness/cases.ts";
import { createWorld, type Setup, type World } from "./harness/incident.ts";
import { specs } from "./harness/specs.ts";

const canary = "CANARY/4f9e+8d7c6b5a49382716";
/** Parts of the key without its last four characters, and its form in an encoded header. */
const traces = ["CANARY", "8d7c6b5a", Buffer.from(canary).toString("base64").slice(0, 16)];

const profile = (field: string) =>
  `defaultProfile: a\nprofiles:\n  a:\n    baseUrl: ${access.baseUrl}\n    accountId: ${access.accountId}\n    ${field}\n`;

/** Each source of a key, and the file that holds it. */
const ways: Readonly<Record<string, Setup & { readonly holder?: string }>> = {
  "a variable": { env: { INCIDENT_CLI_API_KEY: canary } },
  "a file": {
    env: { INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_API_KEY_FILE: "run/secrets/key" },
    files: { "run/secrets/key": canary },
    holder: "run/secrets/key",
  },
  "a command": {
    env: unset,
    files: { "home/key": canary, [config]: profile("apiKeyCommand: [cat, key]") },
    holder: "home/key",
  },
  "a profile": { env: unset, files: { [config]: profile(`apiKey: ${canary}`) }, holder: config },
};

/** The command lines of each command; the default is its name. */
const lines: Readonly<Record<string, readonly string[]>> = {
  create: ["create -f ok.yaml", "create -f ok.yaml --no-journal", "create -f broken.yaml", "create"],
  get: [`get ${id}`, "get not-an-id"],
  validate: ["validate ok.yaml broken.yaml"],
  sandbox: ["sandbox -- true"],
  "journal show": [`journal show ${id}`],
  "journal settle": [`journal settle ${id}`],
  "services import": [`services import ${id}`],
};

/** A service that returns the credentials in its body and in a header. */
function echo(status: number): Transport {
  return async ({ headers }) => ({
    phase: "answered",
    status,
    headers: { location: `https://other.example/?${encodeURIComponent(headers.authorization ?? "")}` },
    body: Buffer.from(
      JSON.stringify({
        id,
        name: headers.authorization,
        statusCode: status,
        error: "Echo",
        message: headers.authorization,
      }),
    ),
  });
}

const broken =
  (outcome: Outcome): Transport =>
  async () =>
    outcome;

/** Services that behave well, that fail, and that reveal the key. */
const services: Readonly<Record<string, Partial<Setup>>> = {
  "the service": { sandbox: { apiKey: canary } },
  "a service that does not know the key": {},
  ...Object.fromEntries(
    (isComplete ? [200, 302, 400, 401, 409, 429, 500] : [200, 302, 401, 500]).map((status) => [
      `an echo with ${status}`,
      { transport: echo(status) },
    ]),
  ),
  "no service": { transport: broken({ phase: "unsent", reason: "proxy", detail: `refused ${canary}` }) },
  "a silent service": {
    transport: broken({ phase: "unanswered", reason: "reset", detail: `got ${canary}` }),
  },
  "a fault of this tool": {
    transport: async () => {
      throw new Error(`invalid header ${canary}`);
    },
  },
};

function filesWith(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => traces.some((trace) => readFileSync(join(folder, name), "latin1").includes(trace)));
}

/** `isInJson` is of the first command; each next one has the other format. */
async function runAll(world: World, isInJson: boolean): Promise<{ requests: number; leaks: string[] }> {
  let requests = 0;
  const leaks: string[] = [];
  const tested = specs.filter((spec) => spec.name !== "login" && spec.name !== "logout");
  for (const [at, { name, outputs }] of tested.entries()) {
    for (const line of lines[name] ?? [name]) {
      // With --debug, a command says all that it says without.
      const styles = [" --debug", ...(outputs.includes("json") ? [" --debug -o json"] : [])];
      const chosen = styles.filter(
        (_, style) => style % styles.length === (at + Number(isInJson)) % styles.length,
      );
      for (const style of isComplete ? styles : chosen) {
        const result = await world.run(line + style);
        requests += result.requests.filter(({ headers }) => headers.authorization?.includes(canary)).length;
        if (traces.some((trace) => result.screen.includes(trace)))
          leaks.push(`${line}${style}: ${result.screen}`);
      }
    }
  }
  return { requests, leaks };
}

/** Each service with the source that needs no file or program, and each source with a service that reveals the key. */
const cases = [
  ...Object.keys(services).map((service) => ["a variable", service] as const),
  ...Object.keys(ways).map((way) => [way, "an echo with 401"] as const),
]
  .filter(
    ([way, service], index, all) => all.findIndex((one) => one[0] === way && one[1] === service) === index,
  )
  .map(([way, service], index) => [way, service, index % 2 === 0] as const);

describe("the API key", () => {
  // Each command has one format at a service, and the other at the next; with CASES=all both at each.
  it.each(sampled(cases, 2))("from %s appears nowhere with %s", async (way, service, isInJson) => {
    const { holder, ...setup } = ways[way] ?? {};
    const files = {
      ...setup.files,
      "ok.yaml": definitionYaml(),
      "broken.yaml": "severity: MAJRO\n",
      "home/.keep": "",
    };
    const world = createWorld({ ...setup, ...services[service], files });
    const { requests, leaks } = await runAll(world, isInJson);
    expect(requests).toBeGreaterThan(0);
    expect(leaks).toEqual([]);
    expect(filesWith(world.folder)).toEqual(holder === undefined ? [] : [holder]);
  });

  it.each(["", " --debug", " --debug -o json"])(
    "is written only to its profile by login%s",
    async (style) => {
      const world = createWorld({ sandbox: { apiKey: canary }, env: { INCIDENT_CLI_API_KEY: "" } });
      const result = await world.run(`login --api-key-stdin${style}`, { stdin: canary });
      expect(result.exitCode).toBe(0);
      expect(traces.filter((trace) => result.screen.includes(trace))).toEqual([]);
      expect(filesWith(world.folder)).toEqual([config]);
      const out = await world.run(`logout${style}`);
      expect(traces.filter((trace) => out.screen.includes(trace))).toEqual([]);
      expect(filesWith(world.folder)).toEqual([]);
    },
  );

  it("is found by this test where it appears", async () => {
    const world = createWorld({ files: { "ok.yaml": definitionYaml({ name: canary }) } });
    const { screen } = await world.run("create -f ok.yaml");
    expect(screen).toContain(traces[0]);
    expect(filesWith(world.folder)).toContain("ok.yaml");
  });
});

describe("a credential of the journal's URL", () => {
  const password = "CANARY/4f9e+8d7c6b5a49382716";
  const token = "CANARY_8d7c6b5a49382716";
  const encoded = encodeURIComponent(password);

  const styles = [" --debug", " -o json"];

  const locations: readonly [string, string, (readonly string[])?][] = [
    ["a password of PostgreSQL", `postgres://writer:${encoded}@127.0.0.1:1/journal`],
    ["a password parameter of PostgreSQL", `postgres://writer@127.0.0.1:1/journal?password=${encoded}`],
    ["a password of a location that is refused", `svn://runner:${encoded}@127.0.0.1:1/journal`],
    ["a token of a location that is refused", `git+https://${token}@127.0.0.1:1/journal.git?query`],
  ];
  // Git starts many processes: the forms of its URL share the styles, but with CASES=all.
  const ofGit: typeof locations = [
    ["a password of git", `git+http://runner:${encoded}@127.0.0.1:1/journal.git`, [" --debug"]],
    ["a password of git with a %", `git+http://runner:100%-${token}@127.0.0.1:1/journal.git`, [" -o json"]],
    ["a token of git", `git+http://${token}@127.0.0.1:1/journal.git`, [" --debug"]],
  ];

  const tested = isThorough ? [...locations, ...ofGit] : locations;

  it.each(tested)("appears nowhere: %s", async (_, journal, chosen = styles) => {
    const world = createWorld({
      env: { PATH: process.env.PATH ?? "", INCIDENT_CLI_JOURNAL: journal },
      files: { "ok.yaml": definitionYaml() },
    });
    const commands = [
      "create -f ok.yaml",
      "apply -f ok.yaml --yes",
      "journal list",
      `journal show ${id}`,
      `journal settle ${id}`,
      "journal init",
      "journal copy --to shared",
      "journal copy --to folder",
      "config show",
      "doctor",
    ];
    for (const line of commands) {
      for (const style of isComplete ? styles : chosen) {
        const { screen: shown } = await world.run(line + style);
        expect(shown, line + style).not.toContain("this is a bug");
        expect(
          traces.filter((trace) => shown.includes(trace)).map(() => shown),
          line + style,
        ).toEqual([]);
      }
    }
    expect(filesWith(world.folder)).toEqual([]);
  });
});
