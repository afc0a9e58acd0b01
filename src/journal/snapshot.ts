// The operations of a model as one entry, the old ones shortened. Pure.
import type { ClientIds } from "./client-ids.ts";
import type { Operation, OperationEvent, OperationKind } from "./events.ts";
import { foldEvents, summarize } from "./fold.ts";
import { byAge, isPast, lineOf, type Named, type Past, readPast } from "./past.ts";

export interface Snapshot {
  /** The oldest first. */
  readonly operations: readonly Named[];
  readonly past: Past;
  /** When the newest of all began. */
  readonly began: number;
  readonly ids: Readonly<Record<OperationKind, ClientIds>>;
}

/** The newest operations that stay whole. */
const keptWhole = 200;

/** An operation stays whole for at least this long after its last event, in milliseconds. */
const settledFor = 60 * 60 * 1000;

/** Keeps, of an old operation that is over, the facts that a later decision needs. */
export function takeSnapshot(
  {
    began,
    ids,
    operations,
    past,
  }: Omit<Snapshot, "operations"> & { readonly operations: ReadonlyMap<string, Operation> },
  now: number,
): Snapshot {
  const kept = [...operations]
    .sort(byAge)
    .flatMap((named, index) => (index < operations.size - keptWhole ? shorten(named, now) : [named]));
  const isOver = ([, operation]: Named) => isPast(operation);
  const over = [...readPast(past).filter(([id]) => !operations.has(id)), ...kept.filter(isOver)];
  return { began, ids, operations: kept.filter((each) => !isOver(each)), past: over.map(lineOf).join("") };
}

function shorten([id, operation]: Named, now: number): readonly Named[] {
  const { began, events, first } = operation;
  const at = events.at(-1)?.at ?? "";
  const isRecent = !(now - Date.parse(at) > settledFor);
  if (isRecent) return [[id, operation]];
  const log = foldEvents({ baseUrl: "", account: undefined, id }, first, events);
  const summary = summarize(log);
  if (summary === undefined) return [[id, operation]];
  const event: OperationEvent = { type: "pruned", at, summary };
  return [[id, { began, first: log.next - 1, events: [event] }]];
}
