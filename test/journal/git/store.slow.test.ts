// The git store against the conformance suite over HTTP with a login, in branches of a repository with SHA-256; and over ssh
// with a stand-in for its program, in a journal that 0.2.0 began.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createGitStore } from "../../../src/journal/git/store.ts";
import { parseJournalLocation, secretsOf } from "../../../src/workspace/journal-location.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { appendOf, describeEventStore } from "../event-store.ts";
import { gitDeps } from "./deps.ts";
import { createBareRepository, startGitServer } from "./server.ts";
import { git } from "./world.ts";

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

  describeEventStore("git over ssh, in a journal that 0.2.0 began", () => {
    const folder = temporaryFolder();
    const repository = startOldJournal(folder);
    const ssh = join(folder, "ssh");
    writeFileSync(ssh, standIn);
    chmodSync(ssh, 0o755);
    const env = { GIT_SSH_COMMAND: ssh };
    onTestFinished(() =>
      expect(git({ repository }, "for-each-ref", "--format=%(refname)")).not.toContain("/v2/"),
    );
    return { open: () => openStore(folder, `git+ssh://git@h.example${repository}`, env), isShared: true };
  });

  it("keeps the layout of a journal that 0.2.0 began, also where the host forbids to delete refs", async () => {
    const folder = temporaryFolder();
    const root = "refs/heads/incident-journal";
    const repository = startOldJournal(folder, root);
    git({ repository }, "config", "receive.denyDeletes", "true");
    const store = await openStore(folder, `git+file://${repository}#${root}`);
    const open = appendOf(0, "a", { isUnsettled: true });
    expect([await store.append([open]), await store.append([appendOf(1, "b")])]).toEqual([
      ["ours"],
      ["ours"],
    ]);
    const later = await openStore(folder, `git+file://${repository}#${root}`);
    expect([await later.read(open.log), await later.unsettled()]).toMatchObject([
      { events: [{ writer: "a" }, { writer: "b" }] },
      // Readers of the list look at the log.
      [open.log],
    ]);
    expect(git({ repository }, "for-each-ref", "--format=%(refname)")).not.toContain("/v2/");
  });

  it("keeps 0.2.0 from a journal that it would not know", async () => {
    const folder = temporaryFolder();
    const repository = join(folder, "j.git");
    createBareRepository(repository);
    await (await openStore(folder, `git+file://${repository}`)).append([appendOf(0, "a")]);
    const [, commit = ""] = git({ repository }, "show-ref").split(/\s/).reverse().filter(Boolean);
    const ref = "refs/incident/v1/op/0123456789abcdef";
    expect(() => git({ repository }, "push", "-q", repository, `${commit}:${ref}`)).toThrow();
    expect(git({ repository }, "for-each-ref", ref)).toBe("");
  });
}

/** A repository with a log that 0.2.0 has written. */
function startOldJournal(folder: string, root = "refs/incident"): string {
  const repository = join(folder, "j.git");
  createBareRepository(repository);
  const tree = git({ repository }, "hash-object", "-t", "tree", "-w", "/dev/null").trim();
  const record = { incident: 1, number: 0, isUnsettled: false, nonce: "n", event: { writer: "old" } };
  const author = ["-c", "user.name=incident", "-c", "user.email=incident@localhost"];
  const message = `${JSON.stringify(record)}\n\n[skip ci]\n`;
  const commit = git({ repository }, ...author, "commit-tree", "-m", message, tree).trim();
  git({ repository }, "update-ref", `${root}/v1/probe/doctor`, commit);
  return repository;
}
