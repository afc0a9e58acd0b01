// The harness: runs a command line in this process, with files in a temporary folder, and the real client in
// front of the in-process sandbox. Returns everything that a user and the service would see.
import * as fs from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished, TestRunner } from "vitest";
import { main } from "../../src/cli/main.ts";
import { cancellation } from "../../src/failure.ts";
import type { Transport, WireRequest } from "../../src/http/transport.ts";
import { captureChild, runProgram } from "../../src/platform/child-process.ts";
import type {
  Clock,
  Context,
  Files,
  Io,
  Output,
  Prompts,
  Random,
  System,
} from "../../src/platform/context.ts";
import type { Sandbox } from "../../src/sandbox/app.ts";
import { version } from "../../src/version.ts";
import { createTestSandbox, type TestSandboxOptions } from "../sandbox/test-sandbox.ts";
import { access } from "./builders.ts";
import { findUnsafe } from "./safe-output.ts";
import { createScriptedPrompts } from "./scripted-prompts.ts";
import { temporaryRoot } from "./temporary-root.ts";

export { access };

export interface Setup {
  /** Written into the working directory before the command runs; the home directory is `home/`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** A create asks the service of the spec alone what else it describes, as the first one of a day does. */
  readonly isFirstOfDay?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** Faults of the sandbox, in its own grammar. */
  readonly faults?: readonly string[];
  /** Without options, the sandbox has the two operations of the spec; `{ onlySpec: false }` gives it all of them. */
  readonly sandbox?: Partial<Omit<TestSandboxOptions, "faults">>;
  /** Replaces the sandbox. */
  readonly transport?: Transport;
  /** Which streams are terminals, and how wide. */
  readonly terminal?: {
    readonly stdin?: boolean;
    readonly stdout?: boolean;
    readonly stderr?: boolean;
    readonly columns?: number;
  };
  readonly signal?: AbortSignal;
  readonly stdoutError?: Error;
  /** Replaces the simulated clock, for tests over real sockets. */
  readonly clock?: Clock;
  /** Replaces the half that chance gives each time. */
  readonly chance?: () => number;
  /** How many ids other machines have made up at the same service. */
  readonly idsElsewhere?: number;
  /** A system without numeric user ids, such as Windows. */
  readonly isWithoutUsers?: boolean;
  /** The working directory, below the folder of the world. */
  readonly cwd?: string;
  /** The person's answers in turn, then Ctrl-C. Questions require that all three streams are terminals. */
  readonly answers?: readonly string[];
  /** Whether the process has died: from then on it writes nothing. */
  readonly isDead?: () => boolean;
  /** Wraps the command's file functions. */
  readonly wrapFiles?: (files: Files) => Files;
}

export interface Result {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout and stderr in the order of the writes. */
  readonly screen: string;
  readonly requests: readonly WireRequest[];
  /** How many of them create or update. */
  readonly posts: number;
}

export interface World {
  run(
    line: string,
    more?: Pick<
      Setup,
      | "stdin"
      | "env"
      | "cwd"
      | "signal"
      | "transport"
      | "wrapFiles"
      | "isDead"
      | "stdoutError"
      | "answers"
      | "terminal"
    >,
  ): Promise<Result>;
  readonly folder: string;
  readonly sandbox: Sandbox;
  readonly clock: Clock & Pick<System, "abortAfter"> & { advance(milliseconds: number): void };
}

/** The files of this machine without the marks of a container, in which other modes of a folder are accepted. */
const outsideOfContainers = {
  ...fs,
  statSync: ((path: string, options?: object) =>
    /^\/(?:\.dockerenv|run\/\.containerenv)$/.test(path)
      ? undefined
      : fs.statSync(path, options)) as Files["statSync"],
};

/** The clock of this machine, for a service on a socket. */
export const machineClock = {
  now: Date.now,
  monotonic: Date.now,
  sleep: (milliseconds: number, signal?: AbortSignal) =>
    delay(milliseconds, undefined, signal && { signal }).catch(() => undefined),
};

/** `turns`: those of the event loop that work takes between two waits, as an append to the journal does. */
function afterWork(next: () => void, turns = 5): void {
  setImmediate(() => (turns > 1 ? afterWork(next, turns - 1) : next()));
}

function earliest<T extends { readonly until: number }>(all: readonly T[]): T | undefined {
  let first = all[0];
  for (const each of all) if (first !== undefined && each.until < first.until) first = each;
  return first;
}

