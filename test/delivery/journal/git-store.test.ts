// The git store against the conformance suite, on bare repositories on this disk.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createGitStore, type GitStoreDeps } from "../../../src/delivery/journal/git/git-store.ts";
import { runProgram } from "../../../src/platform/run-program.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { describeEventStore } from "./event-store.ts";

export function gitDeps(folder: string, more: Partial<GitStoreDeps["system"]> = {}): GitStoreDeps {
  return {
    files: fs,
    withSpinner: (_, work) => work(),
    system: {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
      runProgram,
      signal: new AbortController().signal,
      temporary: folder,
      user: process.getuid?.(),
      atExit: () => undefined,
      clock: {
        now: Date.now,
        monotonic: () => performance.now(),
        sleep: (milliseconds) => delay(milliseconds),
      },
      random: { guid: () => crypto.randomUUID(), fraction: Math.random },
      ...more,
    },
  };
}

describeEventStore("git", () => {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "-q", "--bare", join(folder, "j.git")]);
  const open = () =>
    createGitStore(
      gitDeps(folder),
      { kind: "git", url: `file://${folder}/j.git`, refs: "refs/incident" },
      { secrets: [] },
    );
  return { open, isShared: true };
});
