// Reads a file that may hold a key, and reports whether other users can read or change it. Text and permissions come
// from the same open file, so that the file cannot be swapped in between.

import { codeOf, Failure, type FailureKind } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { type RegularFile, readRegularFile } from "../platform/regular-file.ts";
import { decodeUtf8 } from "../untrusted-data.ts";

/** In bytes. */
const maxSize = 1024 * 1024;

/** Returns undefined if the file does not exist. Throws a `Failure` of `kind` if it cannot be read as text. */
export function readPrivateFile(
  { files, system: { user } }: { readonly files: Files; readonly system: Pick<System, "user"> },
  path: string,
  kind: FailureKind,
) {
  const unusable = (problem: string, hint: string) => new Failure(kind, `${path} ${problem}`, { hint });
  let read: RegularFile | undefined;
  try {
    read = readRegularFile(files, path, maxSize);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unusable(
      `cannot be read (${code ?? error})`,
      "check the permissions of the file and its folder; in Kubernetes, fsGroup and defaultMode: 0440",
    );
  }
  if (read === undefined) throw unusable("is not a regular file", "put a regular file in its place");
  const { bytes, stat } = read;
  if (bytes.length > maxSize) throw unusable("is larger than 1 MiB", "check that it is the right file");
  const text = decodeUtf8(bytes);
  if (text === undefined) throw unusable("is not UTF-8", "save it as UTF-8, without anything else in it");
  // A container runtime mounts a secret as a file of root that the process reads through its group.
  const isContainerSecret = stat.uid === 0 && user !== 0 && (stat.mode & 0o007) === 0;
  // Without user ids, the mode has no meaning.
  const hasUsers = user !== undefined;
  return {
    text,
    isReadableByOthers: hasUsers && (stat.mode & 0o077) !== 0 && !isContainerSecret,
    isWritableByOthers: hasUsers && (stat.mode & 0o022) !== 0,
    /** The id of its owner, where that is neither this user nor root, who can change every file anyway. */
    otherOwner: !hasUsers || stat.uid === user || stat.uid === 0 ? undefined : stat.uid,
  };
}
