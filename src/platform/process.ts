// The real Context: this process's streams, files, clock and signals, and the real network. Only bin imports
// it; what is slow to load is loaded when it is first used.
import { setMaxListeners } from "node:events";
import type { Stats } from "node:fs";
import { cancellation, exitCodes } from "../failure.ts";
import type {
  Context,
  ContextGroups,
  Io,
  Network,
  Output,
  Prompts,
  Spin,
  Spinner,
  System,
} from "./context.ts";
import { startTime } from "./start-time.ts";

// A namespace import would be copied, function by function, at every start.
const fs = process.getBuiltinModule("fs");

export function createContext(network: Network): Context {
  let isEditing = false;
  let interrupted: AbortSignal | undefined;
  // What only prints is over before it could be interrupted.
  const signal = () => {
    interrupted ??= listenForSignals((name) => isEditing && name === "SIGINT");
    return interrupted;
  };
  const system: System = {
    env: process.env,
    cwd: process.cwd(),
    nodeVersion: process.version,
    user: process.getuid?.(),
    get home() {
      return process.getBuiltinModule("os").homedir();
    },
    get temporary() {
      return process.getBuiltinModule("os").tmpdir();
    },
    localOffset: (at) => -new Date(at).getTimezoneOffset(),
    clock: {
      now: Date.now,
      sleep: (milliseconds, signal) =>
        process
          .getBuiltinModule("timers/promises")
          .setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal })
          .catch(() => undefined),
    },
    get startedAt() {
      return startTime();
    },
    random: {
      guid: () => process.getBuiltinModule("crypto").randomUUID(),
      fraction: Math.random,
    },
    runChild: async (...given) => (await import("./child-process.ts")).runChild(...given),
    captureChild: async (...given) => (await import("./child-process.ts")).captureChild(...given),
    get signal() {
      return signal();
    },
  };
  const io: Io = {
    stdin: {
      get isTerminal() {
        return isTerminal(0);
      },
      read: (limit) => readInput(limit, signal()),
    },
    stdout: createOutput(1, () => process.stdout),
    stderr: createOutput(2, () => process.stderr),
  };
  const prompts: Prompts = {
    runEditor: async (command) => {
      const { runChild } = await import("./child-process.ts");
      isEditing = true;
      try {
        return await runChild(command, { env: {}, signal: signal() });
      } finally {
        isEditing = false;
      }
    },
    ask: async (...given) => {
      const { askLine } = await import("./terminal/ask.ts");
      return askLine(process, signal(), ...given);
    },
    open: async (look) => {
      const { createPrompts } = await import("./terminal/prompts.ts");
      const { stdin: input, stderr: output } = process;
      return createPrompts({ ...look, input, output, signal: signal() });
    },
    spin,
  };
  const groups = { io, system, files: fs, network, prompts };
  return flatten(groups);
}

/** Aborted by the first SIGINT or SIGTERM; the second ends the process hard, whatever is under way. */
function listenForSignals(isForOther: (name: NodeJS.Signals) => boolean): AbortSignal {
  const interrupt = new AbortController();
  // Each question and each request listens to it, and a watch has many.
  setMaxListeners(0, interrupt.signal);
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (isForOther(name)) return;
      if (interrupt.signal.aborted)
        process.exit(name === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
      interrupt.abort(name);
    });
  }
  return interrupt.signal;
}

async function readInput(limit: number, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = () => process.stdin.destroy();
  signal.addEventListener("abort", stop);
  try {
    for await (const chunk of process.stdin) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (signal.aborted) throw cancellation(signal, "stdin was not read to its end; nothing was sent");
  return Buffer.concat(chunks).subarray(0, limit + 1);
}

/** What every pipe takes at once, in bytes. */
const pipeCapacity = 16 * 1024;

/** Streams and terminals take long to load: a short text is written without them, and most runs write no other. */
function createOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream): Output {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    if (opened === undefined) {
      opened = open();
      // Without a listener, a write to a closed pipe would end the process with a stack trace.
      opened.on("error", () => undefined);
    }
    return opened;
  };
  return {
    get isTerminal() {
      return isTerminal(descriptor);
    },
    get columns() {
      return (isTerminal(descriptor) && stream().columns) || 80;
    },
    get rows() {
      return (isTerminal(descriptor) && stream().rows) || 24;
    },
    async write(text) {
      const bytes = Buffer.from(text);
      const isShort = opened === undefined && process.platform !== "win32" && bytes.length <= pipeCapacity;
      const written = isShort || writesLikeFile(descriptor) ? writeNow(descriptor, bytes) : 0;
      if (written === bytes.length) return;
      await new Promise<void>((resolve, reject) => {
        stream().write(bytes.subarray(written), (error) => (error ? reject(error) : resolve()));
      });
    },
  };
}

function isTerminal(descriptor: number): boolean {
  return (
    kindOf(descriptor)?.isCharacterDevice() === true && process.getBuiltinModule("tty").isatty(descriptor)
  );
}

function writesLikeFile(descriptor: number): boolean {
  return kindOf(descriptor)?.isFile() === true;
}

function kindOf(descriptor: number): Stats | undefined {
  try {
    return fs.fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/**
 * Writes what goes without waiting and gives its length. A disk that fills up takes a part of a write without an
 * error; the rest of it brings the error out.
 */
function writeNow(descriptor: number, bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += fs.writeSync(descriptor, bytes, written);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
  }
  return written;
}

/** What is over sooner is not worth a line. In milliseconds. */
const spinnerDelay = 200;

const spin: Spin = (say) => {
  let spinner: Spinner | undefined;
  let isOver = false;
  const timer = setTimeout(async () => {
    const { createSpinner } = await import("./terminal/spinner.ts");
    if (!isOver) spinner = createSpinner(process.stderr, say);
  }, spinnerDelay);
  return {
    clear: () => spinner?.clear(),
    stop: () => {
      isOver = true;
      clearTimeout(timer);
      spinner?.stop();
    },
  };
};

/** TRANSITION: goes with the flat members of Context. */
export function flatten(groups: ContextGroups): Context {
  const { io, network, prompts, system } = groups;
  const flat = {
    ...groups,
    ...io,
    ...network,
    ask: prompts.ask,
    runEditor: prompts.runEditor,
    spin: prompts.spin,
    openPrompts: prompts.open,
  };
  return Object.defineProperties(flat, Object.getOwnPropertyDescriptors(system)) as Context;
}
