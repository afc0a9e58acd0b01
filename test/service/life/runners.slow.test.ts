// Runners that begin with an empty disk, at services that assign their own ids: with a journal in git that they share, and
// without one. Each intended incident and update is there once, whatever a runner forgets.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { createLocalJournal } from "../../journal/git/world.ts";
import { type LifeOperation, type LifeService, lifeServices } from "./life-services.ts";

const first = "{ status: INVESTIGATING, description: We look. }";
const second = "{ status: IDENTIFIED, description: A disk is full. }";
const files = {
  "x.yaml": definitionYaml({ id: incidentId, incidentUpdates: `[${first}]` }),
  "plain.yaml": definitionYaml({ incidentUpdates: `[${first}]` }),
  "grown.yaml": definitionYaml({ id: incidentId, incidentUpdates: `[${first}, ${second}]` }),
};

let runners = 0;

/** Each command runs on a runner of its own. */
function runnersAt({ env, transport }: LifeService, more: Readonly<Record<string, string>>) {
  return (
    line: string,
    own: Readonly<Record<string, string | undefined>> = {},
    checkout: Readonly<Record<string, string>> = {},
    way = transport,
  ) => {
    runners += 1;
    const world = createWorld({
      env: { PATH: process.env.PATH, ...env, ...more, ...own },
      transport: way,
      files: { ...files, ...checkout },
      idsElsewhere: 100 * runners,
    });
    return world.run(line);
  };
}

async function openWith(open: (typeof lifeServices)[number][1], isShared: boolean) {
  const service = await open({ ids: "replaced" });
  const journal = isShared ? createLocalJournal().journal : "folder";
  const run = runnersAt(service, { INCIDENT_CLI_JOURNAL: journal });
  const count = (wanted: LifeOperation) =>
    service.requests.filter(({ operation }) => operation === wanted).length;
  /** The answer to the next request of this operation is lost, and then nothing can be read, until `recover`. */
  const goDarkAfter = (sent: "create" | "update") => {
    service.loseAnswer(sent);
    let isDark = false;
    service.before((operation) => {
      if (isDark) service.loseRequest(operation);
      isDark ||= operation === sent;
    });
  };
  const recover = () => service.before(() => undefined);
  const outcome = () => service.incidents().map(({ incidentUpdates }) => incidentUpdates.length);
  return { count, goDarkAfter, outcome, recover, run, service };
}

// The journal does not know the shape of a service. That a create on another runner is answered by the list is in
// delivery/batch/open-look.test.ts.
const cases = [
  [...lifeServices[0], "a journal in git", true] as const,
  [...lifeServices[1], "no shared journal", false] as const,
];

describe.each(cases)("at %s, runners with an empty disk (%3$s)", (_name, open, _journal, isShared) => {
  const isSkipped = isShared && isMissing("git");

  it.skipIf(isSkipped)("approve in two steps: push, re-run, push, re-run", async () => {
    const { count, outcome, run } = await openWith(open, isShared);
    for (const file of ["x.yaml", "x.yaml", "grown.yaml", "grown.yaml"]) {
      const preview = await run(`apply -f ${file} --dry-run -o json`, { CI: "true" });
      expect(preview.exitCode, preview.stderr).toBe(0);
      const declared = await run(`apply -f ${file} --confirm ${JSON.parse(preview.stdout).confirm}`, {
        CI: "true",
      });
      expect(declared.exitCode, declared.stderr).toBe(0);
    }
    expect({ creates: count("create"), posts: count("update") }).toEqual({ creates: 1, posts: 1 });
    expect(outcome()).toEqual([2]);
  });

  it.skipIf(isSkipped)(
    "declare once where an answer is lost, with a contract in the repository",
    async () => {
      const { count, goDarkAfter, recover, run, service } = await openWith(open, isShared);
      const pulled = createWorld({ env: service.env, transport: service.transport });
      expect((await pulled.run("contract pull")).exitCode).toBe(0);
      const contract = readFileSync(join(pulled.folder, "incident.contract.json"), "utf8");
      const more = { "incident.contract.json": contract, ".incident.yaml": "" };
      goDarkAfter("create");
      expect((await run("create plain.yaml --settle-for 1s", {}, more)).exitCode).toBe(8);
      recover();
      const again = await run("create plain.yaml --settle-for 1s", {}, more);
      expect(again.exitCode, again.stderr).toBe(0);
      expect(count("create")).toBe(1);
    },
  );

  it.skipIf(isSkipped).each([
    ["an update", "--message Wait --status MONITORING"],
    ["the end", "--message Over --status RESOLVED"],
  ])("post %s once where its answer is lost, and another runner goes on", async (_what, flags) => {
    const { goDarkAfter, outcome, recover, run, service } = await openWith(open, isShared);
    expect((await run("create plain.yaml")).exitCode).toBe(0);
    const line = `update ${service.incidents()[0]?.id} ${flags} --settle-for 1s`;
    goDarkAfter("update");
    expect((await run(line)).exitCode).toBe(8);
    recover();
    const again = await run(line);
    expect(again.exitCode, again.stderr).toBe(0);
    expect(outcome()).toEqual([2]);
  });
});
