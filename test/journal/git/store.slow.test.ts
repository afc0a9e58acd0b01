// The git store over HTTP with a login, in branches of a repository with SHA-256; and over ssh with a stand-in for its
// program. conformance.slow.test.ts has the complete suite, on repositories of this machine.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parseJournalLocation, secretsOf } from "../../../src/workspace/journal-location.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { appendOf } from "../event-store.ts";
import { createGitStore } from "../open-stores.ts";
import { gitDeps } from "./deps.ts";
import { createBareRepository, startGitServer } from "./server.ts";

async function openStore(folder: string, value: string, env: Readonly<Record<string, string>> = {}) {
  const location = parseJournalLocation({ value, origin: "the test" });
  if (location.kind !== "git") throw new Error("not in git");
  return createGitStore(gitDeps(folder, env), location, { secrets: secretsOf(value) });
}

/** Runs the command for the other machine here. */
const standIn = '#!/bin/sh\nfor command; do :; done\nexec sh -c "$command"\n';

async function overHttp(folder: string) {
  const server = await startGitServer(folder, "--object-format=sha256");
  onTestFinished(() => server.close());
  return () => openStore(folder, `${server.journal}#refs/heads/incident-journal`);
}

async function overSsh(folder: string) {
  const repository = join(folder, "j.git");
  createBareRepository(repository);
  const ssh = join(folder, "ssh");
  writeFileSync(ssh, standIn);
  chmodSync(ssh, 0o755);
  return () => openStore(folder, `git+ssh://git@h.example${repository}`, { GIT_SSH_COMMAND: ssh });
}

it.skipIf(isMissing("git")).each([
  ["over HTTP, with SHA-256, in branches", overHttp],
  ["over ssh", overSsh],
] as const)(
  "git %s takes an event, shows it to another machine, and lets one of two appends win",
  async (_, start) => {
    const open = await start(temporaryFolder());
    const [one, two] = [await open(), await open()];
    const first = appendOf(0, "one", { isUnsettled: true });
    const { log } = first;
    expect(await one.append([first])).toEqual(["ours"]);
    expect((await two.read(log)).events).toEqual([first.event]);
    expect(await two.unsettled()).toEqual([log]);
    expect(await two.append([appendOf(0, "two")])).toEqual(["taken"]);
    const both = await Promise.all([one, two].map((store, at) => store.append([appendOf(1, `${at}`)])));
    expect(both.flat().toSorted()).toEqual(["ours", "taken"]);
    expect(await one.unsettled()).toEqual([]);
  },
);
