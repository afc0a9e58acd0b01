// The operations of a model as one entry. Those that are old and over are shortened, and stand in one text with a line of JSON
// for each, sorted by id: of ten thousand, only the wanted lines are parsed. Pure.
import { parseJson } from "../untrusted-data.ts";
import type { ClientIds, Operation } from "./events.ts";
import { foldEvents, shortened } from "./fold.ts";
import { untrusted } from "./journal-errors.ts";

/** Each line follows a line feed. The lines are sorted by id, in UTF-16 code units. */
export type Past = string;

export type Named = readonly [id: string, operation: Operation];

/** The oldest first. */
export function byAge([, one]: Named, [, other]: Named): number {
  return one.began - other.began;
}

/** Swaps quotes, because in an entry, JSON would escape each quote of the text, which takes most of the time. */
function swapQuotes(text: string): string {
  return text.replace(/["']/g, (quote) => (quote === '"' ? "'" : '"'));
}

export function lineOf(named: Named): string {
  return `\n${swapQuotes(JSON.stringify(named))}`;
}

function parse(text: string): Named {
  const named = parseJson(swapQuotes(text)) as Named | undefined;
  if (!Array.isArray(named?.[1]?.events)) throw untrusted("snapshot", "it was changed");
  return named as Named;
}

export function readPast(past: Past): Named[] {
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

/** A binary search: a journal asks for each id that it reads, also for all that are new. */
export function findPast(past: Past, id: string): Operation | undefined {
  // Both are at the beginning of a line, or at the end of the text.
  let from = 0;
  let to = past.length;
  while (from < to) {
    const start = past.lastIndexOf("\n", Math.floor((from + to) / 2));
    const [found, operation] = lineAt(past, start);
    if (found === id) return operation;
    if (found < id) from = endOf(past, start);
    else to = start;
  }
  return undefined;
}

function endOf(past: Past, start: number): number {
  const end = past.indexOf("\n", start + 1);
  return end < 0 ? past.length : end;
}

const lineAt = (past: Past, start: number) => parse(past.slice(start + 1, endOf(past, start)));

export interface Snapshot {
  /** The oldest first. */
  readonly operations: readonly Named[];
  /** Not `past`, which snapshots had in another order. */
  readonly pastById: Past;
  readonly began: number;
  readonly ids: ClientIds;
}

/** The newest operations that stay whole. */
const keptWhole = 200;

/** An operation stays whole for at least this long after its last event, in milliseconds. */
const wholeFor = 60 * 60 * 1000;

/** Keeps, of an old operation that is over, the facts that a later decision needs. */
export function takeSnapshot(
  model: Omit<Snapshot, "operations"> & { readonly operations: ReadonlyMap<string, Operation> },
  now: number,
): Snapshot {
  const { began, ids, operations, pastById } = model;
  const whole: Named[] = [];
  const over = readPast(pastById).filter(([id]) => !operations.has(id));
  for (const [index, named] of [...operations].sort(byAge).entries()) {
    const short = index < operations.size - keptWhole ? shorten(named, now) : undefined;
    if (short === undefined) whole.push(named);
    else over.push(short);
  }
  const sorted = over.sort(([one], [other]) => (one < other ? -1 : 1));
  return { began, ids, operations: whole, pastById: sorted.map(lineOf).join("") };
}

/** Undefined for one that stays whole. */
function shorten([id, { began, events, first }]: Named, now: number): Named | undefined {
  const isRecent = !(now - Date.parse(events.at(-1)?.at ?? "") > wholeFor);
  if (isRecent) return undefined;
  const log = foldEvents({ baseUrl: "", account: undefined, id }, first, events);
  const short = shortened(log);
  return short && [id, { began, first: log.next - short.length, events: short }];
}
