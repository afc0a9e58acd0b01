// The real Context: this process's streams, files, clock, signals and terminal. Only bin imports it. Slow parts load
// when they are first used, through process.getBuiltinModule or a dynamic import.

import { setMaxListeners } from "node:events";
import { cancellation, codeOf, exitCodes, Failure, tryTo } from "../failure.ts";
import type { Transport } from "../http/transport.ts";
import { once } from "../once.ts";
import type { Context, Files, Io, Output, Prompts, Spinner, System } from "./context.ts";
import { startDeadline } from "./deadline.ts";
import { homeDirectory, workingDirectory } from "./folders.ts";

/** A namespace import of node:fs would copy every function at start-up. */
const nodeFiles: Files = process.getBuiltinModule("fs");

export function createContext(network: Transport): Context {
  const holds = new Set<symbol>();
  // The listeners are added at the first use: a command that only prints ends before a signal matters.
  const signal = once(() => listenForSignals(() => holds.size === 0));
  const holdExit = () => {
    const hold = Symbol("hold");
    holds.add(hold);
    return () => void holds.delete(hold);
  };
  return {
    io: createIo(signal),
    system: createSystem(signal, holdExit),
    files: nodeFiles,
    network,
    prompts: createProcessPrompts(signal),
  };
}

function createSystem(signal: () => AbortSignal, holdExit: System["holdExit"]): System {
  return {
    env: process.env,
    get cwd() {
      return workingDirectory();
    },
    user: process.getuid?.(),
    userName: () => process.getBuiltinModule("os").userInfo().username,
    host: () => process.getBuiltinModule("os").hostname(),
    get home() {
      return homeDirectory();
    },
    get temporary() {
      return process.getBuiltinModule("os").tmpdir();
    },
    cacheFolder: async () => (await import("./cache-folder.ts")).findCacheFolder(nodeFiles, process),
    localOffset: (at) => -new Date(at).getTimezoneOffset(),
    clock: {
      now: Date.now,
      monotonic: () => Number(process.hrtime.bigint() / 1_000_000n),
      sleep: (milliseconds, signal) =>
        process
          .getBuiltinModule("timers/promises")
          .setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal })
          .catch(() => undefined),
    },
    startDeadline,
    random: {
      guid: () => process.getBuiltinModule("crypto").randomUUID(),
      fraction: Math.random,
    },
    get signal() {
      return signal();
    },
    holdExit,
    abortAfter: (milliseconds, reason) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), milliseconds);
      return controller.signal;
    },
    runChild: async (...args) => (await import("./child-process.ts")).runChild(...args),
    captureChild: async (...args) => (await import("./child-process.ts")).captureChild(...args),
    runProgram: async (...args) => (await import("./child-process.ts")).runProgram(...args),
    atExit: (work) => void process.once("exit", work),
  };
}

/** Aborted by the first signal. A second one exits the process at once, unless it may not exit. */
function listenForSignals(mayExit: () => boolean): AbortSignal {
  const controller = new AbortController();
  // Each question and each request adds a listener, and a watch makes many requests.
  setMaxListeners(0, controller.signal);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted && mayExit())
        process.exit(name === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
      controller.abort(name);
    });
  }
  return controller.signal;
}

function createProcessPrompts(signal: () => AbortSignal): Prompts {
  return {
    open: async (color, hint) => {
      const { createPrompts } = await import("./terminal/prompts.ts");
      return createPrompts({ color, hint, input: process.stdin, output: process.stderr, signal: signal() });
    },
    openBrowser: async (...address) => (await import("./child-process.ts")).openBrowser(...address),
    spin,
  };
}

const spin: Prompts["spin"] = (say) => {
  let spinner: Spinner | undefined;
  let isStopped = false;
  // A shorter wait shows no spinner.
  const timer = setTimeout(async () => {
    const { createSpinner } = await import("./terminal/spinner.ts");
    if (!isStopped) spinner = createSpinner(process.stderr, say);
  }, 200);
  return {
    clear: () => spinner?.clear(),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      spinner?.stop();
    },
  };
};

// The stream objects of Node.js are slow to load, so that short output is written without them.
function createIo(signal: () => AbortSignal): Io {
  return {
    stdin: {
      get isTerminal() {
        return isTerminal(0);
      },
      read: (limit) => readStdin(limit, signal()),
    },
    stdout: createOutput(1, () => process.stdout),
    stderr: createOutput(2, () => process.stderr),
  };
}

async function readStdin(limit: number, signal: AbortSignal): Promise<Uint8Array> {
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
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (!signal.aborted) {
      // Such as EBADF: nohup makes stdin writable only.
      throw new Failure("usage", `stdin cannot be read (${code})`, {
        hint: "pipe text into the command, or name a file; nothing was sent",
        cause: error,
      });
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (signal.aborted) throw cancellation(signal, "stdin was not read to its end; nothing was sent");
  return Buffer.concat(chunks).subarray(0, limit + 1);
}

function createOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream): Output {
  let opened: NodeJS.WriteStream | undefined;
  const stream = () => {
    if (opened === undefined) {
      opened = open();
      // Without a listener, a write to a closed pipe ends the process with a stack trace.
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
    async write(text) {
      const bytes = Buffer.from(text);
      // Every pipe accepts 16 KiB at once.
      const isShort = opened === undefined && process.platform !== "win32" && bytes.length <= 16 * 1024;
      const isDirect = isShort || statOf(descriptor)?.isFile();
      const written = isDirect ? writeWithoutWaiting(descriptor, bytes) : 0;
      if (isDirect && written === bytes.length) return;
      await new Promise<void>((resolve, reject) => {
        stream().write(bytes.subarray(written), (error) => (error ? reject(error) : resolve()));
      });
    },
  };
}

/** node:tty is slow to load, so that a file and a pipe are recognized without it. */
function isTerminal(descriptor: number): boolean {
  const isDevice = statOf(descriptor)?.isCharacterDevice() === true;
  return isDevice && process.getBuiltinModule("tty").isatty(descriptor);
}

/** Undefined for a closed descriptor. */
const statOf = (descriptor: number) => tryTo(() => nodeFiles.fstatSync(descriptor));

function writeWithoutWaiting(descriptor: number, bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += nodeFiles.writeSync(descriptor, bytes, written);
  } catch (error) {
    if (codeOf(error) !== "EAGAIN") throw error;
  }
  return written;
}
