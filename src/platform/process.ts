// The real Context: this process's streams, files, clock, signals and terminal. Only bin imports it. Slow parts load
// when they are first used, through process.getBuiltinModule or a dynamic import.

import { setMaxListeners } from "node:events";
import { exitCodes } from "../failure.ts";
import type { Context, Network, Prompts, Spin, Spinner, System } from "./context.ts";
import { startDeadline } from "./deadline.ts";
import { workingDirectory } from "./folders.ts";
import { nodeFiles } from "./node-files.ts";
import { createIo } from "./standard-streams.ts";

export function createContext(network: Network): Context {
  let listened: AbortSignal | undefined;
  const holds = new Set<symbol>();
  // The listeners are added at the first use: a command that only prints ends before a signal matters.
  const signal = () => {
    listened ??= listenForSignals(() => holds.size === 0);
    return listened;
  };
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
      return process.getBuiltinModule("os").homedir();
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
      setTimeout(() => controller.abort(reason), milliseconds).unref();
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

/** `signal` ends a question. */
function createProcessPrompts(signal: () => AbortSignal): Prompts {
  const open = async (color: boolean) => {
    const { createPrompts } = await import("./terminal/prompts.ts");
    return createPrompts({ color, input: process.stdin, output: process.stderr, signal: signal() });
  };
  return {
    ask: async (message) => (await open(false)).text({ message, check: () => undefined }),
    open,
    openBrowser: async (...address) => (await import("./open-browser.ts")).openBrowser(...address),
    spin,
  };
}

/** A shorter wait shows no spinner. In milliseconds. */
const spinnerDelay = 200;

const spin: Spin = (say) => {
  let spinner: Spinner | undefined;
  let isStopped = false;
  const timer = setTimeout(async () => {
    const { createSpinner } = await import("./terminal/spinner.ts");
    if (!isStopped) spinner = createSpinner(process.stderr, say);
  }, spinnerDelay);
  return {
    clear: () => spinner?.clear(),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      spinner?.stop();
    },
  };
};
