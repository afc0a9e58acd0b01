// Copies the logs of one store into another, event by event. A copy can be interrupted and repeated: it completes a
// partial log, leaves a longer log as it is, and reports a log that differs.
import type { Clock } from "../../platform/context.ts";
import type { EventStore, StoredEvent, StoredLog } from "../event-store.ts";
import type { OperationKey } from "../events.ts";
import { appendSurely, type JournalDeps } from "../journal.ts";
import { contradicts, isEqual, isUnsettled, stateOf } from "./compare-logs.ts";

/** Logs that are copied at a time. The events of a batch share a push. */
const batchSize = 64;

export async function copyLogs(
  { clock }: { readonly clock: Pick<Clock, "sleep"> },
  from: EventStore,
  to: EventStore,
) {
  /** `copied`: operations that were missing or incomplete in the other journal. */
  const outcomes = { copied: 0, unchanged: 0 };
  /** The ids of operations that differ: they were continued in both journals. */
  const conflicts: string[] = [];
  const logs = await logsOf(from);
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

/** All logs, in their order, as far as it is known, so that a copy lists the newest first as well. */
async function logsOf(store: EventStore): Promise<readonly string[]> {
  const ordered = (await store.newest(Number.POSITIVE_INFINITY)).toReversed();
  return [...new Set([...ordered, ...(await store.logs("op-")), ...(await store.logs("claim-"))])];
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
    const length = Math.min(events.length, source.length);
    if (source.some((event, index) => contradicts(event, events[index])))
      return { ...named, outcome: "conflict" };
    const isSame = source.slice(0, length).every((event, index) => isEqual(event, events[index]));
    if (!isSame) {
      const isKnown = id !== undefined && isSameIncident(source, events);
      return { ...named, outcome: isKnown ? "unchanged" : "conflict" };
    }
    if (length === source.length) return { ...named, outcome: copied > 0 ? "copied" : "unchanged" };
    // Another process may append meanwhile: then the next reading shows it.
    await appendSurely(target, {
      log,
      number: length,
      event: source[length] as StoredEvent,
      isUnsettled: isUnsettled(source.slice(0, length + 1)),
    });
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
  const [own, other] = [source, events].map((each) => stateOf({ first: 0, events: each }).created);
  return other !== undefined && (own === undefined || own.serviceId === other.serviceId);
}
