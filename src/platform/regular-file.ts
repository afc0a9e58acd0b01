// Reads a file and never blocks: readFileSync waits at a FIFO without a writer, a device, and a file without an end.
import type { Stats } from "node:fs";
import { codeOf } from "../failure.ts";
import { decodeUtf8 } from "../untrusted-data.ts";
import type { Files } from "./context.ts";

export type ReadDeps = Pick<Files, "closeSync" | "constants" | "fstatSync" | "openSync" | "readSync">;

/**
 * The content, of a larger file its first `limit` + 1 bytes, and the state of the open file. Undefined for a FIFO, a device or
 * a folder. Throws the error of the system, also for a missing file or a socket. `flags`: additional ones of the open.
 */
export function readRegularFile(files: ReadDeps, path: string, limit: number, flags = 0) {
  const { O_NONBLOCK, O_RDONLY } = files.constants;
  // O_NONBLOCK, so that opening a FIFO does not wait for its writer. Windows has no such flag.
  const descriptor = files.openSync(path, O_RDONLY | (O_NONBLOCK ?? 0) | flags);
  try {
    const stat = files.fstatSync(descriptor);
    if (!stat.isFile()) return undefined;
    return { bytes: readBytes(files, descriptor, limit, stat.size), stat };
  } finally {
    files.closeSync(descriptor);
  }
}

/** The largest text, in bytes. */
const longestText = 1024 * 1024;

/** A text, or the problem with the file as the end of a sentence. Undefined where there is no file. */
export function readText(
  files: ReadDeps,
  path: string,
): { readonly text: string; readonly stat: Stats } | string | undefined {
  try {
    const read = readRegularFile(files, path, longestText);
    if (read === undefined) return "is not a regular file";
    const { bytes, stat } = read;
    if (bytes.length > longestText) return "is larger than 1 MiB";
    const text = decodeUtf8(bytes);
    return text === undefined ? "is not UTF-8" : { text, stat };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : `cannot be read (${code})`;
  }
}

/** Reads to the end: files of /proc have the size 0, and a file can grow meanwhile. */
function readBytes(files: ReadDeps, descriptor: number, limit: number, size: number): Uint8Array {
  const most = limit + 1;
  let buffer = Buffer.alloc(Math.min(Math.max(size + 1, 1024), most));
  let length = 0;
  for (;;) {
    const read = files.readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0 || length === most) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(most, 2 * length));
  }
}
