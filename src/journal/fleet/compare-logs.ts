// Compares this machine's copy of a log with the log of the shared journal, event by event. What this machine has appended
// and the shared journal lacks is evidence of a send. Pure.
import { isDeepStrictEqual } from "node:util";
import { isMapping, ownValue } from "../../untrusted-data.ts";
import type { StoredEvent, StoredLog } from "../event-store.ts";
import type { OperationEvent, OperationKey, OperationLog } from "../events.ts";
import { foldEvents } from "../fold.ts";
import { isRedactedText, redactStored } from "./redact-events.ts";

export type Comparison =
  /** The shared journal has everything that decides. */
  | { readonly kind: "complete" }
  /** It has the attempts and lacks the ending of one, which only this machine knows. */
  | { readonly kind: "behind"; readonly ending: StoredEvent }
  /** It lacks an attempt or a claim, and has nothing else: this machine's copy continues it. */
  | { readonly kind: "lost" }
  /** It lacks an attempt, and has events of others in its place. */
  | { readonly kind: "conflict" };

export function compareLogs(here: StoredLog, there: StoredLog): Comparison {
  if (here.events.length === 0) return { kind: "complete" };
  if (there.events.length === 0) return { kind: "lost" };
  const missing = here.events.filter((event) => !includes(there, event));
  const isContinued = there.events.every((event) => includes(here, event));
  if (here.events[0]?.event === undefined)
    // Only more claims than this machine has seen prune a log of claims.
    return { kind: missing.length > 0 && isContinued && there.first === 0 ? "lost" : "complete" };
  const shared = stateOf(there);
  if (missing.length === 0 || shared.state === "created") return { kind: "complete" };
  const steps = missing.map(({ event }) => event as OperationEvent);
  if (!steps.some(({ type }) => type === "sending" || type === "pruned")) {
    const ending = missing[steps.findIndex((step) => isEnding(step) && isAwaited(shared, step))];
    return ending === undefined ? { kind: "complete" } : { kind: "behind", ending };
  }
  if (isContinued) return { kind: "lost" };
  const { created, uncertain } = stateOf(here);
  return { kind: created === undefined && uncertain === undefined ? "complete" : "conflict" };
}

/** Whether the process that sent the attempt is the only one that knows the event. A person can repeat a decision. */
export function isEnding(event: OperationEvent): boolean {
  if (event.type === "created") return event.by !== "person";
  return event.type === "unsent" || event.type === "refused" || event.type === "uncertain";
}

function isAwaited({ uncertain }: OperationLog, { type }: OperationEvent): boolean {
  return type === "created" || uncertain !== undefined;
}

function includes({ events }: StoredLog, event: StoredEvent): boolean {
  return events.some((each) => isEqual(each, event));
}

/** A shared journal has less of an event than this machine, and may order its fields differently. */
export function isEqual(one: StoredEvent, other: StoredEvent | undefined): boolean {
  return other !== undefined && isDeepStrictEqual(redactStored(one), redactStored(other));
}

/** Whether two journals disagree about an event. A part that only one of them has is no disagreement. */
export function contradicts(one: StoredEvent, other: StoredEvent | undefined): boolean {
  return one.writer === other?.writer && !(isEqual(one, other) && agree(one, other));
}

function agree(one: unknown, other: unknown): boolean {
  if (isMapping(one) && isMapping(other))
    return Object.entries(one).every(([name, value]) => {
      const its = ownValue(other, name);
      return its === undefined || agree(value, its);
    });
  return isDeepStrictEqual(one, other) || isRedactedText(one) || isRedactedText(other);
}

/** The state of the log of an operation. */
export function stateOf({ events, first }: StoredLog): OperationLog {
  const steps = events.map(({ event }) => event as OperationEvent);
  return foldEvents(events[0]?.key as OperationKey, first, steps);
}

/** Whether a log that begins with these events has an attempt whose outcome is not known. */
export function isUnsettled(events: readonly StoredEvent[]): boolean {
  return events[0]?.event !== undefined && stateOf({ first: 0, events }).uncertain !== undefined;
}
