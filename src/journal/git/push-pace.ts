// Spaces out pushes to a git host: GitHub asks for at most six a minute to a repository.
import type { Reporter, System } from "../../platform/context.ts";

/** Pushes that need no wait, and the milliseconds after which there is one more. */
const burst = 6;
const interval = 10_000;

export interface PaceDeps extends Pick<Reporter, "withSpinner"> {
  readonly system: Pick<System, "clock" | "signal">;
}

/** The function that it gives waits for the next push. Nothing waits for a repository on this machine. */
export function createPushPace({ system, withSpinner }: PaceDeps, isRemote: boolean): () => Promise<void> {
  const { clock, signal } = system;
  let left = burst;
  let since = 0;
  return async () => {
    if (!isRemote) return;
    const now = clock.monotonic();
    const gained = Math.floor((now - since) / interval);
    left = Math.min(burst, left + gained);
    since = left === burst ? now : since + gained * interval;
    if (left > 0) {
      left -= 1;
      return;
    }
    const until = since + interval;
    const say = () =>
      `the journal's host takes few pushes a minute; the next one is in ${Math.max(1, Math.ceil((until - clock.monotonic()) / 1000))} s`;
    await withSpinner(say, () => clock.sleep(until - now, signal), "noted");
    since += interval;
  };
}
