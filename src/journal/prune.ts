// Keeps the journal small: drops the content of old operations, and keeps a summary of each. An operation with an unknown
// outcome keeps its content. The summary is appended as any other event, so that an event of another process wins.
import type { System } from "../platform/context.ts";
import type { Notes } from "./client-ids.ts";
import type { EventStore } from "./event-store.ts";
import type { OperationLog } from "./events.ts";
import { summarize } from "./fold.ts";
import type { Journal } from "./journal.ts";

const day = 24 * 60 * 60 * 1000;

/** An operation is kept whole for this long after its last event. */
const keptFor = 90 * day;

/** A pass looks at no more than this many logs, from anywhere in the journal, so that no command waits for it. */
const passSize = 500;

const noteName = "pruned.json";

export interface PruneDeps {
  readonly system: Pick<System, "clock" | "random">;
  /** Undefined for a shared journal: it has no text to drop, and is not changed for the sake of one machine. */
  readonly journal: Journal | undefined;
  readonly notes: Notes;
  readonly store: Pick<EventStore, "sweep">;
}

/** Shortens a long journal, and prunes at most once a day. Ages are by the wall clock: if it jumps, an operation is only summarized early. */
export async function prune({ journal, notes, store, system }: PruneDeps): Promise<void> {
  const now = system.clock.now();
  // A long journal delays every command until it is shortened.
  await store.sweep(now - day);
  const last = Number(notes.read(noteName));
  if (Math.abs(now - last) < day) return;
  notes.replace(noteName, String(now));
  for (const log of (await journal?.sample(passSize, system.random.fraction())) ?? []) {
    const summary = isOld(log, now) ? summarize(log) : undefined;
    if (summary !== undefined) await journal?.prune(log, summary, new Date(now).toISOString());
  }
}

function isOld(log: OperationLog, now: number): boolean {
  const last = log.events.at(-1);
  return last?.type !== "pruned" && now - Date.parse(last?.at ?? "") > keptFor;
}
