// Operations that are over, and that many others followed: one text with a line of JSON for each. Of ten thousand, only the
// lines that are asked for are parsed. Pure.
import { parseJson } from "../untrusted-data.ts";
import type { EventOf, Operation } from "./events.ts";
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
