// Whether other users can replace a file: by the owner and the mode of every folder above it. A profile can name a
// command to run, and a code cache is run as it is, so both are read only from such a place.
import { dirname } from "node:path";
import type { Files } from "./context.ts";

export interface FolderProblem {
  readonly folder: string;
  /** Continues a sentence: the folder … */
  readonly problem: "belongs to another user" | "can be changed by other users";
}

export interface FolderDeps {
  readonly files: Pick<Files, "realpathSync" | "statSync">;
  /** This user's numeric id; undefined on systems without one, where every folder is trusted. */
  readonly user: number | undefined;
}

/**
 * The first folder on the absolute path of `folder`, or on its real path, in which other users can replace an entry.
 * A folder that does not exist is skipped: its creator owns it. Throws an error of the system for a folder that cannot
 * be looked at.
 */
export function findUntrustedFolder({ files, user }: FolderDeps, folder: string): FolderProblem | undefined {
  if (user === undefined) return undefined;
  let existing = folder;
  while (
    files.statSync(existing, { throwIfNoEntry: false }) === undefined &&
    dirname(existing) !== existing
  ) {
    existing = dirname(existing);
  }
  const real = files.realpathSync.native(existing);
  for (const path of real === existing ? [real] : [existing, real]) {
    for (let each = path; ; each = dirname(each)) {
      const { uid, mode } = files.statSync(each);
      if (!isTrustedOwner(uid, user)) return { folder: each, problem: "belongs to another user" };
      if (isOpen(mode)) return { folder: each, problem: "can be changed by other users" };
      if (dirname(each) === each) break;
    }
  }
  return undefined;
}

/** This user, or root, who can change every file anyway. */
export function isTrustedOwner(uid: number, user: number | undefined): boolean {
  return user === undefined || uid === user || uid === 0;
}

/** In a folder with the sticky bit, such as /tmp, other users can add entries but replace only their own. */
function isOpen(mode: number): boolean {
  return (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
}
