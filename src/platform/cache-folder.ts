// The user's folder for caches: of compiled code, and of the service's documents.
import { isAbsolute, join } from "node:path";
import type { System } from "./context.ts";
import { type RepositoryFiles, repositoriesOf } from "./repository.ts";

/** The folder need not exist. Undefined without a home, and in a repository, where a pull request can put files. */
export function findCacheFolder(files: RepositoryFiles, { env }: Pick<System, "env">): string | undefined {
  const home = env.HOME || env.USERPROFILE;
  const base = env.XDG_CACHE_HOME || (home && join(home, ".cache"));
  if (!base || !isAbsolute(base)) return undefined;
  return repositoriesOf(files, base).length > 0 ? undefined : join(base, "incident-cli");
}
