// Reads the lists of the service page by page, as its document describes them. The next page is named by a `Link` header, an
// address, a cursor or the next number. A sign of a next page that is none of these cannot be followed.
import type { Pages } from "../document/contract.ts";
import type { Outcome } from "../http/transport.ts";
import type { Incident } from "../incident/wire.ts";
import { plainName } from "../text/suggest.ts";
import { entriesOf, type Fields, fieldOf, isMapping, parseJson } from "../untrusted-data.ts";
import { limitDepth, readJson } from "./answer.ts";
import { type FailureOf, pathOf, type ReadOptions, type Send } from "./request.ts";

/** The most entries that are read, unless a command needs more. */
export const mostListed = 1000;

interface ListOptions extends ReadOptions {
  readonly most?: number;
  /** Called with the entries so far after each page. If it is true, no further page is read. */
  readonly isEnough?: (entries: readonly Incident[]) => boolean;
}

export interface List {
  /** Each once, in the order of the service. Of a service, only the type of the id is checked, as of an incident. */
  readonly entries: readonly Incident[];
  /** False where the service has more entries, or may have: at a bound, without a usable next page, or below a stated total. */
  readonly isComplete: boolean;
}

/** At 600 requests a minute, a list without an end is read for less than two minutes. */
const mostPages = 1000;

export function createListReader(send: Send, failureOf: FailureOf) {
  /** Throws a `Failure`. */
  return async (
    name: "incidents" | "services",
    pages: Pages,
    { isEnough = () => false, most = mostListed, ...options }: ListOptions = {},
  ): Promise<List> => {
    const found = new Map<string, Incident>();
    const sent = new Set<string>();
    const path = pathOf(name);
    const operation = name === "incidents" ? "list" : name;
    const { next: asked } = pages;
    const isCounted = asked?.kind === "page" && asked.first !== undefined;
    let query = isCounted ? queryOf(pages, asked.param, String(asked.first)) : queryOf(pages);
    for (let number = 1; ; number += 1) {
      sent.add(query);
      const outcome = await send({ method: "GET", path, query }, options);
      const page = readPage(outcome, pages);
      if (typeof page === "string") throw failureOf(outcome, operation, undefined, page);
      const sizeSoFar = found.size;
      for (const entry of page.entries) found.set(entry.id.toLowerCase(), entry);
      const all = [...found.values()];
      const entries = all.slice(0, most);
      const next = findNextPage(pages, page, path, number);
      if (next === "none") {
        const isAll = totalOf(page, saysCount) <= all.length && totalOf(page, saysPages) <= number;
        return { entries, isComplete: all.length <= most && isAll && !page.fields.some(mayMeanMore) };
      }
      const mayRepeat = number === 2 && asked?.kind === "page" && !isCounted;
      const isRepeated = page.entries.length > 0 && found.size === sizeSoFar && !mayRepeat;
      if (next === "unknown" || isRepeated || sent.has(next.query)) return { entries, isComplete: false };
      if (all.length >= most || number >= mostPages || isEnough(all)) return { entries, isComplete: false };
      query = next.query;
    }
  };
}

/** The entries of a page; a text completes "the answer …". */
function readPage(outcome: Outcome, { items }: Pages): ListPage | string {
  if (outcome.phase !== "answered" || outcome.status !== 200) return "is no list";
  const json = readJson(outcome);
  if (json.problem !== undefined) return json.problem;
  const list = items.reduce<unknown>(fieldOf, json.value);
  if (!Array.isArray(list)) return `has no list${items.length === 0 ? "" : ` in ${items.join(".")}`}`;
  const entries = list.filter(isMapping);
  if (entries.length < list.length) return "has an entry that is no object";
  const hasId = (entry: Fields): entry is Incident => typeof entry.id === "string";
  if (!entries.every(hasId)) return "has an entry without an id";
  const { headers } = outcome;
  // Such as `X-Pagination: {"totalCount":9}`.
  const inHeaders = Object.values(headers).map((text) =>
    text.startsWith("{") ? limitDepth(parseJson(text)) : undefined,
  );
  const fields = [headers, json.value, ...inHeaders].flatMap((each) => fieldsOf(each));
  return { entries, fields, link: headers.link };
}

/** `unknown`: there is a next page, or may be, and it cannot be asked for. */
type NextPage = "none" | "unknown" | { readonly query: string };

interface ListPage {
  readonly entries: readonly Incident[];
  /** Of the answer, and headers, which can say the same: `X-Next-Page`, `X-Total-Count`, `Content-Range`. */
  readonly fields: readonly Field[];
  readonly link: string | undefined;
}

type Field = readonly [plainName: string, value: unknown];

/** The longest query that is sent, in characters. */
const longestQuery = 4096;

const saysMore =
  /^(?:next(?:page)?(?:cursor|id|token|url|uri|link|href|offset|start|number)?|has(?:more|next|nextpage)|(?:end)?cursor|continuation(?:token)?)$/;

/** Fields that can say that there are more entries. They never prove the end of a list: another sign is stronger. */
const moreFlags = /^(?:(?:is)?(?:more|truncated)|x(?:has(?:more|next)|next(?:page|cursor)?))$/;
const lastFlags = /^(?:is)?last(?:page)?$/;

