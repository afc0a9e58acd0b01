// Checks the state directory before anything in it is believed: its files decide whether a create is sent.
import { basename, dirname, join } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { findRepository } from "../platform/repository.ts";
import { othersMayWrite, StoreHint, unusable, unwritable } from "./journal-errors.ts";

export interface StateCheckDeps {
  readonly files: Pick<Files, "lstatSync" | "realpathSync" | "statSync">;
  readonly system: Pick<System, "captureChild" | "signal" | "user">;
}

const subfolders = ["journal", "unsettled", "services", "claims", "kept", "attempts"] as const;

/** Milliseconds that git gets. */
const gitTimeout = 10_000;

const elsewhere = new StoreHint(
  "name a directory outside of the checkout with --state-dir or INCIDENT_CLI_STATE_DIR",
);

/** Throws a `Failure` where it cannot be read, others may write to it, or a repository's history has put files into it. */
export async function checkState(deps: StateCheckDeps, folder: string): Promise<void> {
  try {
    await check(deps, folder);
  } catch (error) {
    throw error instanceof Failure ? error : unusable(folder, error);
  }
}

async function check(deps: StateCheckDeps, folder: string): Promise<void> {
  const { files, system } = deps;
  const root = files.statSync(folder, { throwIfNoEntry: false });
  if (root === undefined) return;
  if (!root.isDirectory()) throw unwritable(folder, "it is not a directory");
  for (const path of [folder, ...subfolders.map((name) => join(folder, name))]) {
    const stat = files.statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && isShared(stat, system)) throw othersMayWrite(path);
  }
  const real = files.realpathSync(folder);
  checkParents(deps, real);
  // A link to it can be tracked as well.
  for (const path of new Set([folder, real])) await checkUntracked(deps, path);
}

/** Whether another user may change the files of a folder. Without user ids, the mode has no meaning. */
export function isShared(
  stat: { readonly uid: number; readonly mode: number },
  { user }: Pick<System, "user">,
): boolean {
  return user !== undefined && (stat.uid !== user || (stat.mode & 0o022) !== 0);
}

/**
 * Whoever may write to a folder above may put another state directory in the place of this one, unless the sticky
 * bit is set. Exempt: groups, because many systems give each user one of their own, and root, because the containers
 * of CI runners check out as root with an open mask, and hold no other user.
 */
function checkParents({ files, system }: StateCheckDeps, folder: string): void {
  if (system.user === undefined || system.user === 0) return;
  for (let path = dirname(folder); path !== dirname(path); path = dirname(path)) {
    const { mode } = files.statSync(path);
    if ((mode & 0o002) === 0 || (mode & 0o1000) !== 0) continue;
    throw new Failure(
      "usage",
      `everyone may write to ${path}, so anyone may replace the state directory ${folder}`,
      { hint: `run chmod o-w ${path}, or name another directory with --state-dir` },
    );
  }
}

/** Files in a repository's history are the work of everyone who can open a pull request, and no memory. */
async function checkUntracked({ files, system }: StateCheckDeps, folder: string): Promise<void> {
  const above = dirname(folder);
  const root = findRepository({ files, system: { cwd: above } });
  if (root === undefined) return;
  // Naming the repository keeps git from refusing one that belongs to another user, as in a container.
  const repository = [`--git-dir=${join(root, ".git")}`, `--work-tree=${root}`];
  const command = ["git", ...repository, "-c", "core.fsmonitor=false", "--literal-pathspecs"];
  const { exitCode, problem, stdout } = await system.captureChild(
    [...command, "ls-files", "-z", "--", basename(folder)],
    { cwd: above, timeout: gitTimeout, signal: system.signal },
  );
  const [tracked] = stdout.split("\0");
  if (exitCode === 0 && !tracked) return;
  const reason =
    exitCode === 0
      ? `git tracks ${join(above, tracked as string)}: a journal in a repository is no record of what this machine sent`
      : `the state directory ${folder} is in the repository ${root}, and git cannot tell whether it tracks files there: it ${problem ?? `failed (${exitCode})`}`;
  throw new Failure("usage", reason, { hint: elsewhere });
}
