// Reads the lists of the service, page by page, as its document describes them.
import type { Outcome } from "../http/transport.ts";
import type { Incident } from "../incident/wire.ts";
import type { Operations, Pages } from "../rules/openapi/operations.ts";
import { type Fields, fieldOf, isMapping } from "../untrusted-data.ts";
import { readJson } from "./answer.ts";
import type { RequestFacts } from "./request-facts.ts";
import type { FailureOf, ReadOptions, Send, ServiceRequest } from "./send.ts";

export interface ListOptions extends ReadOptions {
  /** The most entries to read. */
  readonly most: number;
  /** Called with the entries so far after each page. If it is true, no further page is read. */
  readonly isEnough?: (entries: readonly Fields[]) => boolean;
}

export interface List<T = Fields> {
  /** Each once, in the order of the service. */
  readonly entries: readonly T[];
  /** False where the service has more, or may have: a bound ended the list, or the service repeats its pages. */
  readonly isComplete: boolean;
}

/** The longest cursor that is sent back, in characters. */
const longestCursor = 4096;

export interface Lists {
  /** The service's incidents. Throws a `Failure`. */
  listIncidents(operation: NonNullable<Operations["list"]>, options: ListOptions): Promise<List<Incident>>;
  /** The services of the service. Throws a `Failure`. */
  listServices(operation: Pages, options: ListOptions): Promise<List>;
}

export function createLists(send: Send, failureOf: FailureOf): Lists {
  const read = async (
    operation: Extract<RequestFacts["operation"], "list" | "services">,
    request: Pick<ServiceRequest, "collection" | "id" | "segment">,
    pages: Pages,
    { isEnough = () => false, most, ...options }: ListOptions,
  ): Promise<List> => {
    const found = new Map<string, Fields>();
    const cursors = new Set<string>();
    let next: string | undefined;
    for (let number = 0; ; number += 1) {
      const outcome = await send({ ...request, method: "GET", query: queryOf(pages, number, next) }, options);
      const page = readPage(outcome, pages);
      if (typeof page === "string") throw failureOf(outcome, operation, request.id, page);
      const before = found.size;
      for (const [at, entry] of page.entries.entries())
        found.set(typeof entry.id === "string" ? entry.id.toLowerCase() : `${number} ${at}`, entry);
      const entries = [...found.values()];
      const end = (isComplete: boolean) => ({
        entries: entries.slice(0, most),
        isComplete: isComplete && entries.length <= most,
      });
      if (pages.next === undefined) return end(isOnlyPage(pages, page.entries.length));
      if (page.entries.length === 0) return end(true);
      if (pages.next.kind === "cursor") {
        next = page.cursor;
        if (next === undefined) return end(true);
        if (cursors.has(next)) return end(false);
        cursors.add(next);
      }
      if (found.size === before || found.size >= most || isEnough(entries)) return end(false);
    }
  };
  return {
    listIncidents: async (operation, options) =>
      (await read("list", {}, operation, options)) as List<Incident>,
    listServices: (operation, options) => read("services", { collection: "services" }, operation, options),
  };
}

function queryOf({ next, pageSize }: Pages, number: number, cursor: string | undefined): string {
  const query = new URLSearchParams();
  if (pageSize?.max !== undefined) query.set(pageSize.param, String(pageSize.max));
  if (next?.kind === "page") query.set(next.param, String(next.first + number));
  if (next?.kind === "cursor" && cursor !== undefined) query.set(next.param, cursor);
  return query.toString();
}

/** Whether a list without a next page has no more entries than those of its page. */
function isOnlyPage({ pageSize }: Pages, count: number): boolean {
  return pageSize === undefined || count < (pageSize.max ?? 1);
}

/** The entries of a page, and the cursor of the next one; a text completes "the answer …". */
function readPage(
  outcome: Outcome,
  { items, next }: Pages,
): { readonly entries: readonly Fields[]; readonly cursor: string | undefined } | string {
  if (outcome.phase !== "answered" || outcome.status !== 200) return "is no list";
  const json = readJson(outcome);
  if (!json.ok) return json.problem;
  const list = items.reduce<unknown>(fieldOf, json.value);
  if (!Array.isArray(list)) return `has no list${items.length === 0 ? "" : ` in ${items.join(".")}`}`;
  const entries = list.filter(isMapping);
  if (entries.length < list.length) return "has an entry that is no object";
  if (entries.some(({ id }) => typeof id !== "string")) return "has an entry without an id";
  const holders = [
    items.slice(0, -1).reduce<unknown>(fieldOf, json.value),
    json.value,
    fieldOf(json.value, "data"),
  ];
  const cursor = next && holders.map((each) => fieldOf(each, next.param)).find((each) => each !== undefined);
  const isCursor = typeof cursor === "string" && cursor !== "" && cursor.length <= longestCursor;
  return { entries, cursor: isCursor ? cursor : undefined };
}
