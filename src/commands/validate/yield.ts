// Yields to the event loop during a long synchronous run, so that a signal ends it and a person sees its progress.

import { cancellation } from "../../failure.ts";
import type { Reporter, System } from "../../platform/context.ts";

/** Milliseconds between two yields, and before progress is first shown. */
const yieldInterval = 100;
const progressDelay = 1000;

/**
 * Call the result before each of `total` steps, and once after the last. Throws a `Failure` when the run is
 * cancelled. Until the first yield, a signal ends the process by itself, even in the middle of a step.
 */
export function createYield(
  { system, progress }: { readonly system: Pick<System, "clock" | "signal"> } & Pick<Reporter, "progress">,
  verb: string,
  total: number,
): (done: number) => Promise<void> | void {
  const { clock } = system;
  const start = clock.monotonic();
  let last = start;
  let isShown = false;

  async function yieldNow(done: number, now: number): Promise<void> {
    if (now - start >= progressDelay) {
      progress(`${verb} ${done} of ${total} files`);
      isShown = true;
    }
    // Reading `signal` makes the process listen for signals, which it cannot do within a step.
    const { signal } = system;
    await clock.sleep(0, signal);
    last = clock.monotonic();
    if (!signal.aborted) return;
    if (isShown) progress("");
    throw cancellation(signal, "nothing was changed; run it again for the rest");
  }

  return (done) => {
    if (done === total) return isShown ? progress("") : undefined;
    const now = clock.monotonic();
    return now - last >= yieldInterval ? yieldNow(done, now) : undefined;
  };
}
