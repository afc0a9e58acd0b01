// SIGINT and SIGTERM of this process as an AbortSignal.
import { setMaxListeners } from "node:events";
import { exitCodes } from "../failure.ts";

export interface Interruption {
  /** Aborted by the first SIGINT or SIGTERM. A second one exits the process at once. */
  readonly signal: AbortSignal;
  /** Ends the listening: the next signal ends the process, even in the middle of synchronous work. */
  readonly release: () => void;
}

/** `isIgnored` exempts a signal that is meant for a child process. */
export function listenForSignals(isIgnored: (name: NodeJS.Signals) => boolean): Interruption {
  const controller = new AbortController();
  // Each question and each request adds a listener, and a watch makes many requests.
  setMaxListeners(0, controller.signal);
  const listener = (name: NodeJS.Signals) => {
    if (isIgnored(name)) return;
    if (controller.signal.aborted)
      process.exit(name === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
    controller.abort(name);
  };
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) process.on(name, listener);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of names) process.off(name, listener);
    },
  };
}
