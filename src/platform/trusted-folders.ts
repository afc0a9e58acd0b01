// The user's folder for caches, and whether other users can replace a file: by the owner and the mode of every folder above
// it. A profile can name a command to run, and a code cache is run as it is, so both are read only from such a place.
import type { Stats } from "node:fs";
import { dirname, join, posix, win32 } from "node:path";
import type { Files } from "./context.ts";
import { statIfThere } from "./repository.ts";

export interface FolderDeps {
  readonly files: Pick<Files, "realpathSync" | "statSync">;
  /** This user's numeric id; undefined on systems without one, where every folder is trusted. */
  readonly user: number | undefined;
}

/**
 * The first folder on the absolute path of `folder`, or on its real path, in which other users can replace an entry.
 * A folder that does not exist is skipped: its creator owns it. Throws an error of the system for a folder that cannot
 * be looked at.
 */
export function findUntrustedFolder({ files, user }: FolderDeps, folder: string) {
  return findProblem(foldersAbove(files, folder), user);
}

function findProblem(folders: readonly FolderAbove[], user: number | undefined) {
  for (const { path, stat } of user === undefined ? [] : folders) {
    if (!isTrustedOwner(stat.uid, user)) return { folder: path, problem: "belongs to another user" };
    if (isOpen(stat.mode)) return { folder: path, problem: "can be changed by other users" };
  }
  return undefined;
}

interface FolderAbove {
  readonly path: string;
  readonly stat: Stats;
}

/** The folder and those above it that exist, on its path and then on its real path where that differs. */
function foldersAbove(files: FolderDeps["files"], folder: string): readonly FolderAbove[] {
  const found = walkUp(files, folder);
  const path = found[0]?.path ?? folder;
  const real = files.realpathSync.native(path);
  return real === path ? found : [...found, ...walkUp(files, real)];
}

function walkUp(files: FolderDeps["files"], folder: string): readonly FolderAbove[] {
  const found: FolderAbove[] = [];
  for (let path = folder; ; path = dirname(path)) {
    const stat = statIfThere(files, path);
    if (stat !== undefined) found.push({ path, stat });
    if (dirname(path) === path) return found;
  }
}

/** Whether the owner is this user, or root, who can change every file anyway. */
export function isTrustedOwner(uid: number, user: number | undefined): boolean {
  return user === undefined || uid === user || uid === 0;
}

/** Whether others can replace its entries. In a folder with the sticky bit, as /tmp, they replace only their own. */
function isOpen(mode: number): boolean {
  return (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
}

/**
 * The folder of the code cache, which the launcher fills and reads; it need not exist. Undefined where the environment
 * names none, where other users can put a file there, and in a repository, which has files of anyone who can propose a
 * change.
 */
export function findCodeCache(
  files: Pick<Files, "lstatSync" | "realpathSync" | "statSync">,
  machine: Machine & { readonly getuid?: (() => number) | undefined },
): string | undefined {
  const base = userCacheFolder(machine);
  if (base === undefined) return undefined;
  try {
    const folders = foldersAbove(files, base);
    const isTracked = folders.some(
      ({ path }) => files.lstatSync(join(path, ".git"), { throwIfNoEntry: false }) !== undefined,
    );
    const isSafe = !isTracked && findProblem(folders, machine.getuid?.()) === undefined;
    return isSafe ? join(base, "incident-cli") : undefined;
  } catch {
    return undefined;
  }
}

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An absolute path; undefined where the environment names none. XDG_CACHE_HOME wins on every platform. */
function userCacheFolder({ platform, env }: Machine): string | undefined {
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
