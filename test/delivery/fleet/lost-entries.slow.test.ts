// A shared journal that loses entries, in each store: the machine that sent a create remembers it, sends nothing, and puts
// it back.
import { afterAll, describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { type PostgresCluster, startPostgres } from "../../harness/postgres.ts";
import { isMissing } from "../../harness/programs.ts";
import { createLocalJournal, git } from "../../journal/git/world.ts";

type State = "declared" | "of unknown outcome" | "refused";

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
  readonly states: readonly State[];
  readonly open: (declareFirst: (journal: string) => Promise<void>) => Promise<Store>;
}

const stores: Record<string, Kind> = {
  "git, where an older state is pushed by force": {
    program: "git",
    states: ["of unknown outcome"],
    open: openGit((refs) =>
      changed(refs).map(([ref]) => (refs.before.has(ref) ? `${ref} ${refs.before.get(ref)}` : `-d ${ref}`)),
    ),
  },
  "git, where the ref of the service is deleted": {
    program: "git",
    states: ["declared"],
    open: openGit((refs) => changed(refs).map(([ref]) => `-d ${ref}`)),
  },
  "PostgreSQL, where the rows are deleted": {
    program: "initdb",
    states: ["declared", "of unknown outcome", "refused"],
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

describe.each(Object.entries(stores))("a journal in %s", (_, { open, program, states }) => {
  it.skipIf(isMissing(program)).each(states)(
    "leads to no second send of a create that is %s, with or without an id",
    async (state) => {
      const yaml = definitionYaml();
      const files = {
        "first.yaml": definitionYaml({ name: "First" }),
        "plain.yaml": yaml,
        "x.yaml": `id: ${id}\n${definitionYaml({ name: "With an id" })}`,
        "other.yaml": definitionYaml({ name: "B" }),
      };
      const ending = {
        declared: [],
        "of unknown outcome": ["create#2-3:drop-before-commit"],
        refused: ["create#2-3:403"],
      }[state];
      const world = createWorld({ files, faults: ending, env: { PATH: process.env.PATH ?? "" } });
      const { journal, lose } = await open(async (to) => {
        const env = { INCIDENT_CLI_JOURNAL: to };
        expect((await world.run("create -f first.yaml", { env })).exitCode).toBe(0);
      });
      const env = { INCIDENT_CLI_JOURNAL: journal };
      const run = async (line: string) => {
        const before = world.sandbox.incidents().length;
        const { exitCode, requests, stderr } = await world.run(`${line} --settle-for 1s`, {
          env,
        });
        const posts = requests.filter(({ method }) => method === "POST").length;
        return { exitCode, posts, stderr, made: world.sandbox.incidents().length - before };
      };
      const first = { declared: 0, "of unknown outcome": 8, refused: 4 }[state];
      for (const file of ["plain.yaml", "x.yaml"])
        expect([file, (await run(`create -f ${file}`)).exitCode]).toEqual([file, first]);
      lose();
      for (const line of ["create -f plain.yaml", "create -f x.yaml", "apply -f x.yaml --yes"]) {
        const { exitCode, posts, stderr } = await run(line);
        expect([line, exitCode, posts]).toEqual([line, 8, 0]);
        expect(stderr).toContain("incident journal copy --to shared");
      }
      expect(await run("create -f other.yaml")).toMatchObject({ exitCode: 0, posts: 1 });
      const doctor = await world.run("doctor", { env });
      expect(doctor.screen).toContain("incident journal copy --to shared");
      expect((await world.run("journal copy --to shared", { env })).exitCode).toBe(0);
      expect((await world.run("doctor", { env })).screen).not.toContain("journal copy --to shared");
      for (const file of ["plain.yaml", "x.yaml"]) {
        const { exitCode, made } = await run(`create -f ${file}`);
        expect([file, exitCode, made]).toEqual([
          file,
          state === "of unknown outcome" ? 8 : 0,
          state === "refused" ? 1 : 0,
        ]);
      }
    },
  );
});
