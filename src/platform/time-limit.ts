// Limits the time of a command: every request, wait and child process that takes the Context's signal ends with it,
// whatever the service does.
import { setMaxListeners } from "node:events";
import type { TimeLimit } from "../failure.ts";
import type { System } from "./context.ts";

/** The same Context, whose signal is also aborted after `milliseconds`; and the signal of the limit alone. */
export function withTimeLimit<C extends { readonly system: System }>(
  context: C,
  milliseconds: number,
  reason: TimeLimit,
): { readonly context: C; readonly expiry: AbortSignal } {
  const { system } = context;
  const expiry = system.abortAfter(milliseconds, reason);
  const signal = AbortSignal.any([system.signal, expiry]);
  // Each request adds a listener.
  setMaxListeners(0, signal, expiry);
  return { context: { ...context, system: { ...system, signal } }, expiry };
}
