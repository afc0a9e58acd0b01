// How long the sender of an attempt without an ending may still be at work. A sender checks its deadline right before
// its first byte, so after it no byte leaves.

import type { OperationLog } from "../journal/events.ts";
import { interruptedFailure } from "./delivery-failures.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/** How far the wall clock and the uptime may drift apart, in milliseconds, and for each millisecond that passes. */
const drift = { fixed: 1000, rate: 0.001 };

/** The wait in milliseconds: 0 where no attempt lacks an ending; undefined where its sender runs on another clock. */
function remainingDeadline(
  { system }: { readonly system: Pick<DeliveryOptions["system"], "bootTime" | "clock"> },
  { unended }: OperationLog,
): number | undefined {
  if (unended === undefined) return 0;
  const { at, bootTime, deadline } = unended;
  const now = system.bootTime("now");
  if (bootTime === undefined || now?.boot !== bootTime.boot) return undefined;
  // A container can have the boot of its host and another uptime. The wall clock only makes the wait longer.
  const passed = now.elapsed - bootTime.elapsed;
  const difference = Math.abs(system.clock.now() - Date.parse(at) - passed);
  if (difference > drift.fixed + drift.rate * Math.abs(passed)) return undefined;
  return Math.min(deadline, Math.max(0, bootTime.elapsed + deadline - now.elapsed));
}

/**
 * As `remainingDeadline`, but for a sender with another clock, the whole deadline: it may have begun just before its
 * event was read.
 */
export function longestRemaining(
  options: Parameters<typeof remainingDeadline>[0],
  log: OperationLog,
): number {
  return remainingDeadline(options, log) ?? log.unended?.deadline ?? 0;
}

/** Call it before a person's decision permits another send. Throws a `Failure` where it is interrupted. */
export async function waitForSender(
  options: Pick<DeliveryOptions, "isShared" | "reporter" | "system"> &
    Partial<Pick<DeliveryOptions, "clientIds">>,
  log: OperationLog,
): Promise<void> {
  const { reporter, system } = options;
  const wait = longestRemaining(options, log);
  if (wait === 0) return;
  const say = () => `its sender may still be at work; waiting ${Math.ceil(wait / 1000)} s`;
  await reporter.withSpinner(say, () => system.clock.sleep(wait, system.signal), "noted");
  if (system.signal.aborted) throw interruptedFailure(options, log, system.signal);
}
