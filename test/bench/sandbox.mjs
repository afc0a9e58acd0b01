// The sandbox of the built command in a process of its own, for a benchmark.
import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `variables`: those of a client. Each 20 ms it looks whether the sandbox is ready, for a minute at most. */
export function startSandbox(command, folder, env) {
  const log = join(folder, "sandbox.txt");
  const output = openSync(log, "w");
  const child = spawn(process.execPath, [command, "sandbox"], { env, stdio: ["ignore", "ignore", output] });
  const said = () => readFileSync(log, "utf8");
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let look = 0; look < 3000 && !said().includes("incident create"); look += 1)
    Atomics.wait(pause, 0, 0, 20);
  if (!said().includes("incident create")) throw new Error(`the sandbox does not start: ${said()}`);
  const exported = said().matchAll(/export (\w+)=(\S+)/g);
  const variables = Object.fromEntries(Array.from(exported, ([, name, value]) => [name, value]));
  // Not SIGTERM: at its end the sandbox would write a code cache into the folder.
  return { variables, stop: () => child.kill("SIGKILL") };
}
