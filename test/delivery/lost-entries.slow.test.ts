// A shared journal that loses entries, in each store: the machine that has seen them sends nothing until a person accepts
// it.
import { afterAll, describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { type PostgresCluster, startPostgres } from "../harness/postgres.ts";
import { isMissing } from "../harness/programs.ts";
import { createLocalJournal, git } from "../journal/git/world.ts";

interface Store {
  readonly journal: string;
  /** Loses what was appended since the store was opened, in some way. */
  readonly lose: () => void;
}

let cluster: PostgresCluster | undefined;
afterAll(() => cluster?.remove());

/** A repository whose journal has an earlier create, and `lose` by the refs before and after. */
function openGit(lose: (refs: Refs) => readonly string[]) {
  return async (declareFirst: (journal: string) => Promise<void>): Promise<Store> => {
    const server = createLocalJournal();
    const { journal } = server;
    const refs = () =>
      new Map(
        git(server, "for-each-ref", "--format=%(refname) %(objectname)")
          .trim()
          .split("\n")
          .map((line) => line.split(" ") as [string, string]),
      );
    await declareFirst(journal);
    const before = refs();
    return {
      journal,
      lose: () => {
        for (const change of lose({ before, after: refs() })) git(server, "update-ref", ...change.split(" "));
      },
    };
  };
}

interface Refs {
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

const changed = ({ before, after }: Refs) => [...after].filter(([ref, commit]) => before.get(ref) !== commit);

interface Kind {
  readonly program: "git" | "initdb";
  readonly open: (declareFirst: (journal: string) => Promise<void>) => Promise<Store>;
}

const stores: Record<string, Kind> = {
  "git, where an older state is pushed by force": {
    program: "git",
    open: openGit((refs) =>
      changed(refs).map(([ref]) => (refs.before.has(ref) ? `${ref} ${refs.before.get(ref)}` : `-d ${ref}`)),
    ),
  },
  "git, where the ref of the service is deleted": {
    program: "git",
    open: openGit((refs) => changed(refs).map(([ref]) => `-d ${ref}`)),
  },
  "PostgreSQL, where the rows are deleted": {
    program: "initdb",
    async open(declareFirst) {
      cluster ??= await startPostgres();
      const journal = `${cluster.url()}?scope=lost-${crypto.randomUUID()}`;
      const world = createWorld({ env: { INCIDENT_CLI_JOURNAL: journal } });
      expect((await world.run("journal init")).exitCode).toBe(0);
      await declareFirst(journal);
      return { journal, lose: () => void cluster?.sql("DELETE FROM incident_journal") };
    },
  },
};

describe.each(Object.entries(stores))("a journal in %s", (_, { open, program }) => {
  it.skipIf(isMissing(program))("leads to no send until a person accepts it", async () => {
    const files = {
      "first.yaml": definitionYaml({ name: "First" }),
      "x.yaml": `id: ${id}\n${definitionYaml({ name: "With an id" })}`,
      "other.yaml": definitionYaml({ name: "Another" }),
    };
    const world = createWorld({ files, env: { PATH: process.env.PATH ?? "" } });
    const { journal, lose } = await open(async (to) => {
      const env = { INCIDENT_CLI_JOURNAL: to };
      expect((await world.run("create -f first.yaml", { env })).exitCode).toBe(0);
    });
    const env = { INCIDENT_CLI_JOURNAL: journal };
    expect((await world.run("create -f x.yaml", { env })).exitCode).toBe(0);
    lose();
    for (const line of ["create -f x.yaml", "create -f other.yaml", "apply -f x.yaml --yes"]) {
      const { exitCode, requests, stderr } = await world.run(line, { env });
      const posts = requests.filter(({ method }) => method === "POST").length;
      expect([line, exitCode, posts]).toEqual([line, 8, 0]);
      expect(stderr).toContain("incident journal accept");
    }
    expect((await world.run("doctor", { env })).screen).toContain("incident journal accept");
    for (const line of ["journal list", "gate"])
      expect((await world.run(line, { env })).screen).toContain("was rolled back");
    const elsewhere = await world.run("create -f other.yaml", {
      env: { ...env, INCIDENT_CLI_STATE_DIR: "two" },
    });
    expect(elsewhere.exitCode).toBe(0);
    expect((await world.run("journal accept", { env })).exitCode).toBe(0);
    expect((await world.run("create -f other.yaml", { env })).stderr).toContain("still open");
    expect((await world.run("doctor", { env })).screen).not.toContain("journal accept");
  });
});
