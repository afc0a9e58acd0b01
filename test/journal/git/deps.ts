// What a git store needs of the outside world, for tests of the store alone.
import * as fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { GitStoreDeps } from "../../../src/journal/git/store.ts";
import { runProgram } from "../../../src/platform/run-program.ts";

export function gitDeps(folder: string, env: Readonly<Record<string, string>> = {}): GitStoreDeps {
  return {
    files: fs,
    withSpinner: (_, work) => work(),
    system: {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, ...env },
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
    },
  };
}
