// How the next page of a list is asked for, from an answer: a `Link` header, a field with an address, a cursor of any kind,
// or the next number. A sign of a next page that is none of these cannot be followed.

import type { Pages } from "../document/operations.ts";
import { plainName } from "../text/suggest.ts";
import { type Fields, isMapping } from "../untrusted-data.ts";

/** `unknown`: there is a next page, or may be, and it cannot be asked for. */
export type NextPage = "none" | "unknown" | { readonly query: string };

export interface Page {
  readonly entries: readonly Fields[];
  /** The answer. */
  readonly json: unknown;
  /** The `Link` header. */
  readonly link: string | undefined;
  /** The path of the list, below the base URL. */
  readonly path: string;
}

/** The longest query that is sent, in characters. */
const longestQuery = 4096;

const saysMore =
  /^(?:next(?:page|cursor|id|token|pagetoken|url|link|offset|start)?|has(?:more|next|nextpage)|(?:end)?cursor|continuation(?:token)?)$/;

/** The query of the first page. */
export function firstQuery(pages: Pages): string {
  return pages.next?.kind === "page"
    ? queryOf(pages, pages.next.param, String(pages.next.first))
    : queryOf(pages);
}

/** `number`: how many pages were read. */
export function findNextPage(pages: Pages, page: Page, number: number): NextPage {
  const { entries, json, link, path } = page;
  const { next } = pages;
  const linked = /<([^>]*)>\s*;[^,]*\brel="?(?:[^",]*\s)?next\b/i.exec(link ?? "")?.[1];
  if (linked !== undefined) return queryIn(linked, path);
  const ofCursor = next?.kind === "cursor" ? [plainName(next.param), `next${plainName(next.param)}`] : [];
  const isNext = (name: string) => ofCursor.includes(plainName(name)) || saysMore.test(plainName(name));
  const holders = isMapping(json) ? [json, ...Object.values(json).filter(isMapping)] : [];
  const said = holders.flatMap((each) => Object.entries(each)).filter(([name]) => isNext(name));
  const left = said.filter(([, value]) => ![null, undefined, false, ""].includes(value as null));
  const isOver = said.some(([name, value]) => /^has/i.test(name) && value === false);
  if (isOver || (said.length > 0 && left.length === 0)) return "none";
  const counted =
    next?.kind === "page" && entries.length > 0 && queryOf(pages, next.param, String(next.first + number));
  if (counted) return { query: counted };
  if (left.length === 0) return next !== undefined || isOnlyPage(pages, entries.length) ? "none" : "unknown";
  const [, cursor] = left.find(([name]) => ofCursor.includes(plainName(name))) ?? [];
  if (next !== undefined && (typeof cursor === "string" || typeof cursor === "number"))
    return bounded(queryOf(pages, next.param, String(cursor)));
  const address = left
    .map(([, value]) => value)
    .find((value) => typeof value === "string" && value.includes("?"));
  return address === undefined ? "unknown" : queryIn(address as string, path);
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

/** Whether a list without a next page has no more entries than those of its page. */
function isOnlyPage({ pageSize }: Pages, count: number): boolean {
  return pageSize === undefined || count < (pageSize.max ?? 1);
}
