// Reads a text file whole, and refuses anything that could block or never end: a FIFO, a device, a huge file.
import type { Files } from "./context.ts";

/** In bytes. */
const maxSize = 1024 * 1024;

/** Throws an error with a code if the file is missing, no regular file, or larger than 1 MiB. */
export function readRegularFile(
  files: Pick<Files, "closeSync" | "constants" | "fstatSync" | "openSync" | "readFileSync">,
  path: string,
): string {
  const { O_NONBLOCK, O_RDONLY } = files.constants;
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  const descriptor = files.openSync(path, O_RDONLY | (O_NONBLOCK ?? 0));
  try {
    const stat = files.fstatSync(descriptor);
    if (!stat.isFile()) throw Object.assign(new Error(`${path} is not a regular file`), { code: "EINVAL" });
    if (stat.size > maxSize)
      throw Object.assign(new Error(`${path} is larger than 1 MiB`), { code: "EFBIG" });
    return files.readFileSync(descriptor, "utf8");
  } finally {
    files.closeSync(descriptor);
  }
}
