// Finds the repository of the working directory, and the links that lead out of it. Anyone who can open a pull request
// can add a link: it must not make the tool read a secret of this machine and quote it in an error.
import { dirname, join, sep } from "node:path";
import type { Files, System } from "./context.ts";

interface RepositoryDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd">;
}

/** The nearest folder with a `.git`, from the working directory up; undefined without one. */
export function findRepository({
  files,
  system: { cwd },
}: {
  readonly files: Pick<Files, "lstatSync">;
  readonly system: Pick<System, "cwd">;
}): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (files.lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Returns a check of an absolute path in the repository: whether a symbolic link on it leads out. */
export function createLinkCheck(deps: RepositoryDeps): (path: string) => boolean {
  const root = findRepository(deps);
  if (root === undefined) return () => false;
  const realRoot = deps.files.realpathSync(root);
  return (path) => {
    if (!isWithin(root, path)) return false;
    try {
      return !isWithin(realRoot, deps.files.realpathSync(path));
    } catch {
      // The caller reports a missing file when it reads it.
      return false;
    }
  };
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
