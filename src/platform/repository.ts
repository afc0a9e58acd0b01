// Finds the repository of a folder, and the links that lead out of it. A pull request can add a link: it must not make the
// tool read a secret of this machine and quote it in an error.
import { dirname, join, sep } from "node:path";
import { codeOf, Failure } from "../failure.ts";
import type { Files, System } from "./context.ts";

type RepositoryFiles = Pick<Files, "lstatSync" | "realpathSync">;

/** The nearest folder with a `.git`, from `cwd` up; undefined without one. Throws a `Failure` "usage". */
export function findRepository({
  files,
  system: { cwd },
}: {
  readonly files: Pick<Files, "lstatSync">;
  readonly system: Pick<System, "cwd">;
}): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (hasGit(files, folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function hasGit(files: Pick<Files, "lstatSync">, folder: string): boolean {
  try {
    return files.lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const code = codeOf(error);
    // The path is no folder, or leads to itself: the caller reports it when it reads the file.
    if (code === "ENOTDIR" || code === "ELOOP" || code === "ENAMETOOLONG") return false;
    throw new Failure("usage", `the folder ${folder} cannot be read (${code})`, {
      hint: "check its permissions, or go to another folder",
      cause: error,
    });
  }
}

/**
 * Returns a check of an absolute path: whether it lies in a repository, and a symbolic link on it leads out of that.
 * The repository is that of the file, whatever the working directory is.
 */
export function createLinkCheck(files: RepositoryFiles): (path: string) => boolean {
  /** The repositories of each folder, kept because most files have their folder in common. */
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const folder = dirname(path);
    const roots = known.get(folder) ?? rootsOf(files, folder);
    known.set(folder, roots);
    if (roots.length === 0) return false;
    // The caller reports a missing file when it reads it. A new file lies in its folder.
    const real = realPath(files, path) ?? realPath(files, folder);
    return real !== undefined && roots.some((root) => !isWithin(root, real));
  };
}

/** The real paths of the repositories of a folder: a folder on its path may be a link into another one. */
function rootsOf(files: RepositoryFiles, folder: string): readonly string[] {
  return [...new Set([folder, realPath(files, folder) ?? folder])].flatMap((cwd) => {
    try {
      const root = findRepository({ files, system: { cwd } });
      return root === undefined ? [] : [realPath(files, root) ?? root];
    } catch {
      // The caller reports an unreadable folder, together with all others.
      return [];
    }
  });
}

function realPath(files: RepositoryFiles, path: string): string | undefined {
  try {
    return files.realpathSync(path);
  } catch {
    return undefined;
  }
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
