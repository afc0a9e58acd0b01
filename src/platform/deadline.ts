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

/** The same Context with a time limit: after `milliseconds`, its signal and its deadline are aborted. */
export function withTimeLimit<C extends { readonly system: System }>(
  context: C,
  milliseconds: number,
  flag: TimeLimit["flag"],
): C {
  const { system } = context;
  const limit = new TimeLimit(flag, formatElapsed(milliseconds));
  const deadline = system.abortAfter(milliseconds, limit);
  const signal = AbortSignal.any([system.signal, deadline]);
  // Each request adds a listener.
  setMaxListeners(0, signal, deadline);
  const isOver = system.startDeadline(milliseconds);
  const overdue = () => (isOver() ? limit : undefined);
  return { ...context, system: { ...system, signal, deadline, overdue } };
}
