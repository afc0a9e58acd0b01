// The folder of the code cache, which the launcher fills and reads.
import { join } from "node:path";
import type { Files } from "../context.ts";
import { type Machine, userCacheFolder } from "./cache-folder.ts";
import { findProblem, foldersAbove } from "./trusted-folders.ts";

type CacheFiles = Pick<Files, "lstatSync" | "realpathSync" | "statSync">;

interface Owner {
  readonly getuid?: (() => number) | undefined;
}

/** The folder need not exist. Undefined where the environment names none, or one that others can change. */
export function findCodeCache(files: CacheFiles, machine: Machine & Owner): string | undefined {
  const base = userCacheFolder(machine);
  return base !== undefined && isSafe(files, base, machine.getuid?.())
    ? join(base, "incident-cli")
    : undefined;
}

/** Whether no other user can put a file there. A file in a repository can come from anyone who can propose a change. */
function isSafe(files: CacheFiles, base: string, user: number | undefined): boolean {
  try {
    const folders = foldersAbove(files, base);
    if (findProblem(folders, user) !== undefined) return false;
    return !folders.some(
      ({ path }) => files.lstatSync(join(path, ".git"), { throwIfNoEntry: false }) !== undefined,
    );
  } catch {
    return false;
  }
}
