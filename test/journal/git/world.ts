// A world whose journal is in a git repository behind an HTTP server, and what is in that repository.
import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld, type Setup, temporaryFolder } from "../../harness/incident.ts";
import { type GitServer, startGitServer } from "./server.ts";

export async function startGitWorld(setup: Partial<Setup> = {}, ...options: string[]) {
  const server = await startGitServer(temporaryFolder(), ...options);
  onTestFinished(() => server.close());
  const world = createWorld({
    ...setup,
    env: { PATH: process.env.PATH ?? "", INCIDENT_CLI_JOURNAL: server.journal, ...setup.env },
    files: { "x.yaml": definitionYaml({ id }), ...setup.files },
  });
  return { server, world };
}

/** Runs git on the bare repository. */
export function git({ repository }: Pick<GitServer, "repository">, ...args: string[]): string {
  return execFileSync("git", ["--git-dir", repository, ...args], { encoding: "utf8" });
}

/** The types of the events of the only operation. */
export function eventsOf(server: Pick<GitServer, "repository">): string[] {
  const [ref = ""] = git(server, "for-each-ref", "--format=%(refname)", "refs/incident/v1/op").split("\n");
  const messages = git(server, "log", "--reverse", "--format=%B", ref).split("\n");
  return messages.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line).event.event.type);
}
