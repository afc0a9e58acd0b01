// Reads the lists of the service, page by page, as its document describes them.

import type { Pages } from "../document/operations.ts";
import type { Outcome } from "../http/transport.ts";
import type { Incident } from "../incident/wire.ts";
import { type Fields, fieldOf, isMapping } from "../untrusted-data.ts";
import { readJson } from "./answer.ts";
import { findNextPage, firstQuery, type Page } from "./next-page.ts";
import { type FailureOf, pathOf, type ReadOptions, type Send } from "./request.ts";

export interface ListOptions extends ReadOptions {
  /** The most entries to read. */
  readonly most: number;
  /** Called with the entries so far after each page. If it is true, no further page is read. */
  readonly isEnough?: (entries: readonly Fields[]) => boolean;
}

export interface List<T = Fields> {
  /** Each once, in the order of the service. */
  readonly entries: readonly T[];
  /** False where the service has more, or may have: a bound ended the list, or its next page cannot be followed. */
  readonly isComplete: boolean;
}

export type Lists = ReturnType<typeof createLists>;

export function createLists(send: Send, failureOf: FailureOf) {
  const read = async (
    operation: "list" | "services",
    pages: Pages,
    { isEnough = () => false, most, ...options }: ListOptions,
  ): Promise<List> => {
    const request = operation === "services" ? ({ collection: operation } as const) : {};
    const found = new Map<string, Fields>();
    const sent = new Set<string>();
    const path = pathOf(request);
    let query = firstQuery(pages);
    for (let number = 1; ; number += 1) {
      sent.add(query);
      const outcome = await send({ ...request, method: "GET", query }, options);
      const page = readPage(outcome, pages);
      if (typeof page === "string") throw failureOf(outcome, operation, undefined, page);
      const sizeSoFar = found.size;
      for (const entry of page.entries) found.set(String(entry.id).toLowerCase(), entry);
      const all = [...found.values()];
      const entries = all.slice(0, most);
      const next = findNextPage(pages, { ...page, path }, number);
      if (next === "none") return { entries, isComplete: all.length <= most };
      const isRepeated = page.entries.length > 0 && found.size === sizeSoFar;
      if (next === "unknown" || isRepeated || sent.has(next.query)) return { entries, isComplete: false };
      if (all.length >= most || number >= most || isEnough(all)) return { entries, isComplete: false };
      query = next.query;
    }
  };
  return {
    /** The service's incidents. Throws a `Failure`. */
    listIncidents: async (pages: Pages, options: ListOptions) =>
      (await read("list", pages, options)) as List<Incident>,
    /** The services of the service. Throws a `Failure`. */
    listServices: (pages: Pages, options: ListOptions) => read("services", pages, options),
  };
}

/** The entries of a page; a text completes "the answer …". */
function readPage(outcome: Outcome, { items }: Pages): Omit<Page, "path"> | string {
  if (outcome.phase !== "answered" || outcome.status !== 200) return "is no list";
  const json = readJson(outcome);
  if (!json.ok) return json.problem;
  const list = items.reduce<unknown>(fieldOf, json.value);
  if (!Array.isArray(list)) return `has no list${items.length === 0 ? "" : ` in ${items.join(".")}`}`;
  const entries = list.filter(isMapping);
  if (entries.length < list.length) return "has an entry that is no object";
  if (entries.some(({ id }) => typeof id !== "string")) return "has an entry without an id";
  return { entries, json: json.value, link: outcome.headers.link };
}
