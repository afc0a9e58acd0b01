// Keeps a create from being declared again because the journal has moved: while this machine's own journal knows a log
// that the shared one does not know, nothing is sent.
import { Failure } from "../../../failure.ts";
import type { EventStore } from "../event-store.ts";

/** `local` is the journal in this machine's state directory. */
export function withKnownHere(store: EventStore, local: Pick<EventStore, "read">): EventStore {
  return {
    ...store,
    async read(log) {
      const read = await store.read(log);
      if (read.events.length > 0) return read;
      if ((await local.read(log)).events.length === 0) return read;
      throw new Failure(
        "usage",
        "this machine's own journal knows this incident, and the shared one does not",
        {
          hint: "nothing was sent; run incident journal copy --to shared, then run it again",
        },
      );
    },
  };
}
