import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { assumptions } from "../../../src/sandbox/assumptions.ts";
import { faultGrammar } from "../../../src/sandbox/faults.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const id = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";
const files = {
  "a.yaml": readFileSync(new URL("../../../fixtures/api-outage.yaml", import.meta.url), "utf8"),
};
const create = "incident create -f a.yaml -o id";

const drill = (flags: string) => incident(`sandbox ${flags}`, { files });

describe("a rehearsal", () => {
  it("ends with the exit code of the command, and prints the counts of the requests", async () => {
    const { exitCode, stdout, stderr } = await drill(`-- ${create}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${id}\n` });
    expect(stderr).toContain("sandbox: POST /v1/status-pages/incidents 201\n");
    expect(stderr).toMatch(/sandbox: \d+ requests, 1 incident, 0 duplicates\n$/);
    const refused = await drill(`--fault create:403 -- ${create}`);
    expect(refused.exitCode).toBe(4);
    expect(refused.stderr).toContain("0 duplicates, the command ended with 4\n");
  });

  it.each([
    ["--expect incidents=1 --expect duplicates=0 --expect 429s=0 --expect exit=0", 0, ""],
    ["--fault create#1:429=1 --expect 429s=1 --expect incidents=1", 0, ""],
    ["--fault any:refuse-id --expect requests=7 --expect incidents=1", 0, "assigned its own id"],
    ["--fault any:ignore-id --expect incidents=1", 0, ""],
    ["--fault any:alter-text --expect incidents=1", 0, "warning: "],
    ["--fault create:403 --expect exit=4 --expect incidents=0", 0, ""],
    ["--fault create:403 --expect incidents=0", 4, ""],
    ["--expect incidents=2", 11, "incidents is 1, expected 2"],
    ["--fault create:403 --expect exit=0", 11, "exit is 4, expected 0"],
    ["--expect requests=0 --expect exit=8", 11, "; exit is 0, expected 8"],
  ])("%s ends with %i", async (flags, exitCode, said) => {
    const result = await drill(`${flags} -- ${create}`);
    expect({ exitCode: result.exitCode, stderr: result.stderr }).toEqual({
      exitCode,
      stderr: expect.stringContaining(said),
    });
  });

  it("has the page of an incident where the service has its web application", async () => {
    const world = createWorld({ files, env: { INCIDENT_CLI_WEB_URL: "https://app.example.com/{id}" } });
    const { exitCode, stdout } = await world.run(`sandbox -- incident open ${id}`);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(`^http://127\\.0\\.0\\.1:\\d+/#incident-${id}\n$`),
    });
  });
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the operations of the sandbox", () => {
  it.each([
    ["", ["get", "post", "put", "get", "get", "post", "get"], 401],
    ["--only-spec", ["post", "get"], 404],
  ])('with "%s" are those of its document', async (flags, methods, status) => {
    const stop = new AbortController();
    const port = await freePort();
    const running = incident(`sandbox --port ${port} ${flags}`, {
      signal: stop.signal,
    });
    const ask = async (path: string): Promise<Response> => {
      for (;;) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
        if (response !== undefined) return response;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const { paths } = (await (await ask("/openapi.json")).json()) as { paths: Record<string, object> };
    const described = Object.values(paths).flatMap((item) => Object.keys(item));
    expect(described.toSorted()).toEqual(methods.toSorted());
    const services = await fetch(`http://127.0.0.1:${port}/v1/status-pages/services`, {
      headers: { authorization: status === 404 ? "Bearer sandbox-key-0123456789" : "Bearer x" },
    });
    expect(services.status).toBe(status);
    stop.abort();
    expect((await running).exitCode).toBe(0);
  });
});

describe("a shell in a sandbox", () => {
  it("is told what it is, where the page is and how to leave", async () => {
    const { stderr } = await incident("sandbox -- /bin/sh", { terminal: { stdin: true } });
    expect(stderr).toMatch(
      /^This shell uses a sandbox: its incidents exist on this machine alone, and no customer sees them\.\nThe status page: http:\/\/127\.0\.0\.1:\d+\/\nTry: incident create\. To leave: exit, or Ctrl-D\.\n/,
    );
  });

  it.each([
    ["sandbox -- sh", false],
    ["sandbox -- sh runbook.sh", true],
    ["sandbox -- ./runbook.sh", true],
  ])("a script is told nothing: %s", async (line, stdin) => {
    expect((await incident(line, { terminal: { stdin } })).stderr).not.toContain("This shell");
  });
});

describe("invalid flags", () => {
  it.each([
    ["--fault create:noanswer", '--fault: "noanswer" is not a kind of fault; did you mean no-answer?'],
    ["incident create c.yaml -o id", "write -- before the command: incident sandbox -- COMMAND"],
    ["--fault create:418", '--fault: "418" is not a kind of fault'],
    ["--fault create:slow", '"slow" needs a duration'],
    ["--expect incidents", "is not NAME=NUMBER with one of the names requests, incidents,"],
    ["--expect toString=1", "is not NAME=NUMBER"],
    ["--expect exit=0", "--expect exit needs a command to run"],
  ])("%s is a usage error", async (flags, message) => {
    const { exitCode, stderr } = await drill(flags);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(stderr).toContain("next: ");
  });
});

it("describes the grammar of faults and its assumptions in a topic, to which its help of 60 lines leads", async () => {
  const help = await incident("sandbox --help");
  expect(help.stdout.split("\n").length).toBeLessThanOrEqual(60);
  expect(help.stdout).toContain("incident help drills");
  const { stdout } = await incident("help drills");
  const flat = (text: string) => text.replace(/\s+/g, " ");
  expect(flat(stdout)).toContain(flat(faultGrammar).trim());
  for (const assumption of Object.values(assumptions)) expect(flat(stdout)).toContain(flat(assumption));
});
