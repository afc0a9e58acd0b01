// A create whose ending a shared journal did not take: it stays on this machine, and nothing but --new leads to a second
// send of it. Other incidents can be declared with every way around that a hint names.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { isMissing } from "../../harness/programs.ts";
import { createLocalJournal, startGitWorld } from "../../journal/git/world.ts";
import { refusal } from "../services-by-hand.ts";

const yaml = definitionYaml();
const files = {
  "plain.yaml": yaml,
  "x.yaml": `id: ${id}\n${yaml}`,
  "other.yaml": definitionYaml({ name: "B" }),
};
const inFolder = { INCIDENT_CLI_JOURNAL: "folder" };

/** A machine with a shared journal. */
async function startMachine() {
  const { server, world } = await startGitWorld({ files, sandbox: { clientIds: "ignore" } });
  server.openToAll();
  /** Runs a line, and counts what the service declared meanwhile. */
  const run = async (line: string, options: Parameters<typeof world.run>[1] = {}) => {
    const before = world.sandbox.incidents().length;
    const { exitCode, stderr, stdout } = await world.run(`INCIDENT_CLI_STATE_DIR=state ${line}`, options);
    return { summary: { exitCode, sent: world.sandbox.incidents().length - before }, stderr, stdout };
  };
  return { run, server, world };
}

/** A machine that declared an incident, and whose shared journal did not take the ending. */
async function startPending() {
  const machine = await startMachine();
  machine.server.failNext(undefined, "refuse");
  const first = await machine.run("create -f x.yaml");
  return { ...machine, first };
}

/** A machine on which a create was killed after its `sending` event. */
async function startKilled() {
  const machine = await startMachine();
  const transport: Transport = async ({ method }) => {
    if (method === "GET") return refusal(404);
    throw new TypeError("the process ends here");
  };
  const killed = await machine.run("create -f x.yaml", { transport });
  expect(killed.summary).toEqual({ exitCode: 8, sent: 0 });
  return machine;
}

/** The ways around the journal that a hint names, as commands. */
function waysAround(stderr: string, file: string) {
  const ways = [
    { env: stderr.includes("INCIDENT_CLI_JOURNAL=folder") ? inFolder : undefined, flag: "" },
    { env: {}, flag: stderr.includes("incident create --no-journal") ? "--no-journal" : undefined },
  ];
  return ways.flatMap(({ env, flag }) =>
    env === undefined || flag === undefined ? [] : [{ env, line: `create -f ${file} ${flag}` }],
  );
}

describe.skipIf(isMissing("git"))("an ending that a shared journal did not take", () => {
  it("stays on this machine, where each way around that a hint names answers with the incident", async () => {
    const { first, run, server } = await startPending();
    expect(first.summary).toEqual({ exitCode: 8, sent: 1 });
    await server.close();
    const { stderr, summary } = await run("create -f x.yaml");
    expect(summary).toEqual({ exitCode: 7, sent: 0 });
    const ways = waysAround(stderr, "x.yaml");
    expect(ways).toHaveLength(2);
    for (const { env, line } of ways) {
      const around = await run(`${line} -o id`, { env });
      expect([line, around.summary]).toEqual([line, { exitCode: 0, sent: 0 }]);
      expect(around.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
      expect(first.stdout).toContain(around.stdout.trim());
    }
  });

  it("is recorded by the next create once its journal takes it", async () => {
    const { run } = await startPending();
    expect((await run("create -f other.yaml")).summary).toEqual({ exitCode: 0, sent: 1 });
    const { stdout } = await run(`journal show ${id}`);
    expect(stdout).toMatch(/sending[\s\S]*created/);
    expect((await run("create -f x.yaml")).summary).toEqual({ exitCode: 0, sent: 0 });
  });

  it("leads to no send with another shared journal, which lacks it", async () => {
    const { run } = await startPending();
    const env = { INCIDENT_CLI_JOURNAL: createLocalJournal().journal };
    const { stderr, summary } = await run("create -f x.yaml", { env });
    expect(summary).toEqual({ exitCode: 8, sent: 0 });
    expect(stderr).toContain("incident journal copy --to shared");
    expect((await run("create -f other.yaml", { env })).summary).toEqual({ exitCode: 0, sent: 1 });
  });
});

describe.skipIf(isMissing("git"))("a killed create, and a shared journal that cannot be reached", () => {
  it("are no reason to refuse another incident", async () => {
    const { run, server } = await startKilled();
    await server.close();
    const { stderr, summary } = await run("create -f other.yaml");
    expect(summary).toEqual({ exitCode: 7, sent: 0 });
    const ways = waysAround(stderr, "other.yaml");
    expect(ways).toHaveLength(2);
    // The first keeps a record, so that the second would answer with its incident.
    for (const { env, line } of ways.toReversed())
      expect([line, (await run(line, { env })).summary]).toEqual([line, { exitCode: 0, sent: 1 }]);
  });

  it("lead to no second send of the create, with no way around but --new", async () => {
    const { run, server } = await startKilled();
    await server.close();
    for (const create of ["-f x.yaml", "-f plain.yaml", "-f plain.yaml --key a"])
      for (const flag of ["", "--no-journal"]) {
        const line = `create ${create} ${flag} --settle-for 1s`;
        const { stderr, summary } = await run(line, { env: inFolder });
        expect([line, summary]).toEqual([line, { exitCode: 8, sent: 0 }]);
        expect(stderr).toContain(id);
      }
    const again = await run("create -f plain.yaml --new", { env: inFolder });
    expect(again.summary).toEqual({ exitCode: 0, sent: 1 });
  });
});
