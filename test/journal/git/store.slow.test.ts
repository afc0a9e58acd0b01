// The git store against the conformance suite over HTTP with a login, in branches of a repository with SHA-256; and over ssh
// with a stand-in for its program.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGitStore } from "../../../src/journal/git/store.ts";
import { parseJournalLocation, secretsOf } from "../../../src/workspace/journal-location.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { appendOf, describeEventStore } from "../event-store.ts";
import { gitDeps } from "./deps.ts";
import { createBareRepository, startGitServer } from "./server.ts";

async function openStore(folder: string, value: string, env: Readonly<Record<string, string>> = {}) {
  const location = parseJournalLocation({ value, origin: "the test" });
  if (location.kind !== "git") throw new Error("not in git");
  return createGitStore(gitDeps(folder, env), location, { secrets: secretsOf(value) });
}

/** Runs the command for the other machine here. */
const standIn = '#!/bin/sh\nfor command; do :; done\nexec sh -c "$command"\n';

if (!isMissing("git")) {
  describeEventStore("git over HTTP, with SHA-256, in branches", () => {
    const folder = temporaryFolder();
    const server = startGitServer(folder, "--object-format=sha256");
    onTestFinished(async () => (await server).close());
    const journal = async () => `${(await server).journal}#refs/heads/incident-journal`;
    return { open: async () => openStore(folder, await journal()), isShared: true };
  });

  describe("git over ssh", () => {
    it("takes an event, shows it to another machine, and lets one of two appends win", async () => {
      const folder = temporaryFolder();
      const repository = join(folder, "j.git");
      createBareRepository(repository);
      const ssh = join(folder, "ssh");
      writeFileSync(ssh, standIn);
      chmodSync(ssh, 0o755);
      const env = { GIT_SSH_COMMAND: ssh };
      const open = () => openStore(folder, `git+ssh://git@h.example${repository}`, env);
      const [one, two] = [await open(), await open()];
      const first = appendOf(0, "one");
      expect(await one.append([first])).toEqual(["ours"]);
      expect((await two.read(first.log)).events).toEqual([first.event]);
      expect(await two.append([appendOf(0, "two")])).toEqual(["taken"]);
    });
  });
}
