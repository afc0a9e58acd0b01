// Replays the journal that a history left against the second model of the protocol.
import type { Claim, OwnEvent } from "../../../src/journal/events.ts";
import { type AppendedEntry, entriesOf } from "./check-history.ts";
import type { RecordedCall } from "./history.ts";
import { forbiddenStep, type Step } from "./protocol-model.ts";

export interface ReplayedHistory {
  readonly events: number;
  /** Empty where the model permits every event. */
  readonly violations: readonly string[];
}

export interface ReplayOptions {
  /** When each create arrived at the service, on the clock of the history. */
  readonly arrivals?: readonly number[];
}

export function replayHistory(
  calls: readonly RecordedCall[],
  { arrivals = [] }: ReplayOptions = {},
): ReplayedHistory {
  const violations: string[] = [];
  const sendings: number[] = [];
  let count = 0;
  for (const [name, entries] of entriesOf(calls)) {
    const gap = entries.find(({ number }, index) => number !== index);
    if (gap !== undefined) violations.push(`${name} ${gap.number}: follows no entry`);
    const operations = new Map<string, Step[]>();
    const claims = new Map<string, string>();
    for (const { event, id, process, known } of entries.flatMap(eventsIn)) {
      const steps = operations.get(id) ?? [];
      operations.set(id, [...steps, { number: steps.length, event, process }]);
      count += 1;
      if (event.type === "sending") sendings.push(known);
      if (event.type !== "sending" || event.claim === undefined || steps.length > 0) continue;
      const earlier = claims.get(textOf(event.claim));
      const isOver =
        earlier === undefined || operations.get(earlier)?.some((step) => step.event.type === "created");
      if (!isOver) violations.push(`${name} ${id}: begun before ${earlier} was declared`);
      claims.set(textOf(event.claim), id);
    }
    for (const [id, steps] of operations) {
      const reason = forbiddenStep(steps);
      if (reason !== undefined) violations.push(`${name} ${id}: ${reason}`);
    }
  }
  const early = firstEarly(arrivals, sendings);
  if (early !== undefined)
    violations.push(`create ${early} arrived before its sending event was known to be stored`);
  return { events: count, violations };
}

/** None of a snapshot: the entries that it replaced are in the history. */
function eventsIn({ entry, known, process }: AppendedEntry) {
  return ((entry.events ?? []) as readonly OwnEvent[]).map((own) => ({ ...own, known, process }));
}

function textOf({ digest, occurrence }: Claim): string {
  return `${occurrence} ${digest}`;
}

/** The number of the first create, from 1, for which there was no `sending` event yet. */
function firstEarly(arrivals: readonly number[], sendings: readonly number[]): number | undefined {
  const ready = [...sendings].sort((a, b) => a - b);
  const index = [...arrivals]
    .sort((a, b) => a - b)
    .findIndex((time, at) => (ready[at] ?? Number.POSITIVE_INFINITY) > time);
  return index < 0 ? undefined : index + 1;
}