/** Without `count` and `length`: they can be those of the page. */
const saysTotal =
  /^(?:numfound|x?total(?:count|elements|entries|hits|items|records|results|size)?|contentrange)$/;
const saysCount = new RegExp(`^(?:count|length)$|${saysTotal.source}`);
const saysPages = /^x?(?:totalpages|pages|pagecount|pagetotal|numpages|lastpage)$/;

/** `number`: how many pages were read. */
function findNextPage(pages: Pages, page: ListPage, path: string, number: number): NextPage {
  const { entries, fields, link = "" } = page;
  const { next } = pages;
  const linked = linkToNext(link);
  if (linked !== undefined) return queryIn(linked, path);
  const ofCursor = next?.kind === "cursor" ? [plainName(next.param), `next${plainName(next.param)}`] : [];
  const said = fields.filter(([name]) => ofCursor.includes(name) || saysMore.test(name));
  const left = said.filter(([, value]) => ![null, undefined, false, ""].includes(value as null));
  const isOver = said.some(([name, value]) => name.startsWith("has") && value === false);
  if (isOver || (said.length > 0 && left.length === 0)) return "none";
  const counted =
    next?.kind === "page" &&
    entries.length > 0 &&
    queryOf(pages, next.param, String((next.first ?? 0) + number));
  if (counted) return { query: counted };
  // An answer without an address of the next page is the last one, where the others have one.
  const isLast = next !== undefined || number > 1 || isOnlyPage(pages, page);
  if (left.length === 0) return isLast ? "none" : "unknown";
  const [, cursor] = left.find(([name]) => ofCursor.includes(name)) ?? [];
  if (next !== undefined && (typeof cursor === "string" || typeof cursor === "number"))
    return bounded(queryOf(pages, next.param, String(cursor)));
  const address = left
    .map(([, value]) => value)
    .find((value) => typeof value === "string" && value.includes("?"));
  return address === undefined ? "unknown" : queryIn(address as string, path);
}

function mayMeanMore([name, value]: Field): boolean {
  if (lastFlags.test(name)) return value === false;
  return moreFlags.test(name) && Boolean(value) && value !== "false";
}

/** The address of `<…>; rel="next"` in a `Link` header (RFC 8288). Takes linear time. */
function linkToNext(header: string): string | undefined {
  const isNext = (part: string) => /^\s*rel\s*=/i.test(part) && /\bnext\b/i.test(part);
  for (const link of header.split(/,(?=\s*<)/)) {
    const [, address, parts = ""] = /^\s*<([^>]*)>(.*)$/s.exec(link) ?? [];
    if (parts.split(";").some(isNext)) return address;
  }
  return undefined;
}

function queryOf({ pageSize }: Pages, param?: string, value = ""): string {
  const query = new URLSearchParams();
  if (pageSize?.max !== undefined) query.set(pageSize.param, String(pageSize.max));
  if (param !== undefined) query.set(param, value);
  return query.toString();
}

/** The query of an address of the same list. Its host is never used. */
function queryIn(address: string, path: string): NextPage {
  const base = "http://list.invalid/";
  if (!URL.canParse(address, base)) return "unknown";
  const { pathname, search } = new URL(address, base);
  return pathname === "/" || pathname.endsWith(path) ? bounded(search.slice(1)) : "unknown";
}

function bounded(query: string): NextPage {
  return query.length <= longestQuery ? { query } : "unknown";
}

/** Whether one page is the whole list, where nothing describes a next page. */
function isOnlyPage({ isPart, pageSize }: Pages, page: ListPage): boolean {
  if (pageSize === undefined && isPart === undefined) return true;
  return page.entries.length < (pageSize?.max ?? 1) || page.entries.length === totalOf(page, saysTotal);
}

/** The names of objects about pages. A count in any other object further in is one of something else. */
const aboutPages = /^(?:meta(?:data)?|links?|(?:page|paging|pagination|cursors?)(?:info)?)$/;

/** The fields of an object and of those in it; further in, of objects about pages. Links, `{ rel, href }`, are fields. */
function fieldsOf(value: unknown, isInner = false): readonly Field[] {
  if (isMapping(value)) {
    const fields = Object.entries(value).map(([name, own]) => [plainName(name), own] as const);
    const followed = fields.filter(([name]) => !isInner || aboutPages.test(name));
    return [...fields, ...followed.flatMap(([, own]) => fieldsOf(own, true))];
  }
  return entriesOf(value).flatMap((each): readonly Field[] => {
    const [name, address] = [fieldOf(each, "rel"), fieldOf(each, "href")];
    return typeof name === "string" && address !== undefined ? [[plainName(name), address]] : [];
  });
}

/** The entries or the pages of the whole list, as the answer states them; 0 where it does not. */
function totalOf({ fields }: ListPage, names: RegExp): number {
  const stated = fields
    .filter(([name]) => names.test(name))
    // `Content-Range: items 0-4/9`
    .map(([, value]) => (typeof value === "string" ? Number(value.replace(/^.*\//, "")) : value));
  const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
  return Math.max(0, ...stated.filter(isCount));
}
