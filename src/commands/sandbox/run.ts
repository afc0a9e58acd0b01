// `incident sandbox`: the service of the spec on this machine, for rehearsals. A command that is given runs against it
// with the sandbox pin, under which the tool refuses every other base URL.
import { join, resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context, Reporter, System } from "../../platform/context.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { createSandbox, type RequestLogEntry } from "../../sandbox/app.ts";
import { createFaults } from "../../sandbox/faults.ts";
import { type SandboxServer, serveSandbox } from "../../sandbox/server.ts";
import { type FileStorage, openStorage, type Storage } from "../../sandbox/storage.ts";
import { StorageInUseError } from "../../sandbox/storage-lock.ts";
import { environmentVariables } from "../../settings/environment-variables.ts";
import type { FlagsOf, Run } from "../define-command.ts";
import { checkExpectations, createTally, summaryOf } from "./expectations.ts";
import { readScenario } from "./scenario.ts";
import type { spec } from "./spec.ts";

/** The credentials of the sandbox. The key is not secret: no other service accepts it. */
const access = {
  apiKey: "sandbox-key-0123456789",
  accountId: "11111111-2222-4333-8444-555555555555",
} as const;

export const run: Run<typeof spec> = async (context, { operands, flags: given }) => {
  const { faults, seed, expectations, ...options } = await readScenario(context, given);
  if (operands.length === 0 && expectations.exit !== undefined) {
    throw new Failure("usage", "there is no command whose exit code could be expected", {
      hint: "add the command after --, or leave exit out of what is expected",
    });
  }
  const tally = createTally();
  const storage = given.data === undefined ? undefined : await openDataFile(context, given.data);
  const sandbox = createSandbox({
    ...access,
    ...options,
    clock: context.system.clock,
    random: context.system.random,
    faults: createFaults(faults, seed),
    ...(storage && { storage: withWarning(context, storage) }),
    onRequest: (entry) => {
      tally.record(entry);
      context.info(describe(entry));
    },
  });
  const server = await serveSandbox(sandbox, listenAddress(context, given)).catch((error: unknown) => {
    storage?.close();
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
  { host = "127.0.0.1", port = 0 }: FlagsOf<typeof spec>,
) {
  if (!isLoopback(host.includes(":") ? `[${host}]` : host)) {
    warn(
      `the sandbox listens on ${host}: everyone who can reach this machine can use it, because its key is public`,
    );
  }
  return { host, port };
}

async function openDataFile(
  { files, system, warn }: Pick<Context, "files" | "system"> & Pick<Reporter, "warn">,
  file: string,
): Promise<FileStorage> {
  try {
    const storage = await openStorage(files, resolve(system.cwd, file));
    if (storage.isTorn)
      warn(`${file} ends in the middle of an incident that was never answered; it is left out`);
    return storage;
  } catch (error) {
    throw new Failure("usage", `incidents cannot be kept in ${file}: ${messageOf(error)}`, {
      hint:
        error instanceof StorageInUseError
          ? "stop that sandbox, or give this one another file with --data"
          : "name a file of an earlier --data, or one that does not exist yet in a folder that does",
    });
  }
}

/** Warns of each incident that cannot be stored, so that the log explains why its create fails. */
function withWarning({ warn }: Pick<Reporter, "warn">, { incidents, append }: Storage): Storage {
  return {
    incidents,
    append: (incident) => {
      try {
        append(incident);
      } catch (error) {
        warn(`an incident cannot be kept, so its create fails: ${messageOf(error)}`);
        throw error;
      }
    },
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
      [environmentVariables.sandboxPin]: server.url,
      [environmentVariables.stateDirectory]: state,
      // A profile or a key file of the environment belongs to another service.
      [environmentVariables.profile]: "",
      [environmentVariables.apiKeyFile]: "",
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
    [environmentVariables.baseUrl]: server.url,
    [environmentVariables.apiKey]: access.apiKey,
    [environmentVariables.account]: access.accountId,
  };
}

function describe({ method, path, status, fault }: RequestLogEntry): string {
  return `sandbox: ${method} ${path} ${status}${fault === undefined ? "" : ` (fault ${fault})`}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