/** A simulated clock: time stands still until all wait, then it jumps to the first that wakes. */
export function createClock(start = Date.parse("2026-11-20T06:31:00Z")): World["clock"] {
  let now = start;
  let monotonic = 0;
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  /** They ring when time passes, and do not make it pass. */
  const alarms: typeof sleepers = [];
  const wakeFirst = () => {
    if (sleepers.length === 0) return;
    const sleeper = earliest(sleepers);
    const alarm = earliest(alarms);
    const isAlarm = alarm !== undefined && sleeper !== undefined && alarm.until <= sleeper.until;
    const [first, all] = isAlarm ? [alarm, alarms] : [sleeper, sleepers];
    if (first === undefined) return;
    all.splice(all.indexOf(first), 1);
    const before = monotonic;
    monotonic = Math.max(monotonic, first.until);
    now += monotonic - before;
    first.wake();
    if (sleepers.length > 0) afterWork(wakeFirst);
  };
  return {
    now: () => now,
    monotonic: () => monotonic,
    advance: (milliseconds) => {
      now += milliseconds;
      monotonic += Math.max(0, milliseconds);
    },
    abortAfter: (milliseconds, reason) => {
      const controller = new AbortController();
      alarms.push({ until: monotonic + milliseconds, wake: () => controller.abort(reason) });
      return controller.signal;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          signal?.removeEventListener("abort", wake);
          const at = sleepers.indexOf(sleeper);
          if (at >= 0) sleepers.splice(at, 1);
          resolve();
        };
        const sleeper = { until: monotonic + milliseconds, wake };
        signal?.addEventListener("abort", wake);
        if (sleepers.push(sleeper) === 1) afterWork(wakeFirst);
      }),
  };
}

const berlin = new Intl.DateTimeFormat("sv", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "Europe/Berlin",
});

/** Minutes that Berlin is ahead of UTC, independent of the machine's time zone. */
function berlinOffset(at: number): number {
  return Math.round((Date.parse(`${berlin.format(at)}Z`) - at) / 60_000);
}

