// The sandbox in a process of its own, for a benchmark.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";

/** More than a benchmark sends. */
export const noLimit = { requests: 1_000_000, seconds: 1 };

/** `env`: the variables of a client. `refused`: how many requests the sandbox has answered with 429. */
export async function startSandbox(folder, { requests, seconds } = { requests: 600, seconds: 60 }) {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "sandbox-program.ts"),
    platform: "node",
    logLevel: "warn",
  });
  const file = join(folder, "sandbox.mjs");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  const child = spawn(process.execPath, [file, String(requests), String(seconds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, "line");
  let refused = 0;
  lines.on("line", () => {
    refused += 1;
  });
  return {
    env: JSON.parse(first),
    refused: () => refused,
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
