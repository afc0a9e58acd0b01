// A world whose journal is in a git repository, of this machine or behind an HTTP server, and what is in that repository.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld, type Setup, temporaryFolder } from "../../harness/incident.ts";
import { createBareRepository, type GitServer, startGitServer } from "./server.ts";

interface StoredEntry {
  readonly events?: readonly { readonly event: { readonly type: string } }[];
}

/** With a login and an HTTP server, which can fail. */
export async function startGitWorld(setup: Partial<Setup> = {}) {
  const server = await startGitServer(temporaryFolder());
  onTestFinished(() => server.close());
  return { server, world: createWorldWith(server.journal, setup) };
}

/** With a repository of this machine, which git reaches with fewer processes. */
export function createGitWorld(setup: Partial<Setup> = {}) {
  const server = createLocalJournal();
  return { server, world: createWorldWith(server.journal, setup) };
}

export function createLocalJournal(): Pick<GitServer, "journal" | "repository"> {
  const repository = join(temporaryFolder(), "journal.git");
  createBareRepository(repository);
  return { journal: `git+file://${repository}`, repository };
}

const createWorldWith = (journal: string, setup: Partial<Setup>) =>
  createWorld({
    ...setup,
    env: { PATH: process.env.PATH ?? "", INCIDENT_CLI_JOURNAL: journal, ...setup.env },
    files: { "x.yaml": definitionYaml({ id }), ...setup.files },
  });

/** Runs git on the bare repository. */
export function git({ repository }: Pick<GitServer, "repository">, ...args: string[]): string {
  return execFileSync("git", ["--git-dir", repository, ...args], { encoding: "utf8" });
}

/** The refs of the journal, one for each service and account. */
export function journalRefs(server: Pick<GitServer, "repository">, root = "refs/incident"): string[] {
  return git(server, "for-each-ref", "--format=%(refname)", `${root}/v2`)
    .split("\n")
    .filter((ref) => ref !== "");
}

/** The types of the events of the only operation. */
export function eventsOf(server: Pick<GitServer, "repository">, root = "refs/incident"): string[] {
  const lines = journalRefs(server, root).flatMap((ref) =>
    git(server, "log", "--reverse", "--format=%B", ref).split("\n"),
  );
  const entries: StoredEntry[] = lines.flatMap((line) => (line[0] === "{" ? JSON.parse(line).entry : []));
  return entries.flatMap(({ events = [] }) => events.map(({ event }) => event.type));
}
