// `incident sandbox`: the service of the spec on this machine, for rehearsals. A command that is given runs against it
// with the sandbox pin, under which the tool refuses every other base URL.
import { once } from "node:events";
import { Failure, tryTo } from "../failure.ts";
import type { CommandSpec, Run, RunContext } from "../kit/command.ts";
import { flag } from "../kit/flags.ts";
import { makeTemporaryFolder } from "../platform/folders.ts";
import { safe } from "../platform/terminal/safe-text.ts";
import type { RequestLogEntry, Sandbox } from "../sandbox/app.ts";
import { createFaults, type Fault, faultGrammar, faultMeanings, parseFault } from "../sandbox/faults.ts";
import type { SandboxServer } from "../sandbox/server.ts";
import { shellWord } from "../text/advice.ts";
import { countOf } from "../text/lengths.ts";
import { defaultAccountHeader, environmentVariables } from "../workspace/settings.ts";

export const spec = {
  operands: "[command...]",
  flags: {
    fault: flag.list("--fault <fault>", "inject a fault, such as create#1:drop-after-commit (repeatable)"),
    onlySpec: flag.switch("--only-spec", "be a service that can only create and read incidents"),
  },
  result: "text",
  examples: {
    "incident sandbox": "serve until Ctrl-C, and print how to use it",
    "incident sandbox -- ./runbook.sh": "run a command against it; exits with its code",
    "incident sandbox --fault create#1:drop-after-commit -- ./runbook.sh": "a drill: with a fault",
  },
  notes: `A fault is ${faultGrammar}. The kinds:

${faultMeanings.map(([kind, meaning]) => `  ${kind.padEnd(28)}${meaning}`).join("\n")}`,
} as const satisfies CommandSpec;

/** The credentials of the sandbox. The key is not secret: no other service accepts it. */
const access = {
  apiKey: "sandbox-key-0123456789",
  accountId: "11111111-2222-4333-8444-555555555555",
} as const;

export const run: Run<typeof spec> = async (context, { operands, flags }) => {
  const { createSandbox } = await import("../sandbox/app.ts");
  const { serveSandbox } = await import("../sandbox/server.ts");
  const sandbox = createSandbox({
    ...access,
    onlySpec: flags.onlySpec,
    clock: context.system.clock,
    random: context.system.random,
    faults: createFaults(readFaults(flags.fault ?? [])),
    onRequest: (entry) => {
      // The stop of the sandbox closes the connections of clients that still wait.
      if (entry.status === "left" && context.system.signal.aborted) return;
      context.info(describe(entry));
    },
  });
  const state = makeTemporaryFolder(context, "sandbox");
  const server = await serveSandbox(sandbox);
  try {
    const exitCode = await (operands.length === 0
      ? serve(context, server, state)
      : rehearse(context, server, state, operands));
    context.info(`sandbox: ${summaryOf(sandbox, exitCode)}`);
    return { prints: { text: () => safe`` }, exitCode };
  } finally {
    await server.close();
    // A program that the command left can still write to it.
    tryTo(() => context.files.rmSync(state, { recursive: true, force: true }));
  }
};

function readFaults(texts: readonly string[]): readonly Fault[] {
  return texts.map((text) => {
    const parsed = parseFault(text);
    if (typeof parsed !== "string") return parsed;
    throw new Failure("usage", `--fault: ${parsed}`, {
      hint: "see incident sandbox --help",
    });
  });
}

async function serve({ info, system: { signal } }: RunContext, server: SandboxServer, state: string) {
  info(`sandbox at ${server.url}; stop it with Ctrl-C. The status page: ${server.url}/`);
  info("To use it, in another terminal:");
  const variables = Object.entries(sandboxVariables(server, state));
  for (const [name, value] of variables) info(`  export ${name}=${shellWord(value)}`);
  info("  incident create -f FILE");
  if (!signal.aborted) await once(signal, "abort");
  return 0;
}

async function rehearse(
  { info, system }: RunContext,
  server: SandboxServer,
  state: string,
  command: readonly string[],
) {
  info(`sandbox: no customer sees its incidents; status page: ${server.url}/`);
  const env = rehearsalVariables(server, state);
  const { cwd, signal } = system;
  const { exitCode, problem } = await system.runChild(command, { cwd, env, signal });
  if (problem === undefined) return exitCode;
  throw new Failure("usage", `the command could not be started: ${problem}`, {
    hint: "check its name and its permission to execute; write the command and its arguments after --",
  });
}

function summaryOf(sandbox: Sandbox, exitCode: number): string {
  const { requests, created, updates, duplicates, rateLimited } = sandbox.statistics();
  return [
    countOf(requests, "request"),
    countOf(created, "incident"),
    ...(updates === 0 ? [] : [countOf(updates, "added update")]),
    countOf(duplicates, "duplicate"),
    ...(rateLimited === 0 ? [] : [`${rateLimited} answered with 429`]),
    ...(exitCode === 0 ? [] : [`the command ended with ${exitCode}`]),
  ].join(", ");
}

function describe({ method, path, status, fault }: RequestLogEntry): string {
  const outcome = status === "left" ? "the client stopped waiting" : status;
  const cause = fault === undefined ? "" : ` (fault ${fault})`;
  return `sandbox: ${method} ${path} ${outcome}${cause}`;
}

/** With a journal of its own in the folder `state`: that of this machine stays without its incidents. */
function sandboxVariables({ url }: SandboxServer, state: string): Record<string, string> {
  return {
    [environmentVariables.baseUrl]: url,
    [environmentVariables.apiKey]: access.apiKey,
    [environmentVariables.accountId]: access.accountId,
    [environmentVariables.stateDirectory]: state,
    [environmentVariables.journal]: "folder",
  };
}

/** Pins a child process to the sandbox. */
function rehearsalVariables(server: SandboxServer, state: string): Record<string, string> {
  return {
    ...sandboxVariables(server, state),
    [environmentVariables.accountHeader]: defaultAccountHeader,
    [environmentVariables.sandboxPin]: server.url,
    // A profile, a key file and a web application of the environment belong to another service.
    [environmentVariables.profile]: "",
    [environmentVariables.apiKeyFile]: "",
    [environmentVariables.webUrl]: `${server.url}/#incident-{id}`,
  };
}
