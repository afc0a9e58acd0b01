// The folder of the code cache, which the launcher fills and reads, by the convention of the platform for caches.
import { join, posix, win32 } from "node:path";
import type { Files } from "../context.ts";
import { findProblem, foldersAbove } from "./trusted-folders.ts";

type CacheFiles = Pick<Files, "lstatSync" | "realpathSync" | "statSync">;

interface Owner {
  readonly getuid?: (() => number) | undefined;
}

/** The folder, which need not exist. Undefined where the environment names none, or one that others can change. */
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

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An absolute path; undefined where the environment names none. XDG_CACHE_HOME wins on every platform. */
export function userCacheFolder({ platform, env }: Machine): string | undefined {
  const path = platform === "win32" ? win32 : posix;
  const below = (base: string | undefined, ...names: string[]) => base && path.join(base, ...names);
  const own = {
    darwin: below(env.HOME, "Library", "Caches"),
    win32: env.LOCALAPPDATA || below(env.USERPROFILE, "AppData", "Local"),
    other: below(env.HOME, ".cache"),
  };
  const folder =
    env.XDG_CACHE_HOME || own[platform === "darwin" || platform === "win32" ? platform : "other"];
  return folder && path.isAbsolute(folder) ? folder : undefined;
}
