// A private file of names that only grows, so that the newest are read without the others. It is a hint: a crash may
// leave the name of an event that was never written, and a power failure may lose a name that is not durable.
import type { Files } from "./context.ts";
import { writeAll } from "./write-all.ts";

/** The bytes to read for each wanted name. They are more than a name has, because the list can have a name twice. */
const bytesEach = 64;

/** The newest names, the newest first; undefined where there is no list, or its names were lost. With Infinity, some may be there twice. */
export function readNewestNames(files: Files, path: string, limit: number): readonly string[] | undefined {
  const { O_NOFOLLOW, O_NONBLOCK = 0, O_RDONLY } = files.constants;
  let descriptor: number;
  try {
    descriptor = files.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { size } = files.fstatSync(descriptor);
    if (size === 0) return undefined;
    const start = Math.max(0, size - limit * bytesEach);
    const bytes = Buffer.alloc(size - start);
    const length = files.readSync(descriptor, bytes, 0, bytes.length, start);
    const lines = bytes.toString("latin1", 0, length).split("\n");
    const names = lines.filter((name, index) => name !== "" && (start === 0 || index > 0)).reverse();
    return limit === Number.POSITIVE_INFINITY ? names : [...new Set(names)].slice(0, limit);
  } finally {
    files.closeSync(descriptor);
  }
}

/** Adds names to a list. With `starts`, it makes the list if there is none yet; with `isDurable`, it waits for the disk. */
export function addNames(
  files: Files,
  path: string,
  names: readonly string[],
  { isDurable = false, starts = false } = {},
): void {
  if (names.length === 0) return;
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = files.constants;
  try {
    const flags = O_WRONLY | O_APPEND | O_NOFOLLOW | (starts ? O_CREAT : 0);
    const descriptor = files.openSync(path, flags, 0o600);
    try {
      // The line feed comes first, so that a torn name damages no other.
      writeAll(files, descriptor, Buffer.from(names.map((name) => `\n${name}`).join("")));
      if (isDurable) files.fsyncSync(descriptor);
    } finally {
      files.closeSync(descriptor);
    }
  } catch {
    // There is no list, or the disk is full: the next pass of pruning completes the list.
  }
}
