// Checks the state directory before anything in it is believed: its files decide whether a create is sent.
import { basename, dirname, isAbsolute, join } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { findRepository } from "../platform/repository.ts";
import { environmentVariables } from "../workspace/settings.ts";
import { unusable } from "./journal-errors.ts";

interface StateCheckDeps {
  readonly files: Pick<Files, "lstatSync" | "realpathSync" | "statSync">;
  readonly system: Pick<System, "captureChild" | "env" | "signal" | "user">;
}

/** Milliseconds that git gets. */
const gitTimeout = 10_000;

/** Throws a `Failure` where it cannot be read, others may write to it, or a repository's history has put files into it. */
export async function checkState(deps: StateCheckDeps, folder: string): Promise<void> {
  const { files, system } = deps;
  const { [environmentVariables.stateDirectory]: given } = system.env;
  if (given && !isAbsolute(given)) throw unusable(given, "it is another folder in each working directory");
  try {
    const root = files.statSync(folder, { throwIfNoEntry: false });
    if (root === undefined) return;
    if (!root.isDirectory()) throw unusable(folder, "it is not a directory");
    for (const path of [folder, join(folder, "journal"), join(folder, "seen")]) {
      const stat = files.statSync(path, { throwIfNoEntry: false });
      // Without user ids, the mode has no meaning.
      if (stat === undefined || system.user === undefined) continue;
      if (stat.uid !== system.user || (stat.mode & 0o022) !== 0)
        throw unusable(path, "it belongs to others, or others may write to it");
    }
    // A link to it can be tracked as well.
    for (const path of new Set([folder, files.realpathSync(folder)])) await checkUntracked(deps, path);
  } catch (error) {
    throw error instanceof Failure ? error : unusable(folder, error);
  }
}

/** A pull request can put files into a repository, and they are no record of the creates of this machine. */
async function checkUntracked({ files, system }: StateCheckDeps, folder: string): Promise<void> {
  const above = dirname(folder);
  const root = findRepository(files, above);
  if (root === undefined) return;
  // Naming the repository keeps git from refusing one that belongs to another user, as in a container.
  const repository = [`--git-dir=${join(root, ".git")}`, `--work-tree=${root}`];
  const command = ["git", ...repository, "-c", "core.fsmonitor=false", "--literal-pathspecs"];
  const { exitCode, problem, stdout } = await system.captureChild(
    [...command, "ls-files", "-z", "--", basename(folder)],
    { cwd: above, timeout: gitTimeout, signal: system.signal },
  );
  if (exitCode === 0 && stdout === "") return;
  const known = problem ?? (exitCode === 0 ? `tracks ${stdout.split("\0")[0]}` : `failed (${exitCode})`);
  const message = `the state directory ${folder} is in the repository ${root}, which may have files of others in it: git ${known}`;
  throw new Failure("usage", message, {
    hint: "nothing was sent; name a directory outside of the checkout with INCIDENT_CLI_STATE_DIR",
  });
}
