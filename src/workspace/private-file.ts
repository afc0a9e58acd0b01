// Reads a file that may hold a key. One that other users can change is refused, or read, where it holds one. Text and
// permissions come from the same open file, which cannot be swapped in between.

import { codeOf, Failure, type FailureKind } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import { type RegularFile, readRegularFile } from "../platform/regular-file.ts";
import { shellWord } from "../text/advice.ts";
import { decodeUtf8 } from "../untrusted-data.ts";

/** In bytes. */
const maxSize = 1024 * 1024;

/** Undefined if the file does not exist. Throws a `Failure` of `kind` if it cannot be read as text. */
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
  // Without user ids, the mode has no meaning.
  if (user === undefined) return { text, otherOwner: undefined, refuseIfExposed: () => undefined };
  // A container runtime mounts a secret as a file of root that the process reads through its group.
  const isContainerSecret = stat.uid === 0 && user !== 0 && (stat.mode & 0o007) === 0;
  const exposed = (problem: string) =>
    new Failure("credentials", `${path} ${problem}`, {
      hint: `run chmod 600 ${shellWord(path)}; for a container's secret, set its mode to 0400 where it is declared`,
    });
  if ((stat.mode & 0o022) !== 0) throw exposed("can be changed by other users");
  return {
    text,
    /** The id of its owner, where that is neither this user nor root, who can change every file anyway. */
    otherOwner: stat.uid === user || stat.uid === 0 ? undefined : stat.uid,
    /** Call it where the file holds a secret. */
    refuseIfExposed: (): void => {
      if ((stat.mode & 0o077) !== 0 && !isContainerSecret)
        throw exposed("holds a key and can be read by other users");
    },
  };
}
