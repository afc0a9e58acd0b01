// Reads a file that may hold a key, and says who else could read or change it. What it says is true of the bytes
// that were read: the file is opened first and looked at then.

import { Failure, type FailureKind } from "../failure.ts";
import type { Context } from "../platform/context.ts";

export interface PrivateFile {
  readonly text: string;
  /** Whether users beside this one could read it. */
  readonly isReadableByOthers: boolean;
  /** Whether users beside this one could change it. */
  readonly isWritableByOthers: boolean;
}

const largest = 1024 * 1024;

/** Undefined where there is no such file. Throws a `Failure` of `kind` for one that cannot be read as text. */
export function readPrivateFile(
  { files, user }: Pick<Context, "files" | "user">,
  path: string,
  kind: FailureKind,
): PrivateFile | undefined {
  const unusable = (problem: string, hint: string) => new Failure(kind, `${path} ${problem}`, { hint });
  const { O_NONBLOCK, O_RDONLY } = files.constants;
  let descriptor: number;
  try {
    // O_NONBLOCK: a FIFO must not make the tool wait.
    descriptor = files.openSync(path, O_RDONLY | (O_NONBLOCK ?? 0));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unusable(`cannot be read (${code || error})`, "check the permissions of the file and its folder");
  }
  try {
    const facts = files.fstatSync(descriptor);
    if (!facts.isFile()) throw unusable("is not a regular file", "put a regular file in its place");
    if (facts.size > largest) throw unusable("is larger than 1 MiB", "check that it is the right file");
    const text = decode(files.readFileSync(descriptor));
    if (text === undefined) throw unusable("is not UTF-8", "save it as UTF-8, without anything else in it");
    // Where the system has no user ids, the mode says nothing.
    if (user === undefined) return { text, isReadableByOthers: false, isWritableByOthers: false };
    // A container's secret belongs to root and reaches another user through its group: that is how it is handed over.
    const isHandedOver = facts.uid === 0 && user !== 0 && (facts.mode & 0o007) === 0;
    return {
      text,
      isReadableByOthers: (facts.mode & 0o077) !== 0 && !isHandedOver,
      isWritableByOthers: (facts.mode & 0o022) !== 0,
    };
  } finally {
    files.closeSync(descriptor);
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
