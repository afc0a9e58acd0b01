// The user's folder for caches: of compiled code, and of the service's documents.
import { join, posix, win32 } from "node:path";
import type { Files } from "./context.ts";
import { findRepository, statIfThere } from "./repository.ts";

/**
 * The folder of this tool, which need not exist. Undefined where the environment names none, and in a repository, where a
 * pull request can put files.
 */
export function findCacheFolder(
  files: Pick<Files, "lstatSync" | "realpathSync" | "statSync">,
  machine: Machine,
): string | undefined {
  const base = userCacheFolder(machine);
  if (base === undefined) return undefined;
  try {
    const paths = new Set([base, statIfThere(files, base) === undefined ? base : files.realpathSync(base)]);
    const isTracked = [...paths].some((cwd) => findRepository({ files, system: { cwd } }) !== undefined);
    return isTracked ? undefined : join(base, "incident-cli");
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
