// Reads a file of the state directory, which decides whether a create is sent: only a regular file of this user counts.

import { codeOf, messageOf } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { untrusted } from "../journal-errors.ts";

export interface ReadDeps {
  readonly files: Pick<
    Files,
    "closeSync" | "constants" | "fstatSync" | "lstatSync" | "openSync" | "readSync"
  >;
  readonly system: Pick<System, "user">;
}

/** The largest file of the state directory, in bytes, for its readers and its writers. */
export const sizeLimit = 16 * 1024 * 1024;

/** Undefined where there is none. Throws a `Failure` for a file that cannot be trusted. */
export function readPrivateFile({ files, system }: ReadDeps, path: string): string | undefined {
  let read: ReturnType<typeof readRegularFile>;
  try {
    // Most names that are looked up do not exist, and an error takes longer than a look.
    if (files.lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    read = readRegularFile(files, path, sizeLimit, files.constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw untrusted(path, codeOf(error) === "ELOOP" ? "it is a symbolic link" : messageOf(error));
  }
  if (read === undefined) throw untrusted(path, "it is not a regular file");
  const { bytes, stat } = read;
  if (system.user !== undefined && stat.uid !== system.user)
    throw untrusted(path, "it belongs to another user");
  if (bytes.length > sizeLimit) throw untrusted(path, "it is larger than anything written here");
  // A snapshot is long: its bytes are not copied.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
