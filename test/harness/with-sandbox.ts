// A sandbox in a child process.
import { execa } from "execa";
import { temporaryFolder } from "./incident.ts";

/**
 * `command` is the built command or the single executable. `use` gets the environment variables for commands, with the
 * sandbox as the service and a temporary state directory.
 */
export async function withSandbox(
  command: string,
  use: (service: Readonly<Record<string, string>>) => Promise<void>,
  flags: readonly string[] = [],
): Promise<void> {
  const [file, ...args] = command.endsWith(".cjs") ? [process.execPath, command] : [command];
  const child = execa(file as string, [...args, "sandbox", ...flags], { reject: false, stdin: "ignore" });
  try {
    const output = await new Promise<string>((resolve) => {
      let text = "";
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
