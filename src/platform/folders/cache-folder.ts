// Where caches of this user belong, by the platform's own convention. Settings and the journal are in one place on every
// platform: if an upgrade does not find the journal, it forgets earlier creates.
import { posix, win32 } from "node:path";

export interface Machine {
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
