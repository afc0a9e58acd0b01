// What a git store needs of the outside world, for tests of the store alone.
import * as fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type GitDeps, resolveRemote } from "../../../src/journal/git/git-remote.ts";
import { runProgram } from "../../../src/platform/child-process.ts";
import type { Reporter } from "../../../src/platform/context.ts";

type GitStoreDeps = GitDeps & Pick<Reporter, "warn">;

/** The repository at this URL, or the one of the checkout. */
export const openRemote = (deps: GitDeps, url: string | undefined) => resolveRemote(deps, url);

export function gitDeps(folder: string, env: Readonly<Record<string, string>> = {}): GitStoreDeps {
  return {
    warn: () => undefined,
    files: fs,
    system: {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...env },
      runProgram,
      signal: new AbortController().signal,
      temporary: folder,
      atExit: () => undefined,
      clock: { now: Date.now, monotonic: () => performance.now(), sleep: (ms) => delay(ms) },
      random: { guid: () => crypto.randomUUID(), fraction: Math.random },
    },
  };
}
