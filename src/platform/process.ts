// The real Context: this process's streams, files, clock, signals and terminal. Only bin imports it. Slow parts load
// when they are first used, through process.getBuiltinModule or a dynamic import.
import type { Context, Network, System } from "./context.ts";
import { startDeadline } from "./deadline.ts";
import { workingDirectory } from "./folders/working-directory.ts";
import { nodeFiles } from "./node-files.ts";
import { createProcessPrompts } from "./process-prompts.ts";
import { type Interruption, listenForSignals } from "./signals.ts";
import { createIo } from "./standard-streams.ts";
import { createBootTime } from "./start-time.ts";

export function createContext(network: Network): Context {
  let isEditing = false;
  let interruption: Interruption | undefined;
  // The listeners are added at the first use: a command that only prints ends before a signal matters.
  const signal = () => {
    interruption ??= listenForSignals((name) => isEditing && name === "SIGINT");
    return interruption.signal;
  };
  const releaseSignals = async () => {
    if (interruption === undefined) return;
    // A signal that arrived meanwhile is delivered between two turns of the event loop.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    interruption.release();
  };
  const prompts = createProcessPrompts(signal, (value) => {
    isEditing = value;
  });
  return {
    io: createIo(signal),
    system: createSystem(signal, releaseSignals),
    files: nodeFiles,
    network,
    prompts,
  };
}

function createSystem(signal: () => AbortSignal, releaseSignals: System["releaseSignals"]): System {
  return {
    env: process.env,
    get cwd() {
      return workingDirectory();
    },
    nodeVersion: process.version,
    bunVersion: process.versions.bun,
    user: process.getuid?.(),
    get home() {
      // As node:os, which takes longer to load.
      const { HOME } = process.env;
      return (process.platform !== "win32" && HOME) || process.getBuiltinModule("os").homedir();
    },
    get temporary() {
      return process.getBuiltinModule("os").tmpdir();
    },
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
    bootTime: createBootTime(),
    startDeadline,
    random: {
      guid: () => process.getBuiltinModule("crypto").randomUUID(),
      fraction: Math.random,
    },
    get signal() {
      return signal();
    },
    releaseSignals,
    abortAfter: (milliseconds, reason) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), milliseconds).unref();
      return controller.signal;
    },
    runChild: async (...args) => (await import("./child-process.ts")).runChild(...args),
    captureChild: async (...args) => (await import("./child-process.ts")).captureChild(...args),
    runProgram: async (...args) => (await import("./run-program.ts")).runProgram(...args),
    atExit: (work) => void process.once("exit", work),
  };
}
