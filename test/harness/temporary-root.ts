// The folder for the temporary folders of tests: in memory where the system has such a folder, because the command syncs
// each event to the disk. A folder from which no program starts, or with little space, as in a container, is of no use.
import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** In bytes. */
const leastSpace = 2e9;

export const temporaryRoot = findMemory() ?? tmpdir();

function findMemory(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const last = mounts.findLast((line) => line.split(" ")[1] === "/dev/shm");
  if (last === undefined || !/^\S+ \S+ tmpfs rw\b(?!\S*\bnoexec\b)/.test(last)) return undefined;
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > leastSpace ? "/dev/shm" : undefined;
}
