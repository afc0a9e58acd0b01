// Keeps the journal from growing for ever: what is settled and old goes; what is uncertain never does.
import type { Context } from "../../platform/context.ts";
import type { Claims } from "./claims.ts";
import type { Operation } from "./events.ts";
import type { Store } from "./folder-store.ts";
import type { Journal } from "./journal.ts";

const day = 24 * 60 * 60 * 1000;

/** An operation is kept for this long after its last event. */
const keptFor = 90 * day;

/** A pass looks at no more than this many, from anywhere in the journal, so that no command waits for it. */
const passSize = 500;

const noteName = "pruned.json";

/** What nobody else knows: what may have been declared, and which incident has another id than the one chosen. */
function isOnlyMemory({ created, key, uncertain }: Operation): boolean {
  return uncertain !== undefined || (created !== undefined && created.serviceId.toLowerCase() !== key.id);
}

export function prune(
  options: Pick<Context, "clock" | "random"> & {
    readonly journal: Journal;
    readonly claims: Claims;
    readonly notes: Store;
    readonly stores: readonly Store[];
  },
): void {
  const { claims, clock, journal, notes, random, stores } = options;
  const now = clock.now();
  const last = Number(notes.get(noteName) ?? 0);
  if (now - last < day) return;
  notes.replace(noteName, String(now));
  journal.tidy(now - day);
  // Before the logs by which it judges are removed.
  claims.tidy();
  const isOld = (operation: Operation) => now - Date.parse(operation.events.at(-1)?.at ?? "") > keptFor;
  for (const operation of journal.sample(passSize, random.fraction())) {
    if (isOld(operation) && !isOnlyMemory(operation)) journal.remove(operation.key);
  }
  for (const store of stores) store.sweep(now - day);
}
