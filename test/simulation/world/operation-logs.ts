// The logs of operations as the store has them, read by the model of the protocol.
import type { OperationEvent, OperationKey } from "../../../src/journal/events.ts";
import { nameIn, type Reading, readSteps } from "../../delivery/histories/protocol-model.ts";
import { keyOf } from "./keys.ts";
import type { LogState } from "./log-state.ts";
import { placeOfLog } from "./start.ts";
import { Violation, type World } from "./world.ts";

export interface ReadLog {
  /** What the names of the logs of its machine start with. */
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

const readLogs = new WeakMap<LogState, Omit<ReadLog, "place">>();

/** The logs of operations as the store has them. Throws a `Violation` where the protocol does not permit an event. */
export function operationLogs(world: World): readonly ReadLog[] {
  const logs: ReadLog[] = [];
  for (const [name, state] of world.logs) {
    const place = placeOfLog(name);
    if (name.startsWith(`${place}op-`) && state.events.length > 0)
      logs.push({ ...readLog(world, state), place });
  }
  return logs;
}

export function readLog(world: World, state: LogState): Omit<ReadLog, "place"> {
  const known = readLogs.get(state);
  if (known !== undefined) return known;
  const records = state.events as unknown as { key: OperationKey; event: OperationEvent; writer: string }[];
  const { id } = (records[0] as (typeof records)[number]).key;
  const steps = records.map(({ event }) => event);
  const writers = records.map(({ writer }) => writer);
  // The text of an alert differs from run to run, and its name is its key's.
  const ofKey = (event: OperationEvent): OperationEvent => {
    const name = nameIn(event);
    if (name === undefined || keyOf(world, { name }) === undefined || !("content" in event)) return event;
    return { ...event, content: { digest: "any", name } };
  };
  const reading = readSteps(
    records.map(({ event, writer }, index) => ({
      number: state.first + index,
      event: ofKey(event),
      process: writer,
    })),
  );
  // The model does not know the attempts of a log that was pruned.
  if (reading.forbidden !== undefined && steps[0]?.type !== "pruned")
    throw new Violation(`the log of …${id.slice(-8)} has the event ${reading.forbidden}`);
  const isChange = steps.some((step) => "content" in step && step.content && "change" in step.content);
  const log = { id, next: state.next, reading, steps, writers, isChange };
  readLogs.set(state, log);
  return log;
}

export function count(steps: readonly OperationEvent[], type: OperationEvent["type"]): number {
  return steps.filter((step) => step.type === type).length;
}

export function wasRefused(steps: readonly OperationEvent[]): boolean {
  return steps.some(
    (step) => step.type === "refused" || (step.type === "pruned" && step.summary.state === "refused"),
  );
}

/** A stale read can hide a create that was committed and refused: a limit that docs/internals/protocol.md names. */
export function hiddenCommits({ refusedCommits, staleReads }: World): number {
  return staleReads > 0 ? refusedCommits : 0;
}
