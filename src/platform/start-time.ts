// When this process was made. Node counts from its own first instruction, and a process can be stopped before.
const fs = process.getBuiltinModule("fs");

/** In milliseconds since the epoch, to within two hundredths of a second. */
export function startTime(): number {
  return Date.now() - 1000 * Math.max(process.uptime(), ageBySystem());
}

/** In seconds; 0 where the system does not tell. */
function ageBySystem(): number {
  try {
    const [, afterName = ""] = /.*\) (.*)/s.exec(fs.readFileSync("/proc/self/stat", "latin1")) ?? [];
    // The 22nd field, the 20th after the name: in hundredths of a second since the system began.
    const begun = Number(afterName.split(" ")[19]);
    const now = Number.parseFloat(fs.readFileSync("/proc/uptime", "latin1"));
    return begun > 0 && now > 0 ? now - begun / 100 : 0;
  } catch {
    return 0;
  }
}
