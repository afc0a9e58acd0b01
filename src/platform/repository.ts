// The repository that the working directory is in, and what leaves it. A checkout is written by everyone who can
// open a pull request: a link in it must not have a secret of this machine read, and shown as a faulty file.
import { dirname, join, sep } from "node:path";
import type { Context } from "./context.ts";

type Place = Pick<Context, "files" | "cwd">;

/** The nearest folder with a `.git`, from the working directory up; undefined where there is none. */
export function findRepository({ files, cwd }: Place): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (files.lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Tells of an absolute path inside the repository whether a symbolic link on it leads out. */
export function createLinkCheck(place: Place): (path: string) => boolean {
  const root = findRepository(place);
  if (root === undefined) return () => false;
  const realRoot = place.files.realpathSync(root);
  return (path) => {
    if (!isWithin(root, path)) return false;
    try {
      return !isWithin(realRoot, place.files.realpathSync(path));
    } catch {
      // What is not there is told by whoever reads it.
      return false;
    }
  };
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
