// `incident cache warm`: runs the common commands against a sandbox, so that the launcher keeps their code.
import { join } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context, System } from "../../platform/context.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { replaceNamedFile } from "../../platform/write-named-file.ts";
import { createSandbox } from "../../sandbox/app.ts";
import { serveSandbox } from "../../sandbox/server.ts";
import { rehearsalVariables } from "../../settings/sandbox-variables.ts";
import type { Run } from "../define-command.ts";
import type { spec } from "./spec.ts";

/** Version of the envelope that `-o json` prints. */
const formatVersion = 1;

/** The first run lists the files of a command, and the second keeps their code. */
const rounds = 2;

/** Milliseconds for one run. */
const timeLimit = 60_000;

const id = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";

const definition = `name: Checkout fails for some customers
severity: MINOR
services:
  - id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b
    name: Checkout
incidentUpdates:
  - status: RESOLVED
    description: We are looking into failed payments.
`;

/** One line for each command, in the order in which they build on each other. */
const lines: readonly (readonly string[])[] = [
  ["--help"],
  ["completion", "--words", "--", "create", "--"],
  ["validate", "new.yaml"],
  ["create", "-f", "new.yaml", "--new"],
  ["apply", "-f", "known.yaml", "--yes"],
  ["get", id],
  ["gate"],
];

export const run: Run<typeof spec> = async (context) => {
  const { files, system } = context;
  const { codeCache } = system;
  if (codeCache === undefined) {
    return report({ folder: null, commands: [] }, "this executable has no code cache: nothing to do");
  }
  const { folder, launcher } = codeCache;
  if (folder === undefined) {
    throw new Failure("usage", "there is no folder for the code cache that only you can change", {
      hint: "set XDG_CACHE_HOME to an absolute path outside of a repository",
    });
  }
  const cwd = files.mkdtempSync(join(system.temporary, "incident-cache-"));
  try {
    await context.withSpinner(
      () => "running each command twice against a sandbox",
      () => runAll(context, launcher, cwd),
    );
  } finally {
    files.rmSync(cwd, { recursive: true, force: true });
  }
  const commands = lines.map(([command = ""]) => command);
  return report({ folder, commands }, `the code of ${commands.length} commands is kept in ${folder}`);
};

function report(
  data: { readonly folder: string | null; readonly commands: readonly string[] },
  text: string,
) {
  return {
    data: { formatVersion, ...data },
    page: async (style: { readonly line: (text: string) => ReturnType<typeof safe> }) =>
      safe`${style.line(text)}\n`,
  };
}

async function runAll(
  { files, system }: { readonly files: Context["files"]; readonly system: System },
  launcher: readonly string[],
  cwd: string,
): Promise<void> {
  replaceNamedFile({ files, system }, join(cwd, "new.yaml"), definition);
  replaceNamedFile({ files, system }, join(cwd, "known.yaml"), `id: ${id}\n${definition}`);
  const access = { apiKey: "sandbox-key-0123456789", accountId: "11111111-2222-4333-8444-555555555555" };
  const sandbox = createSandbox({ ...access, clock: system.clock, random: system.random });
  const server = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 });
  const env = {
    ...definedOf(system.env),
    ...rehearsalVariables({ ...access, apiUrl: server.url }, join(cwd, "state")),
    // The settings of the user are no part of the image.
    XDG_CONFIG_HOME: cwd,
  };
  try {
    for (const line of Array.from({ length: rounds }, () => lines).flat()) {
      const options = { cwd, env, timeout: timeLimit, signal: system.signal };
      const { exitCode, problem, stderr } = await system.runProgram([...launcher, ...line], options);
      if (exitCode === 0) continue;
      throw new Failure("internal", `incident ${line.join(" ")} failed: ${problem ?? stderr}`, {
        hint: "run it by itself to see why; the commands before it are cached",
      });
    }
  } finally {
    await server.close();
  }
}

function definedOf(env: System["env"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
