// `incident sandbox`: the service of the spec on this machine, for rehearsals. A command that is given runs against it
// with the sandbox pin, under which the tool refuses every other base URL.
import { once } from "node:events";
import { Failure } from "../failure.ts";
import type { CommandSpec, Run, RunContext } from "../kit/command.ts";
import { flag } from "../kit/flags.ts";
import { makeTemporaryFolder } from "../platform/folders.ts";
import { safe } from "../platform/terminal/safe-text.ts";
import type { RequestLogEntry, Sandbox } from "../sandbox/app.ts";
import { createFaults, type Fault, faultGrammar, faultMeanings, parseFault } from "../sandbox/faults.ts";
import type { SandboxServer } from "../sandbox/server.ts";
import { advise, argv } from "../text/advice.ts";
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
  const server = await serveSandbox(sandbox);
  try {
    const exitCode =
      operands.length === 0 ? await serve(context, server) : await rehearse(context, server, operands);
    context.info(`sandbox: ${summaryOf(sandbox, exitCode)}`);
    return { prints: { text: () => safe`` }, exitCode };
  } finally {
    await server.close();
  }
};

function readFaults(texts: readonly string[]): readonly Fault[] {
  return texts.map((text) => {
    const parsed = parseFault(text);
    if (typeof parsed !== "string") return parsed;
    throw new Failure("usage", `--fault: ${parsed}`, {
      hint: advise`see ${argv`incident sandbox --help`}`,
    });
  });
}

async function serve({ info, system: { signal } }: RunContext, server: SandboxServer): Promise<number> {
  info(`sandbox at ${server.url}; stop it with Ctrl-C. The status page: ${server.url}/`);
  info("To use it, in another terminal:");
  for (const [name, value] of Object.entries(sandboxVariables(server))) info(`  export ${name}=${value}`);
  info("  incident create -f FILE");
  if (!signal.aborted) await once(signal, "abort");
  return 0;
}

async function rehearse(context: RunContext, server: SandboxServer, command: readonly string[]) {
  const { files, system } = context;
  context.info(`sandbox: no customer sees its incidents; the status page: ${server.url}/`);
  const state = makeTemporaryFolder(context, "sandbox");
  try {
    const env = rehearsalVariables(server, state);
    const { exitCode, problem } = await system.runChild(command, {
      cwd: system.cwd,
      env,
      signal: system.signal,
    });
    if (problem === undefined) return exitCode;
    throw new Failure("usage", `the command could not be started: ${problem}`, {
      hint: "check its name and its permission to execute; write the command and its arguments after --",
    });
  } finally {
    files.rmSync(state, { recursive: true, force: true });
  }
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
  return `sandbox: ${method} ${path} ${outcome}${fault === undefined ? "" : ` (fault ${fault})`}`;
}

function sandboxVariables({ url }: SandboxServer): Record<string, string> {
  return {
    [environmentVariables.baseUrl]: url,
    [environmentVariables.apiKey]: access.apiKey,
    [environmentVariables.accountId]: access.accountId,
  };
}

/** Pins a child process to the sandbox, with a journal of its own in the folder `state`. */
function rehearsalVariables(server: SandboxServer, state: string): Record<string, string> {
  return {
    ...sandboxVariables(server),
    [environmentVariables.accountHeader]: defaultAccountHeader,
    [environmentVariables.sandboxPin]: server.url,
    [environmentVariables.stateDirectory]: state,
    [environmentVariables.journal]: "folder",
    // A profile, a key file and a web application of the environment belong to another service.
    [environmentVariables.profile]: "",
    [environmentVariables.apiKeyFile]: "",
    [environmentVariables.webUrl]: `${server.url}/#incident-{id}`,
  };
}
