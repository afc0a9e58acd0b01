// The operations as the store has them, read by the model of the protocol.
import type { OperationEvent, OwnEvent } from "../../../src/journal/events.ts";
import type { Named } from "../../../src/journal/snapshot.ts";
import { fieldOf } from "../../../src/untrusted-data.ts";
import { nameIn, type Reading, readSteps } from "../../delivery/histories/protocol-model.ts";
import { keyOf } from "./keys.ts";
import type { SequenceState } from "./sequence-state.ts";
import { Violation, type World } from "./world.ts";

export interface ReadLog {
  /** What the name of the journal of its machine is. */
  readonly place: string;
  readonly id: string;
  /** The number of the event that comes next. */
  readonly next: number;
  readonly reading: Reading;
  readonly steps: readonly OperationEvent[];
  readonly writers: readonly string[];
  /** Whether it is of an update or an edit. */
  readonly isChange: boolean;
}

const readLogs = new WeakMap<SequenceState, readonly Omit<ReadLog, "place">[]>();

/** The operations as the store has them. Throws a `Violation` where the protocol does not permit an event. */
export function operationLogs(world: World): readonly ReadLog[] {
  return [...world.sequences].flatMap(([place, state]) =>
    readSequence(world, state).map((log) => ({ ...log, place })),
  );
}

interface Written {
  first: number;
  readonly events: OperationEvent[];
  readonly writers: string[];
}

function readSequence(world: World, state: SequenceState): readonly Omit<ReadLog, "place">[] {
  const known = readLogs.get(state);
  if (known !== undefined) return known;
  const found = new Map<string, Written>();
  const write = (id: string, event: OperationEvent, writer: string, first = 0) => {
    const written = found.get(id) ?? { first, events: [], writers: [] };
    found.set(id, written);
    written.events.push(event);
    written.writers.push(writer);
  };
  for (const { events = [], snapshot, writer, wrote } of state.entries) {
    for (const [id, { events: own, first }] of (fieldOf(snapshot, "operations") ?? []) as readonly Named[]) {
      const writers = (fieldOf(wrote, id) ?? []) as readonly string[];
      for (const [index, event] of own.entries()) write(id, event, writers[index] ?? writer, first);
    }
    for (const { event, id } of events as readonly OwnEvent[]) write(id, event, writer);
  }
  const logs = [...found].map(([id, written]) => readLog(world, id, written));
  readLogs.set(state, logs);
  return logs;
}

function readLog(
  world: World,
  id: string,
  { events: steps, first, writers }: Written,
): Omit<ReadLog, "place"> {
  // The text of an alert differs from run to run, and its name is its key's.
  const ofKey = (event: OperationEvent): OperationEvent => {
    const name = nameIn(event);
    if (name === undefined || keyOf(world, { name }) === undefined || !("content" in event)) return event;
    return { ...event, content: { digest: "any", name } };
  };
  const reading = readSteps(
    steps.map((each, at) => ({ number: first + at, event: ofKey(each), process: writers[at] as string })),
  );
  // The model does not know the attempts of an operation that a snapshot shortened.
  if (reading.forbidden !== undefined && first === 0)
    throw new Violation(`the log of …${id.slice(-8)} has the event ${reading.forbidden}`);
  const isChange = steps.some((step) => "content" in step && step.content && "change" in step.content);
  return { id, next: first + steps.length, reading, steps, writers, isChange };
}

export function count(steps: readonly OperationEvent[], type: OperationEvent["type"]): number {
  return steps.filter((step) => step.type === type).length;
}

export function wasRefused(steps: readonly OperationEvent[]): boolean {
  return steps.some(({ type }) => type === "refused");
}

/** A stale read can hide a create that was committed and refused: a limit that docs/internals/protocol.md names. */
export function hiddenCommits({ refusedCommits, staleReads }: World): number {
  return staleReads > 0 ? refusedCommits : 0;
}
