// The only loop that writes all bytes of a content to a file descriptor.
import type { Files } from "./context.ts";

/** Creates a file; an existing one is an error of the system. */
export function writeNew(
  files: Pick<Files, "closeSync" | "openSync" | "writeSync">,
  path: string,
  content: Uint8Array | string,
  mode: number,
): void {
  const descriptor = files.openSync(path, "wx", mode);
  try {
    writeAll(files, descriptor, content);
  } finally {
    files.closeSync(descriptor);
  }
}

/**
 * Writes all of `content`. On a full disk, one call of writeSync can write a part without an error; the next call then
 * throws. `onWritten` gets the number of bytes written so far.
 */
export function writeAll(
  files: Pick<Files, "writeSync">,
  descriptor: number,
  content: Uint8Array | string,
  onWritten?: (count: number) => void,
): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let written = 0; written < bytes.length; ) {
    written += files.writeSync(descriptor, bytes, written);
    onWritten?.(written);
  }
}
