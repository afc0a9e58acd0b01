// A create whose outcome a shared journal did not take: it stays on this machine, and nothing but --new leads to a send.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld, temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { startGitServer } from "../../journal/git/server.ts";

const yaml = definitionYaml();
const files = {
  "plain.yaml": yaml,
  "x.yaml": `id: ${id}\n${yaml}`,
  "other.yaml": definitionYaml({ name: "B" }),
};
const flags = "--state-dir state --max-retries 0";

async function startServer() {
  const server = await startGitServer(temporaryFolder());
  onTestFinished(() => server.close());
  return server;
}

/** A machine that declared an incident, and whose shared journal did not take the ending. */
async function startPending() {
  const server = await startServer();
  const world = createWorld({
    files,
    sandbox: { clientIds: "ignore" },
    env: { PATH: process.env.PATH ?? "", INCIDENT_CLI_JOURNAL: server.journal },
  });
  server.failNext(undefined, "refuse");
  /** Runs a line, and counts what the service declared meanwhile. */
  const run = async (line: string, env: Record<string, string> = {}) => {
    const before = world.sandbox.incidents().length;
    const { exitCode, stderr } = await world.run(line, { env });
    return { summary: { exitCode, sent: world.sandbox.incidents().length - before }, stderr };
  };
  const first = await run(`create -f x.yaml ${flags}`);
  return { first, run, server, world };
}

const commands = [
  "create -f plain.yaml",
  "create -f other.yaml",
  "create -f x.yaml",
  "create -f plain.yaml --key a",
  "create -f plain.yaml --dedup-key a",
  "create -f x.yaml --without-looking",
  "apply -f x.yaml --yes",
];

describe.skipIf(isMissing("git"))("an outcome that a shared journal did not take", () => {
  it("stays on this machine", async () => {
    const { first, world } = await startPending();
    expect(first.summary).toEqual({ exitCode: 8, sent: 1 });
    expect(first.stderr).not.toMatch(/INCIDENT_CLI_JOURNAL=|--no-journal/);
    expect(readdirSync(join(world.folder, "state/kept"))).toHaveLength(1);
  });

  it("leaves no hint and no flag that leads to a send", async () => {
    const { run, server } = await startPending();
    await server.close();
    const unreachable = await run(`create -f x.yaml ${flags}`);
    expect(unreachable.summary).toEqual({ exitCode: 7, sent: 0 });
    expect(unreachable.stderr).not.toMatch(/INCIDENT_CLI_JOURNAL=|--no-journal/);
    expect(unreachable.stderr).toContain("the outcome of an earlier create");
    for (const command of commands.filter((each) => each !== "create -f other.yaml")) {
      const env = { INCIDENT_CLI_JOURNAL: "folder" };
      const inFolder = await run(`${command} ${flags}`, env);
      expect([command, inFolder.summary]).toEqual([command, { exitCode: 8, sent: 0 }]);
      expect(inFolder.stderr).toContain(`the create of ${id}`);
      expect(inFolder.stderr).toContain("--new");
      if (command.startsWith("apply")) continue;
      const without = await run(`${command} --no-journal ${flags}`, env);
      expect([command, without.summary]).toEqual([command, { exitCode: 8, sent: 0 }]);
    }
    const env = { INCIDENT_CLI_JOURNAL: "folder" };
    for (const unrelated of ["create -f other.yaml", "create -f plain.yaml --new"])
      expect((await run(`${unrelated} ${flags}`, env)).summary, unrelated).toEqual({ exitCode: 0, sent: 1 });
  });

  it("belongs to its journal: another one is not told, and leads to no send either", async () => {
    const { run, world } = await startPending();
    const other = await startServer();
    const env = { INCIDENT_CLI_JOURNAL: other.journal };
    expect((await run(`create -f plain.yaml ${flags}`, env)).summary).toEqual({
      exitCode: 8,
      sent: 0,
    });
    expect(readdirSync(join(world.folder, "state/kept"))).toHaveLength(1);
  });

  it("is recorded once its journal takes it, and the rerun sends nothing", async () => {
    const { run, world } = await startPending();
    expect((await run(`create -f x.yaml ${flags}`)).summary).toEqual({ exitCode: 0, sent: 0 });
    expect(readdirSync(join(world.folder, "state/kept"))).toEqual([]);
    const env = { INCIDENT_CLI_JOURNAL: "folder" };
    expect((await run(`create -f other.yaml ${flags}`, env)).summary).toEqual({
      exitCode: 0,
      sent: 1,
    });
  });

  it("leaves a trace of an attempt that was killed before its ending, and no hint leads to a send", async () => {
    const server = await startServer();
    const world = createWorld({
      files,
      env: { PATH: process.env.PATH ?? "", INCIDENT_CLI_JOURNAL: server.journal },
    });
    const transport = () => Promise.reject(new TypeError("the process ends here"));
    const killed = await world.run(`create -f x.yaml --without-looking ${flags}`, { transport });
    expect(killed.exitCode).toBe(8);
    expect(readdirSync(join(world.folder, "state/attempts"))).toHaveLength(1);
    const env = { INCIDENT_CLI_JOURNAL: "folder" };
    const { exitCode, stderr } = await world.run(`create -f plain.yaml ${flags}`, { env });
    expect([exitCode, world.sandbox.incidents()]).toEqual([8, []]);
    expect(stderr).toContain(`the create of ${id} was sent from here`);
  });
});
