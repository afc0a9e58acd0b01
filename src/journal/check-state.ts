// Checks the state directory before anything in it is believed: its files decide whether a create is sent.
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, Reporter, System } from "../platform/context.ts";
import { findRepository } from "../platform/repository.ts";
import { foldersAbove, isTrustedOwner } from "../platform/trusted-folders.ts";
import { othersMayWrite, StoreHint, unusable, unwritable } from "./journal-errors.ts";

export interface StateCheckDeps extends Pick<Reporter, "warn"> {
  readonly files: Pick<Files, "lstatSync" | "readlinkSync" | "realpathSync" | "statSync">;
  readonly system: Pick<System, "captureChild" | "env" | "signal" | "user">;
}

const subfolders = ["journal", "seen"] as const;

/** Milliseconds that git gets. */
const gitTimeout = 10_000;

const elsewhere = new StoreHint("name a directory outside of the checkout with INCIDENT_CLI_STATE_DIR");

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
  // A directory that is gone may have been moved away.
  if (root === undefined) return checkParents(deps, folder);
  if (!root.isDirectory()) throw unwritable(folder, "it is not a directory");
  let isAccepted = false;
  for (const path of [folder, ...subfolders.map((name) => join(folder, name))]) {
    const stat = files.statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !isShared(stat, system)) continue;
    const problem = othersMayWrite(path);
    const container = path === folder ? acceptedInContainer(deps) : undefined;
    if (container === undefined) throw problem;
    isAccepted = true;
    deps.warn(`${problem.message}; ${container}`);
  }
  if (!isAccepted) checkParents(deps, folder);
  const real = files.realpathSync(folder);
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
 * Another user can put another state directory in the place of this one through a folder or a link above it. Exempt:
 * groups, because many systems give each user one of their own. A container holds no other user, and its folders often
 * belong to a user of the host or have an open mask.
 */
function checkParents(deps: StateCheckDeps, folder: string): void {
  const { system, warn } = deps;
  const found = system.user === undefined ? undefined : findReplaceable(deps, folder);
  if (found === undefined) return;
  const message = `${found.problem}, so the state directory ${folder} can be replaced`;
  const container = acceptedInContainer(deps);
  if (container === undefined) throw new Failure("usage", message, { hint: new StoreHint(found.hint) });
  warn(`${message}; ${container}`);
}

/** The first place on the way to `folder` that another user can replace, and its correction. */
function findReplaceable(
  deps: StateCheckDeps,
  folder: string,
): { readonly problem: string; readonly hint: string } | undefined {
  const { files, system } = deps;
  for (const { path, stat } of foldersAbove(files, folder)) {
    const entry = files.lstatSync(path);
    if (!isTrustedOwner(stat.uid, system.user) || !isTrustedOwner(entry.uid, system.user))
      return {
        problem: `${path} belongs to another user`,
        hint: "with INCIDENT_CLI_STATE_DIR, name a directory whose folders up to / belong to you or to root",
      };
    if ((stat.mode & 0o002) !== 0 && (stat.mode & 0o1000) === 0)
      return {
        problem: `everyone may write to ${path}`,
        hint: `run chmod o-w ${path}, or name another directory with INCIDENT_CLI_STATE_DIR`,
      };
    if (!entry.isSymbolicLink()) continue;
    const target = resolve(files.realpathSync(dirname(path)), files.readlinkSync(path));
    const found = findReplaceable(deps, target);
    if (found !== undefined) return found;
  }
  return undefined;
}

const containerFiles = ["/.dockerenv", "/run/.containerenv"] as const;

/** The runtimes of containers with one user. Those of whole systems, such as lxc and systemd-nspawn, have several. */
const runtimes: readonly (string | undefined)[] = ["oci", "docker", "podman"];

/**
 * The words that accept a folder of a container, and how it is known: by a file of Docker or Podman, which only root can
 * make, or by a variable of the runtime or of Kubernetes. Who sets variables can name another state directory as well.
 */
export function acceptedInContainer({
  files,
  system: { env = {} },
}: {
  readonly files: Pick<Files, "statSync">;
  readonly system: Partial<Pick<System, "env">>;
}): string | undefined {
  const isThere = (path: string) => files.statSync(path, { throwIfNoEntry: false }) !== undefined;
  const variables = [
    ...(env.KUBERNETES_SERVICE_HOST === undefined ? [] : ["KUBERNETES_SERVICE_HOST is set"]),
    ...(runtimes.includes(env.container) ? [`container is ${env.container}`] : []),
  ];
  const mark = variables[0] ?? containerFiles.find(isThere);
  return mark && `accepted, because a container has one user (${mark})`;
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
