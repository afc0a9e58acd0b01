// The git engine over HTTP with a login, in branches; and over ssh with a stand-in for its
// program. conformance.slow.test.ts has the complete suite, on repositories of this machine.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openGit } from "../../../src/journal/git/sequences.ts";
import { parseJournalLocation, secretsOf } from "../../../src/workspace/journal-location.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { entryOf, fill, name, writersOf } from "../conformance.ts";
import { gitDeps } from "./deps.ts";
import { createBareRepository, startGitServer } from "./server.ts";

async function openAt(folder: string, value: string, env: Readonly<Record<string, string>> = {}) {
  const location = parseJournalLocation({ value, origin: "the test" });
  if (location.kind !== "git") throw new Error("not in git");
  return openGit(gitDeps(folder, env), location, { secrets: secretsOf(value) });
}

/** Runs the command for the other machine here. */
const standIn = '#!/bin/sh\nfor command; do :; done\nexec sh -c "$command"\n';

async function overHttp(folder: string) {
  const server = await startGitServer(folder);
  onTestFinished(() => server.close());
  return () => openAt(folder, `${server.journal}#refs/heads/incident-journal`);
}

async function overSsh(folder: string) {
  const repository = join(folder, "j.git");
  createBareRepository(repository);
  const ssh = join(folder, "ssh");
  writeFileSync(ssh, standIn);
  chmodSync(ssh, 0o755);
  return () => openAt(folder, `git+ssh://git@h.example${repository}`, { GIT_SSH_COMMAND: ssh });
}

it.skipIf(isMissing("git")).each([
  ["over HTTP, in branches", overHttp],
  ["over ssh", overSsh],
] as const)(
  "git %s takes an entry, shows it to another machine, and lets one of two appends win",
  async (_, start) => {
    const open = await start(temporaryFolder());
    const [one, two] = [(await open()).open(name), (await open()).open(name)];
    await fill(one, "a");
    expect(await writersOf(two)).toEqual([0, "a"]);
    expect(await two.append(0, entryOf("b"))).toBe("taken");
    const both = await Promise.all([one, two].map((each, at) => each.append(1, entryOf(`w${at}`))));
    expect(both.toSorted()).toEqual(["ours", "taken"]);
  },
);
