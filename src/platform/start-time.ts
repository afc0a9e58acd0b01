// Times since the machine started: of this instant, and of this process. Node counts from its own first instruction,
// and a process can be stopped before.
import type { System } from "./context.ts";
import { nodeFiles } from "./node-files.ts";
import { readRegularFile } from "./regular-file.ts";

/** The kernel counts the start of a process in hundredths of a second. */
const tick = 10;

/** Gives undefined where the system does not say: only Linux does. */
export function createBootTime(): System["bootTime"] {
  let boot: string | undefined;
  return (of) => {
    try {
      boot ??= readProc("/proc/sys/kernel/random/boot_id").trim();
      const elapsed = of === "now" ? uptime() : startTime();
      return elapsed > 0 ? { boot, elapsed } : undefined;
    } catch {
      return undefined;
    }
  };
}

function uptime(): number {
  return Math.round(1000 * Number.parseFloat(readProc("/proc/uptime")));
}

/** The 22nd field, the 20th after the name. */
function startTime(): number {
  const [, afterName = ""] = /.*\) (.*)/s.exec(readProc("/proc/self/stat")) ?? [];
  return tick * Number(afterName.split(" ")[19]);
}

function readProc(file: string): string {
  return Buffer.from(readRegularFile(nodeFiles, file, 4096)?.bytes ?? []).toString("latin1");
}
