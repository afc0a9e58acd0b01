// A sandbox in a child process.
import { execa } from "execa";
import { command, node } from "../built/program.ts";
import { temporaryFolder } from "./incident.ts";

/**
 * `use` gets the environment variables for commands, with the sandbox as the service and a temporary state directory.
 */
export async function withSandbox(
  use: (service: Readonly<Record<string, string>>) => Promise<void>,
  flags: readonly string[] = [],
): Promise<void> {
  const child = execa(node, [command, "sandbox", ...flags], { reject: false, stdin: "ignore" });
  try {
    const output = await new Promise<string>((resolve, reject) => {
      let text = "";
      void child.then(() => reject(new Error(`the sandbox ended: ${text}`)));
      child.stderr.on("data", (chunk: Buffer) => {
        text += chunk;
        if (text.includes("incident create")) resolve(text);
      });
    });
    const variables = [...output.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
    await use({ ...Object.fromEntries(variables), INCIDENT_CLI_STATE_DIR: temporaryFolder() });
  } finally {
    child.kill("SIGINT");
    await child;
  }
}
