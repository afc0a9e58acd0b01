// `incident doctor`: the findings of each check, their fixes, and the exit code of the most severe finding.
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answered, Outcome, Transport } from "../../src/http/transport.ts";
import { answer, config, serviceId } from "../harness/builders.ts";
import { answering } from "../harness/changed-service.ts";
import { access, createWorld, incident, type Setup } from "../harness/incident.ts";

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly hint?: string;
}

async function examine(setup: Setup, flags = "") {
  const { exitCode, stdout, stderr, requests } = await incident(`doctor -o json${flags}`, setup);
  const { healthy, checks } = JSON.parse(stdout) as { healthy: boolean; checks: Finding[] };
  const of = (name: string) => checks.filter(({ check }) => check === name);
  return { exitCode, healthy, stderr, requests, checks, of };
}

const unsent =
  (reason: Extract<Outcome, { phase: "unsent" }>["reason"]): Transport =>
  async () => ({ phase: "unsent", reason, detail: "the system's words" });

/** A service that answers every path in its own error shape, before it looks at the key. */
const notFound: Transport = async () =>
  answer({ statusCode: 404, error: "Not Found", message: "Not Found" }, 404);

/** Answers a request for openapi.json with this, and every other request as the sandbox does. */
function publishing(document: Partial<Answered>): Setup {
  const published = { ...answer(""), ...document };
  return {
    transport: answering(createWorld().sandbox, ({ url }) =>
      url.endsWith("/openapi.json") ? published : undefined,
    ),
  };
}

