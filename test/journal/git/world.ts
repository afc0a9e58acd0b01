// A world whose journal is in a git repository, of this machine or behind an HTTP server, and what is in that repository.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld, type Setup, temporaryFolder } from "../../harness/incident.ts";
import { createBareRepository, type GitServer, startGitServer } from "./server.ts";

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

/** The refs of the journal that hold a log of an operation. */
export function operationRefs(server: Pick<GitServer, "repository">, root = "refs/incident"): string[] {
  const refs = git(server, "for-each-ref", "--format=%(refname)", `${root}/v1/log`).split("\n");
  return refs.filter((ref) => ref !== "" && recordsOf(server, ref).some(({ log }) => log.startsWith("op-")));
}

function recordsOf(server: Pick<GitServer, "repository">, ref: string) {
  const messages = git(server, "log", "--reverse", "--format=%B", ref).split("\n");
  return messages.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

/** The types of the events of the only operation. */
export function eventsOf(server: Pick<GitServer, "repository">, root = "refs/incident"): string[] {
  const records = operationRefs(server, root).flatMap((ref) => recordsOf(server, ref));
  return records.filter(({ log }) => log.startsWith("op-")).map(({ event }) => event.event.type);
}

/** The logs that the journal lists as unsettled. */
export function unsettledIn(server: Pick<GitServer, "repository">, root = "refs/incident"): string[] {
  const refs = git(server, "for-each-ref", "--format=%(contents)", `${root}/v1/list`).split("\n");
  return refs.filter((line) => line.startsWith("{")).flatMap((line) => JSON.parse(line).open);
}
