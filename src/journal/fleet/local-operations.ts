// Refuses an operation that is in this machine's own journal and not in the shared one. Otherwise a create would be
// declared again after the journal has moved.
import { Failure } from "../../failure.ts";
import { advise, argv } from "../../text/advice.ts";
import type { EventStore } from "../event-store.ts";
import { StoreHint } from "../journal-errors.ts";

/** `local` is the journal in this machine's state directory. */
export function withLocalOperations(store: EventStore, local: Pick<EventStore, "read">): EventStore {
  return {
    ...store,
    async read(log) {
      const read = await store.read(log);
      if (read.events.length > 0) return read;
      if ((await local.read(log)).events.length === 0) return read;
      throw new Failure(
        "usage",
        "this incident is in the journal of this machine, but not in the shared one",
        {
          hint: new StoreHint(advise`run ${argv`incident journal copy --to shared`}, then run it again`),
        },
      );
    },
  };
}
