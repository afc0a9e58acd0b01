// SIGINT and SIGTERM of this process as an AbortSignal.
import { setMaxListeners } from "node:events";
import { exitCodes } from "../failure.ts";

/**
 * Aborted by the first SIGINT or SIGTERM. A second one exits the process at once. `isIgnored` exempts a signal that is
 * meant for a child process.
 */
export function listenForSignals(isIgnored: (name: NodeJS.Signals) => boolean): AbortSignal {
  const controller = new AbortController();
  // Each question and each request adds a listener, and a watch makes many requests.
  setMaxListeners(0, controller.signal);
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (isIgnored(name)) return;
      if (controller.signal.aborted)
        process.exit(name === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
      controller.abort(name);
    });
  }
  return controller.signal;
}
