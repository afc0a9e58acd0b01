// The time at which the system created this process. Node.js counts from its own first instruction, and a process can
// be suspended before that.
import { nodeFiles } from "./node-files.ts";

/** In milliseconds since the epoch, accurate to two hundredths of a second. */
export function startTime(): number {
  return Date.now() - 1000 * Math.max(process.uptime(), ageFromSystem());
}

/** In seconds; 0 on a system without /proc. */
function ageFromSystem(): number {
  try {
    const [, afterName = ""] = /.*\) (.*)/s.exec(nodeFiles.readFileSync("/proc/self/stat", "latin1")) ?? [];
    // Field 22, the 20th after the name: the start in hundredths of a second since boot.
    const start = Number(afterName.split(" ")[19]);
    const uptime = Number.parseFloat(nodeFiles.readFileSync("/proc/uptime", "latin1"));
    return start > 0 && uptime > 0 ? uptime - start / 100 : 0;
  } catch {
    return 0;
  }
}
