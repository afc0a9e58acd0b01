// The operations of a model as one entry, the old ones shortened. Those that are over, and that many others followed, are one
// text with a line of JSON for each: of ten thousand, only the lines that are asked for are parsed. Pure.
import { parseJson } from "../untrusted-data.ts";
import type { ClientIds, EventOf, Operation, OperationEvent } from "./events.ts";
import { foldEvents, summarize } from "./fold.ts";
import { untrusted } from "./journal-errors.ts";

/** Each line follows a line feed. */
export type Past = string;

/** An operation, and its id. */
export type Named = readonly [id: string, operation: Operation];

type Pruned = EventOf<"pruned">;
type Line = readonly [id: string, first: number, began: number, at: Pruned["at"], summary: Pruned["summary"]];

/** The oldest first. */
export function byAge([, one]: Named, [, other]: Named): number {
  return one.began - other.began;
}

/** Whether nothing is known of it but a summary. */
export function isPast({ events }: Operation): boolean {
  return events.length === 1 && events[0]?.type === "pruned";
}

/** They change places: as a part of an entry, JSON would escape each quote of the text, which takes most of the time. */
function swapQuotes(text: string): string {
  return text.replace(/["']/g, (quote) => (quote === '"' ? "'" : '"'));
}

/** `operation` is past. */
export function lineOf([id, { began, events, first }]: Named): string {
  const [{ at, summary }] = events as readonly [Pruned];
  const line: Line = [id, first, began, at, summary];
  return `\n${swapQuotes(JSON.stringify(line))}`;
}

function parse(text: string): Named {
  const line = parseJson(swapQuotes(text));
  if (!Array.isArray(line)) throw untrusted("with a snapshot", "it was changed");
  const [id, first, began, at, summary] = line as unknown as Line;
  return [id, { first, began, events: [{ type: "pruned", at, summary }] }];
}

export function readPast(past: Past): readonly Named[] {
  return past.split("\n").slice(1).map(parse);
}

/** The operations that have the text, in any letter case, as a whole value. */
export function searchPast(past: Past, text: string): readonly Named[] {
  const pattern = swapQuotes(JSON.stringify(text)).replace(/[^\w-]/g, "\\$&");
  const found = [...past.matchAll(new RegExp(pattern, "gi"))].map(({ index }) =>
    past.lastIndexOf("\n", index),
  );
  return [...new Set(found)].map((start) => lineAt(past, start));
}

export function findPast(past: Past, id: string): Operation | undefined {
  const start = past.indexOf(`\n[${swapQuotes(JSON.stringify(id))},`);
  return start < 0 ? undefined : lineAt(past, start)[1];
}

function lineAt(past: Past, start: number): Named {
  const end = past.indexOf("\n", start + 1);
  return parse(past.slice(start + 1, end < 0 ? undefined : end));
}

export interface Snapshot {
  /** The oldest first. */
  readonly operations: readonly Named[];
  readonly past: Past;
  /** When the newest of all began. */
  readonly began: number;
  readonly ids: ClientIds;
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
