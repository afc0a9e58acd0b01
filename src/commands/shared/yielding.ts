// Keeps a long synchronous run polite: it lets signals in between two steps, ends at once on one, and tells a
// person how far it has come.

import { cancellation } from "../../failure.ts";
import type { Context, Reporter } from "../../platform/context.ts";

/** Milliseconds between two chances for a signal, and until it is worth saying how far it has come. */
const breath = 100;
const patience = 1000;

/** To be called before each of `total` steps, and once after the last. Throws a `Failure` when the run is cancelled. */
export function createYield(
  { clock, signal, progress }: Pick<Context, "clock" | "signal"> & Pick<Reporter, "progress">,
  verb: string,
  total: number,
): (done: number) => Promise<void> | void {
  const start = clock.now();
  let last = start;
  let isShown = false;

  async function breathe(done: number, now: number): Promise<void> {
    if (now - start >= patience) {
      progress(`${verb} ${done} of ${total} files`);
      isShown = true;
    }
    await clock.sleep(0, signal);
    last = clock.now();
    if (!signal.aborted) return;
    if (isShown) progress("");
    throw cancellation(signal, "nothing was changed; run it again for the rest");
  }

  return (done) => {
    if (done === total) return isShown ? progress("") : undefined;
    const now = clock.now();
    return now - last >= breath || signal.aborted ? breathe(done, now) : undefined;
  };
}
