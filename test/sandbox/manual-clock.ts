// A clock that only a test advances, so that no test depends on real time.
import type { Clock } from "../../src/platform/context.ts";

export interface ManualClock extends Clock {
  /** Advances the time and ends every sleep that is due. */
  advance(milliseconds: number): void;
}

export function createManualClock(start = Date.parse("2026-03-10T08:30:00Z")): ManualClock {
  let now = start;
  let sleepers: { readonly due: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((wake) => {
        if (signal?.aborted) return wake();
        signal?.addEventListener("abort", () => wake(), { once: true });
        sleepers.push({ due: now + milliseconds, wake });
      }),
    advance(milliseconds) {
      now += milliseconds;
      const due = sleepers.filter((sleeper) => sleeper.due <= now);
      sleepers = sleepers.filter((sleeper) => sleeper.due > now);
      for (const { wake } of due) wake();
    },
  };
}
