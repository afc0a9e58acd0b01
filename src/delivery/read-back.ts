// Reads back an attempt whose outcome is not known. It repeats the look for a while, because a commit can be slow, and
// reads the log again, because another process may learn the outcome.
import { cancellation, Failure, onlyFailure } from "../failure.ts";
import type { Incident } from "../incident/wire.ts";
import type { OperationLog } from "../journal/events.ts";
import type { DeliveryOptions, Found, Operation } from "./delivery-options.ts";
import { interruptedFailure } from "./failures.ts";

/** Milliseconds between reads; the last repeats. */
const pauses = [250, 500, 1000, 2000] as const;

/** Milliseconds between the two looks that miss an attempt with a 500 or a 503, before it is sent once more. */
const betweenMisses = 30_000;

/** `missed`: two looks would have found it, the second 30 s later. `failed`: it cannot be read. */
type ReadBack =
  | { readonly found: Found }
  /** Another process appended to the log. */
  | { readonly changed: OperationLog }
  | { readonly ended: "absent" | "missed" | "failed"; readonly failure?: Failure | undefined };

export async function readBack(
  options: DeliveryOptions,
  log: OperationLog,
  operation: Operation,
): Promise<ReadBack> {
  const { journal, reporter, settleFor, system } = options;
  const { clock, signal } = system;
  const { canBeFound } = operation.stepRequest(log);
  // A sender that is still at work records the outcome in the log, also of an attempt that no look can find.
  if (!canBeFound && log.unended === undefined) return { ended: "absent" };
  // A sender may have begun just before its event was read. It checks the deadline right before its first byte.
  let until = clock.monotonic() + Math.max(settleFor, log.unended?.deadline ?? 0);

  async function poll(): Promise<ReadBack> {
    let firstMiss: number | undefined;
    for (let read = 0; ; read += 1) {
      if (signal.aborted) throw interruptedFailure(options, log);
      const now = await journal.read(log.key);
      if (now.next !== log.next) return { changed: now };
      const began = clock.monotonic();
      const looked = canBeFound ? await look() : undefined;
      const failure = looked instanceof Failure ? looked : undefined;
      if (failure !== undefined && !isTemporary(failure)) return { ended: "failed", failure };
      if (typeof looked === "object" && !(looked instanceof Failure)) return { found: looked };
      if (looked === "absent" && log.mayBeRepeated) {
        if (firstMiss !== undefined && began - firstMiss >= betweenMisses) return { ended: "missed" };
        firstMiss ??= clock.monotonic();
      }
      const left = until - clock.monotonic();
      if (left > 0) {
        await clock.sleep(Math.min(left, pauses[Math.min(read, pauses.length - 1)] as number), signal);
        continue;
      }
      const next = (firstMiss ?? Number.NEGATIVE_INFINITY) + betweenMisses;
      // The second look is over, and could not read the service.
      if (next <= until) return { ended: "absent", failure };
      until = next;
      await clock.sleep(next - clock.monotonic(), signal);
    }
  }

  const look = () => operation.find(log, "unclear", until).catch(onlyFailure);
  const isTemporary = ({ kind }: Failure) => kind === "unavailable" || signal.aborted;
  const left = () => Math.max(0, Math.ceil((until - clock.monotonic()) / 1000));
  return reporter.withSpinner(() => `it was sent and not answered; looking for it, ${left()} s more`, poll);
}

/** Reads the incident after a change, or warns: no step depends on it. */
export async function readAgain(
  { client, reporter, settleFor }: DeliveryOptions,
  id: string,
): Promise<Incident | undefined> {
  try {
    return await client.findIncident(id, { budget: settleFor });
  } catch (error) {
    const { message } = onlyFailure(error);
    reporter.warn(`the change is done, and the incident could not be read after it: ${message}`);
    return undefined;
  }
}

/** Waits before a person settles it as not created. Throws a `Failure` where it is interrupted. */
export async function waitForSender(
  { reporter, system }: Pick<DeliveryOptions, "reporter" | "system">,
  { unended }: OperationLog,
): Promise<void> {
  const wait = unended?.deadline ?? 0;
  if (wait === 0) return;
  const say = () => `its sender may still be at work; waiting ${Math.ceil(wait / 1000)} s`;
  await reporter.withSpinner(say, () => system.clock.sleep(wait, system.signal), "noted");
  if (system.signal.aborted) throw cancellation(system.signal, "nothing was recorded");
}
