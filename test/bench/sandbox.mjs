// The sandbox in a process of its own, for a benchmark.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";

/** `env`: the variables of a client. Its limit is more than a benchmark sends. */
export async function startSandbox(folder) {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "sandbox-program.ts"),
    platform: "node",
    logLevel: "warn",
  });
  const file = join(folder, "sandbox.mjs");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  const child = spawn(process.execPath, [file, "1000000", "1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, "line");
  return {
    env: JSON.parse(first),
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
