// The folder for the temporary folders of tests: in memory where the system has such a folder, because the command syncs
// each event to the disk. A folder in memory from which no program starts, as in a container, is of no use.
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";

export const temporaryRoot = findMemory() ?? tmpdir();

function findMemory(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const last = mounts.findLast((line) => line.split(" ")[1] === "/dev/shm");
  return last !== undefined && /^\S+ \S+ tmpfs rw\b(?!\S*\bnoexec\b)/.test(last) ? "/dev/shm" : undefined;
}
