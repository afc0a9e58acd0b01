// Copies the logs of one store into another, event by event. A copy can be interrupted and repeated: it completes a
// partial log, leaves a longer log as it is, and reports a log that both stores continued.
import type { Clock } from "../../platform/context.ts";
import type { EventStore, StoredEvent, StoredLog } from "../event-store.ts";
import type { OperationEvent, OperationKey, OperationLog } from "../events.ts";
import { foldEvents } from "../fold.ts";
import { appendSurely, type JournalDeps } from "../journal.ts";

/** Logs that are copied at a time. The events of a batch share a push. */
const batchSize = 64;

export async function copyLogs(
  { clock }: { readonly clock: Pick<Clock, "sleep"> },
  from: EventStore,
  to: EventStore,
) {
  /** `copied`: operations that were missing or incomplete in the other journal. */
  const outcomes = { copied: 0, unchanged: 0 };
  /** The ids of operations that were continued in both journals. */
  const conflicts: string[] = [];
  const ordered = (await from.newest(Number.POSITIVE_INFINITY)).toReversed();
  const logs = [...ordered, ...(await from.logs("claim-"))];
  for (let at = 0; at < logs.length; at += batchSize) {
    const batch = logs.slice(at, at + batchSize);
    const results = await Promise.all(batch.map((log) => copyLog({ clock, store: to }, log, from)));
    for (const [index, { id, outcome }] of results.entries()) {
      if (outcome === "conflict") conflicts.push(id ?? (batch[index] as string));
      else if (id !== undefined) outcomes[outcome] += 1;
    }
  }
  return { ...outcomes, conflicts };
}

/** `id`: of the operation; absent for a log of claims. */
async function copyLog(
  target: Pick<JournalDeps, "clock" | "store">,
  log: string,
  from: EventStore,
): Promise<{ readonly id?: string; readonly outcome: "copied" | "unchanged" | "conflict" }> {
  const source = renumbered(await from.read(log));
  const id = (source[0]?.key as OperationKey | undefined)?.id;
  const named = id === undefined ? {} : { id };
  for (let copied = 0; ; copied += 1) {
    const { events, first } = await target.store.read(log);
    // Only a complete log is pruned.
    if (first > 0) return { ...named, outcome: "unchanged" };
    // An event has a writer of its own.
    const both = source.slice(0, events.length);
    if (both.some(({ writer }, index) => writer !== events[index]?.writer)) {
      const isKnown = id !== undefined && isSameIncident(source, events);
      return { ...named, outcome: isKnown ? "unchanged" : "conflict" };
    }
    const event = source[events.length];
    if (event === undefined) return { ...named, outcome: copied > 0 ? "copied" : "unchanged" };
    // Another process may append meanwhile: then the next reading shows it.
    const isUnsettled = id !== undefined && stateOf([...both, event]).uncertain !== undefined;
    await appendSurely(target, { log, number: events.length, event, isUnsettled });
  }
}

/** A log that was pruned begins at 0 in the other store, so its attempts get other numbers. */
function renumbered({ events, first }: StoredLog): readonly StoredEvent[] {
  return events.map((stored) => {
    const { event } = stored as unknown as { readonly event?: { readonly attempt?: number } };
    return event?.attempt === undefined
      ? stored
      : { ...stored, event: { ...event, attempt: event.attempt - first } };
  });
}

/** Whether the other journal has everything that decides: the incident, and no other one is known here. */
function isSameIncident(source: readonly StoredEvent[], events: readonly StoredEvent[]): boolean {
  const [own, other] = [source, events].map((each) => stateOf(each).created);
  return other !== undefined && (own === undefined || own.serviceId === other.serviceId);
}

function stateOf(events: readonly StoredEvent[]): OperationLog {
  const steps = events.map(({ event }) => event as OperationEvent);
  return foldEvents(events[0]?.key as OperationKey, 0, steps);
}
