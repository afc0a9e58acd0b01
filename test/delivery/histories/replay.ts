// Replays the journal that a history left against the second model of the protocol.
import type { OperationEvent } from "../../../src/journal/events.ts";
import { eventsOf } from "./check-history.ts";
import type { RecordedCall } from "./history.ts";
import { forbiddenClaim, forbiddenStep } from "./protocol-model.ts";

export interface ReplayedHistory {
  readonly events: number;
  /** Empty where the model permits every event. */
  readonly violations: readonly string[];
}

export interface ReplayOptions {
  /** When each create arrived at the service, on the clock of the history. */
  readonly arrivals?: readonly number[];
}

/** The id of the operation that an event, or a claim, belongs to. */
const idOf = (key: unknown): string => (key as { readonly id: string }).id;

export function replayHistory(
  calls: readonly RecordedCall[],
  { arrivals = [] }: ReplayOptions = {},
): ReplayedHistory {
  const violations: string[] = [];
  const declared = new Map<string, number>();
  const sendings: number[] = [];
  const claims: { readonly name: string; readonly claimed: { id: string; end: number }[] }[] = [];
  let count = 0;
  for (const [name, appends] of eventsOf(calls)) {
    const isClaim = appends.some(({ event }) => "claim" in event);
    const isOperation = appends.some(({ event }) => "key" in event);
    if (isClaim)
      claims.push({ name, claimed: appends.map(({ end, event }) => ({ id: idOf(event.claim), end })) });
    if (!isClaim && !isOperation) continue;
    count += appends.length;
    if (isClaim) continue;
    const steps = appends.map(({ event: stored, isUnsettled, known, number, process, start }) => {
      const event = stored.event as OperationEvent;
      if (event.type === "sending") sendings.push(known);
      if (event.type === "created" && !declared.has(idOf(stored.key))) declared.set(idOf(stored.key), start);
      return { number, event, process, isUnsettled };
    });
    const gap = steps.find(({ number }, index) => number !== index);
    const reason = gap === undefined ? forbiddenStep(steps) : `${gap.number}: follows no event`;
    if (reason !== undefined) violations.push(`${name} ${reason}`);
  }
  for (const { claimed, name } of claims) {
    const reason = forbiddenClaim(claimed, (id) => declared.get(id));
    if (reason !== undefined) violations.push(`${name} ${reason}`);
  }
  const early = firstEarly(arrivals, sendings);
  if (early !== undefined)
    violations.push(`create ${early} arrived before its sending event was known to be stored`);
  return { events: count, violations };
}

/** The number of the first create, from 1, for which there was no `sending` event yet. */
function firstEarly(arrivals: readonly number[], sendings: readonly number[]): number | undefined {
  const ready = [...sendings].sort((a, b) => a - b);
  const index = [...arrivals]
    .sort((a, b) => a - b)
    .findIndex((time, at) => (ready[at] ?? Number.POSITIVE_INFINITY) > time);
  return index < 0 ? undefined : index + 1;
}
