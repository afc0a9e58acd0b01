// Reads a file of the state directory, which decides whether a create is sent: only a regular file of this user counts.
import { Failure } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import { codeOf, messageOf, untrusted } from "../journal-errors.ts";

export interface ReadDeps {
  readonly files: Pick<
    Files,
    "closeSync" | "constants" | "fstatSync" | "lstatSync" | "openSync" | "readSync"
  >;
  readonly system: Pick<System, "user">;
}

/** Larger than any entry that is written here, in bytes. */
const sizeLimit = 16 * 1024 * 1024;

/** Undefined where there is none. Throws a `Failure` for a file that cannot be trusted. */
export function readPrivateFile(deps: ReadDeps, path: string): string | undefined {
  const { files } = deps;
  const { O_NOFOLLOW, O_NONBLOCK = 0, O_RDONLY } = files.constants;
  let descriptor: number;
  try {
    // Most names that are looked up do not exist, and an error takes longer than a look.
    if (files.lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    descriptor = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw untrusted(path, codeOf(error) === "ELOOP" ? "it is a symbolic link" : messageOf(error));
  }
  try {
    return readDescriptor(deps, descriptor, path);
  } catch (error) {
    throw error instanceof Failure ? error : untrusted(path, messageOf(error));
  } finally {
    files.closeSync(descriptor);
  }
}

function readDescriptor({ files, system }: ReadDeps, descriptor: number, path: string): string {
  const stat = files.fstatSync(descriptor);
  if (!stat.isFile()) throw untrusted(path, "it is not a regular file");
  if (system.user !== undefined && stat.uid !== system.user)
    throw untrusted(path, "it belongs to another user");
  if (stat.size > sizeLimit) throw untrusted(path, "it is larger than anything written here");
  const bytes = Buffer.alloc(stat.size);
  let read = 0;
  while (read < bytes.length) {
    const count = files.readSync(descriptor, bytes, read, bytes.length - read, null);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read).toString("utf8");
}
