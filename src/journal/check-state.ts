// Checks the state directory before anything in it is believed: its files decide whether a create is sent.
import { dirname, isAbsolute, join } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { repositoriesOf } from "../platform/repository.ts";
import { environmentVariables } from "../workspace/settings.ts";
import { storeHint, unusable } from "./journal-errors.ts";

export interface StateCheckDeps {
  readonly files: Pick<Files, "lstatSync" | "realpathSync" | "statSync">;
  readonly system: Pick<System, "env" | "user">;
}

const subfolders = ["journal", "seen"] as const;

/** Throws a `Failure` where it cannot be read, others may write to it, or it is in a repository. */
export function checkState(deps: StateCheckDeps, folder: string): void {
  try {
    check(deps, folder);
  } catch (error) {
    throw error instanceof Failure ? error : unusable(folder, error);
  }
}

function check({ files, system }: StateCheckDeps, folder: string): void {
  const { [environmentVariables.stateDirectory]: given } = system.env;
  if (given && !isAbsolute(given)) throw unusable(given, "it is another folder in each working directory");
  // A pull request can put files into a repository, and they are no record of the creates of this machine.
  const [repository] = repositoriesOf(files, nearestFolder(files, folder));
  if (repository !== undefined)
    throw new Failure(
      "usage",
      `the state directory ${folder} is in the repository ${repository}, which may have files of others in it`,
      { hint: storeHint("name a directory outside of the checkout with INCIDENT_CLI_STATE_DIR") },
    );
  for (const path of [folder, ...subfolders.map((name) => join(folder, name))]) {
    const stat = files.statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (!stat.isDirectory()) throw unusable(path, "it is not a directory");
    // Without user ids, the mode has no meaning.
    if (system.user !== undefined && (stat.uid !== system.user || (stat.mode & 0o022) !== 0))
      throw unusable(path, "it belongs to others, or others may write to it");
  }
}

/** The folder, or the first one above it that is there. */
function nearestFolder(files: StateCheckDeps["files"], folder: string): string {
  const isThere = files.statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(folder) === folder ? folder : nearestFolder(files, dirname(folder));
}
