// Operations that are over, and that many others followed, as one text with a row of JSON for each. Of ten thousand, nothing is
// parsed but the rows that are asked for. Pure.
import { parseJson } from "../untrusted-data.ts";
import type { EventOf, Operation, Summary } from "./events.ts";
import { untrusted } from "./journal-errors.ts";

/** Each row follows a line feed. */
export type Past = string;

/** An operation, and its id. */
export type Named = readonly [id: string, operation: Operation];

/** The oldest first. */
export function byAge([, one]: Named, [, other]: Named): number {
  return one.began - other.began;
}

type Optional<T> = T | null | undefined;

/** A text that another column has is not repeated. */
type Row = readonly [
  id: string,
  first: number,
  began: number,
  at: string,
  state: Summary["state"],
  digest: string,
  serviceId: Optional<string>,
  createdAt: Optional<string>,
  claim: Optional<string>,
  occurrence: Optional<number>,
  parts: Optional<readonly string[]>,
  rest: Omit<Summary, "state" | "digest" | "created" | "claim" | "parts">,
];

/** Whether nothing is known of it but a summary. */
export function isPast({ events }: Operation): boolean {
  return events.length === 1 && events[0]?.type === "pruned";
}

/** `operation` is past. */
export function rowOf([id, { began, events, first }]: Named): string {
  const [{ at, summary }] = events as readonly [EventOf<"pruned">];
  const { claim, created, digest, parts, state, ...rest } = summary;
  const row: Row = [
    id,
    first,
    began,
    at,
    state,
    digest,
    created?.serviceId === id ? null : created?.serviceId,
    created?.at === at ? null : created?.at,
    claim?.digest === digest ? null : claim?.digest,
    claim?.occurrence,
    parts && [parts.name, parts.severity, parts.services, ...parts.updates],
    rest,
  ];
  return `\n${JSON.stringify(row)}`;
}

function parse(text: string): Named {
  const row = parseJson(text);
  if (!Array.isArray(row)) throw untrusted("with a snapshot", "it was changed");
  const [id, first, began, at, state, digest, serviceId, createdAt, claim, occurrence, parts, rest] =
    row as unknown as Row;
  const [name = "", severity = "", services = "", ...updates] = parts ?? [];
  const summary: Summary = {
    ...rest,
    state,
    digest,
    ...(state === "created" && { created: { at: createdAt ?? at, serviceId: serviceId ?? id } }),
    ...(occurrence && { claim: { digest: claim ?? digest, occurrence } }),
    ...(parts && { parts: { name, severity, services, updates } }),
  };
  return [id, { first, began, events: [{ type: "pruned", at, summary }] }];
}

export function readPast(past: Past): readonly Named[] {
  return past.split("\n").slice(1).map(parse);
}

/** The operations that have the text, in any letter case, as a whole value. */
export function searchPast(past: Past, text: string): readonly Named[] {
  const pattern = JSON.stringify(text).replace(/[^\w-]/g, "\\$&");
  const found = [...past.matchAll(new RegExp(pattern, "gi"))].map(({ index }) =>
    past.lastIndexOf("\n", index),
  );
  return [...new Set(found)].map((start) => rowAt(past, start));
}

export function findPast(past: Past, id: string): Operation | undefined {
  const start = past.indexOf(`\n[${JSON.stringify(id)},`);
  return start < 0 ? undefined : rowAt(past, start)[1];
}

function rowAt(past: Past, start: number): Named {
  const end = past.indexOf("\n", start + 1);
  return parse(past.slice(start + 1, end < 0 ? undefined : end));
}
