// A store that never shows less of a log than it has confirmed to this process. Without this, a store that says "taken" and
// shows nothing would start the same decision again for ever, and one that rolls back would let a create be sent again.

import { Failure } from "../failure.ts";
import type { Clock } from "../platform/context.ts";
import type { AppendResult, EventStore } from "./event-store.ts";
import { StoreHint } from "./journal-errors.ts";

/** How often, and after how many milliseconds, a log that is too short is read again: a reading can be stale. */
const stalePauses = [100, 500, 2000] as const;

/** How often this process may lose the next entry of a log: more than processes that begin together cause. */
const mostLost = 200;

export function withConsistentReads(
  store: EventStore,
  { clock, signal }: { readonly clock: Pick<Clock, "sleep">; readonly signal?: AbortSignal },
): EventStore {
  /** By the log: the number of events that an append has confirmed. */
  const confirmed = new Map<string, number>();
  /** By the log: how often an append was not confirmed as that of this process. */
  const lost = new Map<string, number>();

  /** `ours` and `taken` say the same about the number of the event. */
  function note(log: string, number: number, result: AppendResult | undefined): void {
    if (result !== "ours") lost.set(log, (lost.get(log) ?? 0) + 1);
    if (result === "ours" || result === "taken")
      confirmed.set(log, Math.max(number + 1, confirmed.get(log) ?? 0));
  }

  function checkEnd(log: string): void {
    if ((lost.get(log) ?? 0) >= mostLost) throw endless(log);
  }

  return {
    ...store,
    async append(appends) {
      for (const { log } of appends) checkEnd(log);
      const results = await store.append(appends);
      for (const [index, { log, number }] of appends.entries()) note(log, number, results[index]);
      return results;
    },
    async prune(append) {
      checkEnd(append.log);
      const result = await store.prune(append);
      note(append.log, append.number, result);
      return result;
    },
    async read(log) {
      for (let attempt = 0; ; attempt += 1) {
        const least = confirmed.get(log) ?? 0;
        const read = await store.read(log);
        const length = read.first + read.events.length;
        if (length >= least) return read;
        const pause = stalePauses[attempt];
        if (pause === undefined || signal?.aborted) throw contradiction(log, least, length);
        await clock.sleep(pause, signal);
      }
    },
  };
}

function endless(log: string): Failure {
  const message = `the journal's store took none of ${mostLost} entries for ${log} as that of this process`;
  return new Failure("unavailable", message, {
    hint: new StoreHint("find out what takes its entries, such as a trigger; else run it again"),
    retryable: true,
  });
}

function contradiction(log: string, least: number, length: number): Failure {
  const message = `the journal's store contradicts itself: it confirmed entry ${least - 1} of ${log}, and shows ${length === 1 ? "1 entry" : `${length} entries`}`;
  return new Failure("unavailable", message, {
    hint: new StoreHint(
      "find out what hides or drops its entries, such as a trigger, row security, or a copy that was restored",
    ),
  });
}
