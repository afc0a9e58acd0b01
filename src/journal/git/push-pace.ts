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
  /** When the next push is due after the burst. */
  let due = Number.NEGATIVE_INFINITY;
  return async () => {
    if (!isRemote) return;
    const now = clock.monotonic();
    due = Math.max(due, now - burst * interval) + interval;
    if (due <= now) return;
    const say = () =>
      `the journal's host takes few pushes a minute; the next one is in ${Math.max(1, Math.ceil((due - clock.monotonic()) / 1000))} s`;
    await withSpinner(say, () => clock.sleep(due - now, signal), "noted");
  };
}
