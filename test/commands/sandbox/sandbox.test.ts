import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { faultGrammar, faultMeanings } from "../../../src/sandbox/faults.ts";
import { createWorld, incident } from "../../harness/incident.ts";
import { refusing } from "../../harness/watched-files.ts";

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
    ["--fault create#1:429=1", 0, /, 1 incident, 0 duplicates, 1 answered with 429\n$/],
    ["--fault any:refuse-id", 0, /assigned its own id[\s\S]*7 requests, 1 incident, 0 duplicates\n$/],
    ["--fault any:ignore-id", 0, /, 1 incident, 0 duplicates\n$/],
    ["--fault any:alter-text", 0, /warning: [\s\S]*, 1 incident, 0 duplicates\n$/],
    ["--fault create:403", 4, /, 0 incidents, 0 duplicates, the command ended with 4\n$/],
  ])("%s ends with %i", async (flags, exitCode, said) => {
    const result = await drill(`${flags} -- ${create}`);
    expect({ exitCode: result.exitCode, stderr: result.stderr }).toEqual({
      exitCode,
      stderr: expect.stringMatching(said),
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

it.each([
  ["", 0],
  ["--only-spec", 6],
])('the list of a sandbox with "%s" ends with %i', async (flags, exitCode) => {
  expect((await incident(`sandbox ${flags} -- incident list`)).exitCode).toBe(exitCode);
});

it("says first that it is a rehearsal, and where its page is", async () => {
  const { stderr } = await incident("sandbox -- sh");
  expect(stderr).toMatch(
    /^sandbox: no customer sees its incidents; status page: http:\/\/127\.0\.0\.1:\d+\/\n/,
  );
});

it("gives another terminal a journal that is not the one of this machine", async () => {
  const { stderr } = await incident("sandbox", { signal: AbortSignal.abort() });
  expect(stderr).toMatch(/export INCIDENT_CLI_STATE_DIR=\S+incident-sandbox-\w+\n.*=folder\n/);
});

it("ends with the exit code of the command also where its journal cannot be removed", async () => {
  const wrapFiles = refusing("ENOTEMPTY", (name) => name === "rmSync");
  expect((await incident("sandbox --only-spec -- incident list", { wrapFiles })).exitCode).toBe(6);
});

it("describes the grammar of faults in its help", async () => {
  const { stdout } = await incident("sandbox --help");
  const flat = (text: string) => text.replace(/\s+/g, " ");
  expect(flat(stdout)).toContain(flat(faultGrammar).trim());
  for (const [kind, meaning] of faultMeanings) expect(flat(stdout)).toContain(flat(`${kind} ${meaning}`));
});
