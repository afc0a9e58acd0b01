// `incident sandbox`: the service of the spec on this machine, for rehearsals. A command that is given runs against it
// with the sandbox pin, under which the tool refuses every other base URL.
import { join, resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context, Reporter, System } from "../../platform/context.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { createSandbox, type RequestLine } from "../../sandbox/app.ts";
import { createFaults } from "../../sandbox/faults.ts";
import { type SandboxServer, serveSandbox } from "../../sandbox/server.ts";
import { type Data, openData } from "../../sandbox/storage.ts";
import { variables } from "../../settings/variables.ts";
import type { Flags, Run } from "../define-command.ts";
import type { sandboxOptions } from "../options.ts";
import { checkExpectations, createTally, summaryOf } from "./expectations.ts";
import { readScenario } from "./scenario.ts";

/** The credentials of the sandbox. The key is not secret: no other service accepts it. */
const access = {
  apiKey: "sandbox-key-0123456789",
  accountId: "11111111-2222-4333-8444-555555555555",
} as const;

export const run: Run = async (context, { operands, flags }) => {
  const given = flags as Flags<typeof sandboxOptions>;
  const { faults, seed, expectations, ...options } = await readScenario(context, given);
  if (operands.length === 0 && expectations.exit !== undefined) {
    throw new Failure("usage", "there is no command whose exit code could be expected", {
      hint: "add the command after --, or leave exit out of what is expected",
    });
  }
  const tally = createTally();
  const storage = given.data === undefined ? undefined : openStorage(context, given.data);
  const sandbox = createSandbox({
    ...access,
    ...options,
    clock: context.system.clock,
    random: context.system.random,
    faults: createFaults(faults, seed),
    ...(storage && { kept: storage.kept, keep: warnOnFailure(context, storage.keep) }),
    onRequest: (line) => {
      tally.record(line);
      context.info(describe(line));
    },
  });
  const server = await serveSandbox(sandbox, listenAddress(context, given)).catch((error: unknown) => {
    throw new Failure("usage", `the sandbox cannot listen: ${messageOf(error)}`, {
      hint: "choose another --port, or leave it out for a free one; --host is an address of this machine",
    });
  });
  try {
    const exitCode =
      operands.length === 0 ? await serve(context, server) : await rehearse(context, server, operands);
    const counts = tally.counts(sandbox);
    context.info(`sandbox: ${summaryOf(counts, exitCode)}`);
    const failure = checkExpectations(expectations, counts, exitCode);
    if (failure !== undefined) return { failure };
    return { exitCode: expectations.exit === undefined ? (exitCode ?? 0) : 0 };
  } finally {
    await server.close();
    storage?.close();
  }
};

function listenAddress(
  { warn }: Pick<Reporter, "warn">,
  { host = "127.0.0.1", port = 0 }: Flags<typeof sandboxOptions>,
) {
  if (!isLoopback(host.includes(":") ? `[${host}]` : host)) {
    warn(
      `the sandbox listens on ${host}: whoever reaches this machine can use it, and its key is known to all`,
    );
  }
  return { host, port };
}

function openStorage(
  { files, system, warn }: Pick<Context, "files" | "system"> & Pick<Reporter, "warn">,
  file: string,
): Data {
  try {
    const data = openData(files, resolve(system.cwd, file));
    if (data.torn) warn(`${file} ends in the middle of an incident that was never answered; it is left out`);
    return data;
  } catch (error) {
    throw new Failure("usage", `incidents cannot be kept in ${file}: ${messageOf(error)}`, {
      hint: "name a file of an earlier --data, or one that does not exist yet in a folder that does",
    });
  }
}

/** Warns of each incident that cannot be stored, so that the log explains why its create fails. */
function warnOnFailure({ warn }: Pick<Reporter, "warn">, keep: Data["keep"]): Data["keep"] {
  return (kept) => {
    try {
      keep(kept);
    } catch (error) {
      warn(`an incident cannot be kept, so its create fails: ${messageOf(error)}`);
      throw error;
    }
  };
}

async function serve(
  { info, system }: { readonly system: Pick<System, "signal"> } & Pick<Reporter, "info">,
  server: SandboxServer,
): Promise<undefined> {
  const { signal } = system;
  const settings = settingsFor(server);
  info(`sandbox at ${server.url}; stop it with Ctrl-C. What customers would see: ${server.url}/`);
  info("To use it, in another terminal:");
  for (const [name, value] of Object.entries(settings)) info(`  export ${name}=${value}`);
  info("  incident create -f FILE");
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
}

async function rehearse(
  { files, system }: Pick<Context, "files" | "system">,
  server: SandboxServer,
  command: readonly string[],
): Promise<number> {
  const state = files.mkdtempSync(join(system.temporary, "incident-sandbox-"));
  try {
    const env = {
      ...settingsFor(server),
      [variables.sandboxPin]: server.url,
      [variables.stateDirectory]: state,
      // A profile or a key file of the environment belongs to another service.
      [variables.profile]: "",
      [variables.apiKeyFile]: "",
    };
    const { exitCode, problem } = await system.runChild(command, { env, signal: system.signal });
    if (problem === undefined) return exitCode;
    throw new Failure("usage", `the command could not be started: ${problem}`, {
      hint: "check its name and that it may be executed; after -- comes the command with its arguments",
    });
  } finally {
    files.rmSync(state, { recursive: true, force: true });
  }
}

function settingsFor(server: SandboxServer): Record<string, string> {
  return {
    [variables.baseUrl]: server.url,
    [variables.apiKey]: access.apiKey,
    [variables.account]: access.accountId,
  };
}

function describe({ method, path, status, fault }: RequestLine): string {
  return `sandbox: ${method} ${path} ${status}${fault === undefined ? "" : ` (fault ${fault})`}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
