// Limits of time: a deadline on clocks that cannot be set, which is compared and not awaited, because no timer runs while
// a process is stopped; and the limit of a command, with which each request, wait and child process ends.
import { setMaxListeners } from "node:events";
import { TimeLimit } from "../failure.ts";
import { formatElapsed } from "../text/date-times.ts";
import type { System } from "./context.ts";

/** Milliseconds on clocks that are never set: `hrtime` is exact, and may stand still in sleep; `uptime` goes on, and is coarse. */
const systemTimes = (): readonly number[] => [
  Number(process.hrtime.bigint() / 1_000_000n),
  1000 * process.getBuiltinModule("os").uptime(),
];

/** Starts now. The function that it gives says whether `milliseconds` are over on any of the clocks. */
export function startDeadline(milliseconds: number, times = systemTimes): () => boolean {
  const start = times();
  return () => times().some((now, clock) => now - (start[clock] ?? now) >= milliseconds);
}

/** The same Context, whose signal is also aborted after `milliseconds`; and the limit, with its own signal. */
export function withTimeLimit<C extends { readonly system: System }>(
  context: C,
  milliseconds: number,
  flag: TimeLimit["flag"],
) {
  const { system } = context;
  const limit = new TimeLimit(flag, formatElapsed(milliseconds));
  const expiry = system.abortAfter(milliseconds, limit);
  const signal = AbortSignal.any([system.signal, expiry]);
  // Each request adds a listener.
  setMaxListeners(0, signal, expiry);
  return { context: { ...context, system: { ...system, signal } }, expiry, limit };
}
