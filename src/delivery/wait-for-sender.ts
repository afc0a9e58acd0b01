// How long the sender of an attempt without an ending may still be at work. A sender checks its deadline right before
// its first byte, so after it no byte leaves.

import type { OperationLog } from "../journal/events.ts";
import { interruptedFailure } from "./delivery-failures.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/** The wait in milliseconds: the whole deadline, because no clock tells when an attempt of another process began. */
export function remainingDeadline({ unended }: OperationLog): number {
  return unended?.deadline ?? 0;
}

/** Call it before a person's decision permits another send. Throws a `Failure` where it is interrupted. */
export async function waitForSender(
  options: Pick<DeliveryOptions, "isShared" | "reporter" | "system"> &
    Partial<Pick<DeliveryOptions, "clientIds">>,
  log: OperationLog,
): Promise<void> {
  const { reporter, system } = options;
  const wait = remainingDeadline(log);
  if (wait === 0) return;
  const say = () => `its sender may still be at work; waiting ${Math.ceil(wait / 1000)} s`;
  await reporter.withSpinner(say, () => system.clock.sleep(wait, system.signal), "noted");
  if (system.signal.aborted) throw interruptedFailure(options, log, system.signal);
}
