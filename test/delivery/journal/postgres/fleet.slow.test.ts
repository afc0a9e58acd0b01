// A fleet on a journal in PostgreSQL: processes of the built command with empty disks declare the same incident at a
// service that ignores ids, are killed at random moments, and reach the database over a link that cuts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTables } from "../../../../src/delivery/journal/postgres/table.ts";
import { createSandbox } from "../../../../src/sandbox/app.ts";
import { serveSandbox } from "../../../../src/sandbox/server.ts";
import { program, programArgs } from "../../../built/program.ts";
import { definitionYaml, numberedId } from "../../../harness/builders.ts";
import { access, createClock, temporaryFolder } from "../../../harness/incident.ts";
import { type PostgresCluster, startPostgres } from "../../../harness/postgres.ts";
import { isMissing } from "../../../harness/programs.ts";
import { openToxicLink, type Toxin } from "../../../harness/toxic-link.ts";
import { createDice } from "../../dice.ts";

const rounds = 5;
const runners = 8;

describe.skipIf(isMissing("initdb"))("a fleet on a journal in PostgreSQL", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres();
    cluster.sql(createTables);
  });
  afterAll(() => cluster?.remove());

  it("declares each incident once, and none is lost silently", { timeout: 300_000 }, async () => {
    const dice = createDice(20);
    const link = await openToxicLink(cluster.port);
    const clock = { ...createClock(), now: Date.now };
    const sandbox = createSandbox({
      ...access,
      clock,
      random: { guid: () => crypto.randomUUID() },
      clientIds: "ignore",
    });
    const service = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 });
    const folder = temporaryFolder();
    const runOnce = async (id: string, isKilled: boolean) => {
      const child = spawn(
        program,
        [...programArgs, "create", "-f", join(folder, `${id}.yaml`), "--settle-for", "500ms"],
        {
          stdio: "ignore",
          env: {
            ...process.env,
            INCIDENT_CLI_BASE_URL: service.url,
            INCIDENT_CLI_API_KEY: access.apiKey,
            INCIDENT_CLI_ACCOUNT_ID: access.accountId,
            INCIDENT_CLI_STATE_DIR: temporaryFolder(),
            INCIDENT_CLI_JOURNAL: `postgres://postgres@127.0.0.1:${link.port}/postgres?scope=fleet`,
          },
        },
      );
      const timer = isKilled ? setTimeout(() => child.kill("SIGKILL"), 100 + dice.below(900)) : undefined;
      const [exitCode] = await once(child, "exit");
      clearTimeout(timer);
      return exitCode as number | null;
    };

    for (let round = 1; round <= rounds; round += 1) {
      const id = numberedId(round);
      writeFileSync(join(folder, `${id}.yaml`), definitionYaml({ id, name: `Incident ${round}` }));
      const before = sandbox.incidents().length;
      const toxins: readonly Toxin[] = ["cuts answers", "cuts requests", "passes", "passes"];
      const weather = setInterval(() => {
        link.toxin = dice.pick(toxins);
      }, 40);
      await Promise.all(Array.from({ length: runners }, (_, runner) => runOnce(id, runner % 2 === 0)));
      clearInterval(weather);
      link.toxin = "passes";
      const declared = () => sandbox.incidents().length - before;
      expect(declared(), `round ${round}`).toBeLessThan(2);
      // A rerun either declares it, finds it in the journal, or says that nobody knows.
      const exitCode = await runOnce(id, false);
      expect([0, 8], `round ${round}`).toContain(exitCode);
      expect(declared(), `round ${round}`).toBeLessThan(2);
      if (exitCode === 0) expect(declared(), `round ${round}`).toBe(1);
    }
    expect(sandbox.incidents()).not.toHaveLength(0);
    await service.close();
    await link.close();
  });
});
