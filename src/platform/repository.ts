// Finds the repository of a folder, and the links that lead out of it. A pull request can add a link: it must not make the
// tool read a secret of this machine and quote it in an error.
import { dirname, join, sep } from "node:path";
import { tryTo } from "../failure.ts";
import type { Files } from "./context.ts";

export type RepositoryFiles = Pick<Files, "lstatSync" | "realpathSync">;

/** The nearest folder with a `.git`, from `folder` up; undefined without one. */
export function findRepository(files: Pick<Files, "lstatSync">, folder: string): string | undefined {
  if (hasGit(files, folder)) return folder;
  return dirname(folder) === folder ? undefined : findRepository(files, dirname(folder));
}

/** A path that is no folder, leads to itself, or cannot be searched has none: the caller reports it when it reads the file. */
function hasGit(files: Pick<Files, "lstatSync">, folder: string): boolean {
  return tryTo(() => files.lstatSync(join(folder, ".git"), { throwIfNoEntry: false })) !== undefined;
}

/** Returns a check: whether a symbolic link on an absolute path leads out of the repository that the path lies in. */
export function createLinkCheck(files: RepositoryFiles): (path: string) => boolean {
  /** The repositories of each folder, kept because most files have their folder in common. */
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const folder = dirname(path);
    const roots = known.get(folder) ?? repositoriesOf(files, folder);
    known.set(folder, roots);
    if (roots.length === 0) return false;
    // The caller reports a missing file when it reads it. A new file lies in its folder.
    const real = realPath(files, path) ?? realPath(files, folder);
    return real !== undefined && roots.some((root) => !`${real}${sep}`.startsWith(join(root, sep)));
  };
}

/** The real paths of the repositories of a folder: a folder on its path may be a link into another one. */
export function repositoriesOf(files: RepositoryFiles, folder: string): readonly string[] {
  return [...new Set([folder, realPath(files, folder) ?? folder])].flatMap((each) => {
    const root = findRepository(files, each);
    return root === undefined ? [] : [realPath(files, root) ?? root];
  });
}

function realPath(files: RepositoryFiles, path: string): string | undefined {
  return tryTo(() => files.realpathSync(path));
}