/** GUIDs that count up, so that output is reproducible. */
export function createRandom(fraction = () => 0.5): Random {
  let count = 0;
  return { guid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`, fraction };
}

/** A folder that is removed when the test ends, or outside of a test with the process. */
export function temporaryFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(join(temporaryRoot, "incident-test-")));
  const remove = () => {
    try {
      removeTree(folder);
    } catch {
      // A shell can still write into it.
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  if (TestRunner.getCurrentTest() === undefined) process.once("exit", remove);
  else onTestFinished(remove);
  return folder;
}

/** In a third of the time that `rmSync` takes for a small folder. */
function removeTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeTree(path);
    else fs.unlinkSync(path);
  }
  fs.rmdirSync(folder);
}

export function createWorld(setup: Setup = {}): World {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(setup.files ?? {})) {
    fs.mkdirSync(dirname(join(folder, name)), { recursive: true });
    fs.writeFileSync(join(folder, name), content, { mode: 0o600 });
  }
  const standing = createClock();
  const clock = setup.clock ?? standing;
  const isSpecAlone = !setup.isFirstOfDay && !setup.transport && setup.sandbox?.onlySpec !== false;
  const noted = createDocumentNote(folder);
  const random = createRandomAfter(setup.idsElsewhere ?? 0, setup.chance);
  const sandbox = createTestSandbox({
    ...access,
    clock,
    random: createRandomAfter(900_000),
    faults: setup.faults ?? [],
    onlySpec: true,
    ...setup.sandbox,
  });

  return {
    folder,
    sandbox,
    clock: standing,
    async run(line, more = {}) {
      const requests: WireRequest[] = [];
      const atExit: (() => void)[] = [];
      const transport = more.transport ?? setup.transport ?? sandbox.transport;
      const answers = [...(more.answers ?? setup.answers ?? [])];
      const wrapFiles = more.wrapFiles ?? setup.wrapFiles ?? ((files: Files) => files);
      const stdoutError = more.stdoutError ?? setup.stdoutError;
      let stdout = "";
      let stderr = "";
      let screen = "";
      const unsafe: string[] = [];
      const words = splitWords(line);
      const argv = words.slice(words.findIndex((word) => !assignment.test(word)));
      const assigned = words.slice(0, words.length - argv.length).map((word) => {
        const [name = "", value = ""] = word.split("=", 2);
        return [name, name === "INCIDENT_CLI_STATE_DIR" ? resolve(folder, value) : value];
      });
      const env: Readonly<Record<string, string | undefined>> = {
        ...setup.env,
        ...more.env,
        ...Object.fromEntries(assigned),
      };
      const isColored = line.includes("--color") || env.FORCE_COLOR !== undefined;
      const terminal = more.terminal ?? setup.terminal ?? {};
      const output = (isTerminal: boolean, keep: (text: string) => void, error?: Error): Output => ({
        isTerminal,
        columns: terminal.columns ?? 80,
        write: async (text) => {
          if (error !== undefined) throw error;
          if (more.isDead?.()) throw new Error("the process is dead");
          const found = findUnsafe(text, isTerminal || isColored);
          if (found !== undefined) unsafe.push(found);
          keep(text);
          screen += text;
        },
      });
      const system: System = {
        env: {
          INCIDENT_CLI_BASE_URL: access.baseUrl,
          INCIDENT_CLI_API_KEY: access.apiKey,
          INCIDENT_CLI_ACCOUNT_ID: access.accountId,
          // With it, no document is read for the name of the header.
          INCIDENT_CLI_ACCOUNT_HEADER: "x-service-account",
          ...env,
        },
        cwd: join(folder, more.cwd ?? ""),
        user: setup.isWithoutUsers ? undefined : process.getuid?.(),
        userName: () => "operator",
        host: () => "runner-1",
        home: join(folder, "home"),
        temporary: folder,
        cacheFolder: async () => join(folder, "home/.cache/incident-cli"),
        localOffset: berlinOffset,
        clock,
        startDeadline: (milliseconds) => {
          const start = clock.monotonic();
          return () => clock.monotonic() - start >= milliseconds;
        },
        abortAfter: standing.abortAfter,
        holdExit: () => () => undefined,
        random,
        captureChild,
        runProgram,
        atExit: (work) => void atExit.push(work),
        runChild: async (command, { env }) => {
          if (command[0] !== "incident") {
            return { exitCode: 127, problem: `no ${command[0]} runs in this harness` };
          }
          // The child reaches its sandbox over a real socket and writes to the same screen.
          const { createUndiciTransport } = await import("../../src/http/undici-transport.ts");
          const transport = createUndiciTransport(env);
          const child: Context = {
            ...groups,
            system: { ...system, env: { ...system.env, ...env } },
            network: transport,
          };
          return { exitCode: await main(command.slice(1), child) };
        },
        signal: more.signal ?? setup.signal ?? new AbortController().signal,
      };
      const io: Io = {
        stdin: {
          isTerminal: terminal.stdin ?? false,
          read: async (limit) => Buffer.from(more.stdin ?? setup.stdin ?? "").subarray(0, limit + 1),
        },
        stdout: output(
          terminal.stdout ?? false,
          (text) => {
            stdout += text;
          },
          stdoutError,
        ),
        stderr: output(terminal.stderr ?? false, (text) => {
          stderr += text;
        }),
      };
      const prompts: Prompts = {
        openBrowser: async (address) => {
          screen += `opened ${address}\n`;
        },
        open: async (_, hint) =>
          createScriptedPrompts(answers, (text) => (screen += text), cancellation(system.signal, hint)),
        // No wait of a test is long enough for a spinner.
        spin: () => ({ clear: () => undefined, stop: () => undefined }),
      };
      const groups: Context = {
        io,
        system,
        files: wrapFiles(outsideOfContainers),
        network: (request, control) => {
          requests.push(request);
          const beforeSend = async () => {
            try {
              await control.beforeSend?.();
            } catch (error) {
              // Nothing is sent.
              requests.splice(requests.indexOf(request), 1);
              throw error;
            }
          };
          return transport(request, { ...control, ...(control.beforeSend && { beforeSend }) });
        },
        prompts,
      };
      const isNoted = isSpecAlone && argv[0] === "create";
      if (isNoted) noted.write(clock.now());
      const exitCode = await main(argv, groups);
      if (isNoted) noted.remove();
      for (const work of atExit) work();
      if (unsafe.length > 0) throw new Error(`incident ${line} writes ${unsafe.join(" and ")}`);
      const posts = requests.filter(({ method }) => method === "POST").length;
      return { exitCode, stdout, stderr, screen, requests, posts };
    },
  };
}

/** Runs one command line in its own world. */
export function incident(line: string, setup: Setup = {}): Promise<Result> {
  return createWorld(setup).run(line);
}

/**
 * While a create runs at the service of the spec alone, the machine knows that the service describes nothing else, as it
 * does for a day after the first create: so that tests see the requests about incidents.
 */
function createDocumentNote(folder: string) {
  const name = `${version}-${encodeURIComponent(access.baseUrl)}`;
  const cache = join(folder, "home/.cache/incident-cli");
  const file = join(cache, `operations-${name}.json`);
  let creates = 0;
  return {
    write(at: number) {
      creates += 1;
      fs.mkdirSync(cache, { recursive: true });
      const entry = { at, operations: {} };
      fs.writeFileSync(file, JSON.stringify(entry), { mode: 0o600 });
    },
    remove() {
      creates -= 1;
      if (creates === 0) fs.rmSync(file, { force: true });
    },
  };
}

function createRandomAfter(count: number, fraction?: () => number): Random {
  const random = createRandom(fraction);
  return {
    ...random,
    guid: () => random.guid().replace(/\d{12}$/, (tail) => String(Number(tail) + count).padStart(12, "0")),
  };
}

/** A variable before the command, as a shell takes it. */
const assignment = /^[A-Z_]+=/;

/** Words as a shell splits them, with single and double quotes; nothing is expanded. */
function splitWords(line: string): string[] {
  const words = line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g);
  return [...words].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