describe("doctor", () => {
  it("reports each passed check on a line, and sends only reads", async () => {
    const { exitCode, healthy, checks, requests } = await examine({});
    expect({ exitCode, healthy }).toEqual({ exitCode: 0, healthy: true });
    expect(checks.map(({ check, status }) => `${check}: ${status}`)).toEqual([
      "settings file: note",
      "project file: ok",
      "state directory: ok",
      "journal: ok",
      "settings: ok",
      "service: ok",
      "operations: note",
    ]);
    expect(requests.map(({ method }) => method)).toEqual(["GET", "GET", "GET"]);
  });

  it("says what else the service can do", async () => {
    const { checks } = await examine({ sandbox: { onlySpec: false } });
    expect(checks.filter(({ check }) => check === "operations")).toEqual([
      {
        check: "operations",
        status: "ok",
        message: "this service can also: list, update, edit, list services",
      },
    ]);
  });

  it.each<[string, Setup, string, number, string]>([
    ["no settings", { env: { INCIDENT_CLI_API_KEY: undefined } }, "settings", 2, "the API key is not set"],
    ["a broken file", { files: { [config]: "profiles: [" } }, "settings file", 2, "cannot be used (line 1: "],
    [
      "a state directory that is a file",
      { files: { "home/.local/state/incident-cli": "" } },
      "state directory",
      2,
      "it is not a directory",
    ],
    [
      "a key file that is not there",
      { env: { INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_API_KEY_FILE: "nowhere" } },
      "key",
      4,
      "there is no key file",
    ],
    [
      "a wrong key",
      { env: { INCIDENT_CLI_API_KEY: "wrong-key" } },
      "service",
      4,
      "the key was refused (401: Bad Token)",
    ],
    [
      "a service that answers 404 before it looks at the key",
      { transport: notFound },
      "service",
      2,
      `${access.baseUrl} answers a made-up key in the same way as yours`,
    ],
    ["an unknown name", { transport: unsent("unresolved") }, "service", 7, "could not be reached"],
    ["a closed port", { transport: unsent("connection") }, "service", 7, "could not be reached"],
    ["a refused certificate", { transport: unsent("tls") }, "service", 2, "the system's words"],
    ["a proxy that wants a login", { transport: unsent("proxy-login") }, "service", 2, "the system's words"],
    ["no answer", { faults: ["any:no-answer"] }, "service", 7, "did not answer"],
  ])("finds %s", async (_, setup, check, exitCode, message) => {
    const result = await examine(setup);
    expect(result.exitCode).toBe(exitCode);
    const [finding] = result.of(check).filter(({ status }) => status === "wrong");
    expect(finding?.message).toContain(message);
    expect(finding?.hint).toMatch(/\w/);
    expect(result.stderr).toBe("");
  });

  it("names the variable of a proxy where no name is known without it", async () => {
    const [finding] = (await examine({ transport: unsent("unresolved") })).of("service");
    expect(finding?.hint).toContain("this machine's DNS; behind a proxy, set HTTPS_PROXY");
  });

  it.each([
    ["fields", "baseUrl: x\nkey: y\n", ["line 1", "line 2"], 2],
    ["the catalog", "services: 3\n", ["line 1"], 2],
    ["the policy", "policy: { notify: loud }\n", ["line 1"], 2],
  ])("tells the problems in %s of a project file once, as one check", async (_, text, lines, code) => {
    const setup = { files: { ".incident.yaml": text } };
    const { checks, exitCode } = await examine(setup);
    const wrong = checks.filter(({ status }) => status === "wrong");
    expect({ exitCode, wrong: wrong.map(({ check, message }) => [check, message]) }).toEqual({
      exitCode: code,
      wrong: lines.map((line) => ["project file", expect.stringContaining(line)]),
    });
    expect((await incident("doctor", setup)).stderr).toContain("error: 1 check failed\n");
  });

  it("finds a settings file that others can read", async () => {
    const profile = `profiles: { a: { apiKey: ${access.apiKey} } }\n`;
    const world = createWorld({ files: { [config]: profile } });
    chmodSync(join(world.folder, config), 0o644);
    const { exitCode, stdout } = await world.run("doctor");
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^wrong +settings file +.* can be read by other users; run chmod 600 /m);
  });

  it("goes as far as it can after a failed check", async () => {
    const { checks } = await examine({ transport: unsent("tls") });
    const behind = checks.slice(checks.findIndex(({ check }) => check === "service"));
    expect(behind.map(({ check, status }) => `${check}: ${status}`)).toEqual([
      "service: wrong",
      "operations: note",
    ]);
  });

  it("names each create with an unknown outcome, which determines the exit code", async () => {
    const files = {
      "a.yaml": `name: Checkout fails
severity: MAJOR
services: [{ id: ${serviceId}, name: Checkout }]
incidentUpdates: [{ description: We are looking into it. }]
`,
    };
    const world = createWorld({ files, faults: ["create:drop-before-commit"] });
    expect((await world.run("create -f a.yaml")).exitCode).toBe(8);
    const { exitCode, stdout } = await world.run("doctor", { env: { INCIDENT_CLI_API_KEY: "wrong-key" } });
    expect(exitCode).toBe(8);
    expect(stdout).toContain('the outcome of the create of "Checkout fails"');
    expect(stdout).toContain("look for it with its settings: incident journal settle ");
    expect(stdout).toMatch(/^wrong +service /m);
  });

  it("leaves an empty state directory empty", async () => {
    const world = createWorld();
    await world.run("INCIDENT_CLI_STATE_DIR=state doctor");
    expect(readdirSync(join(world.folder, "state"))).toEqual([]);
  });

  it("refuses a state directory that others can write to", async () => {
    const world = createWorld();
    mkdirSync(join(world.folder, "state"));
    chmodSync(join(world.folder, "state"), 0o777);
    const { exitCode, stdout } = await world.run("INCIDENT_CLI_STATE_DIR=state doctor");
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/^wrong +state directory .*chmod 700/m);
  });

  it.each<[string, Partial<Answered>, string]>([
    ["is not there", { status: 404 }, "answered 404"],
    ["is a page", { body: Buffer.from("<html>") }, "is HTML or XML, and not JSON or YAML"],
  ])("goes on without a failure where openapi.json %s", async (_, answer, message) => {
    const { exitCode, of } = await examine(publishing(answer));
    expect(exitCode).toBe(0);
    expect(of("operations")).toMatchObject([{ status: "note", message: expect.stringContaining(message) }]);
  });
});
