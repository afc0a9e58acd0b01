// The user's folder for caches: of compiled code, and of the service's documents.
import { isAbsolute, join } from "node:path";
import { tryTo } from "../failure.ts";
import type { Files, System } from "./context.ts";
import { findRepository } from "./repository.ts";

/** The folder need not exist. Undefined without a home, and in a repository, where a pull request can put files. */
export function findCacheFolder(
  files: Pick<Files, "lstatSync" | "realpathSync" | "statSync">,
  { env }: Pick<System, "env">,
): string | undefined {
  const home = env.HOME || env.USERPROFILE;
  const base = env.XDG_CACHE_HOME || (home && join(home, ".cache"));
  if (!base || !isAbsolute(base)) return undefined;
  return tryTo(() => {
    const isThere = files.statSync(base, { throwIfNoEntry: false }) !== undefined;
    const folders = [...new Set([base, isThere ? files.realpathSync(base) : base])];
    return folders.some((folder) => findRepository(files, folder)) ? undefined : join(base, "incident-cli");
  });
}
