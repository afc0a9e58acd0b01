// A page of a list, in the shape of the sandbox or of the service whose contract it follows.
import { errorResponse, jsonResponse, type ServiceResponse } from "../response.ts";

export interface PageShape {
  /** The steps from the answer to its entries; none for an answer that is the list. */
  readonly items: readonly string[];
  readonly pageSize?: { readonly param: string; readonly max?: number };
  /** Absent for a list of one page. */
  readonly next?:
    | { readonly kind: "cursor"; readonly param: string }
    | { readonly kind: "page"; readonly param: string; readonly first: number };
}

export const ownPages: PageShape = {
  items: ["entries"],
  pageSize: { param: "limit", max: 100 },
  next: { kind: "cursor", param: "nextId" },
};

/** A cursor is the id of the first entry of its page. */
export function pageOf(
  all: readonly { readonly id: string }[],
  query: Pick<URLSearchParams, "get">,
  { items: [...steps], next, pageSize = { param: "limit" } }: PageShape,
  isWhole = next === undefined,
): ServiceResponse {
  const { max = 100, param } = pageSize;
  const size = Number(query.get(param) ?? Math.min(20, max));
  if (!Number.isInteger(size) || size < 1 || size > max)
    return errorResponse(400, `${param} must be an integer from 1 to ${max}`);
  const given = next && query.get(next.param);
  const startOf = (text: string) =>
    next?.kind === "page" ? (Number(text) - next.first) * size : all.findLastIndex(({ id }) => id === text);
  const start = typeof given === "string" ? startOf(given) : 0;
  if (!Number.isInteger(start) || start < 0)
    return errorResponse(400, `${next?.param} must be that of a page`);
  const end = isWhole ? all.length : start + size;
  const entries = all.slice(start, end);
  const last = steps.pop();
  const cursor = next?.kind === "cursor" && { [next.param]: all[end]?.id ?? null };
  const page = last === undefined ? entries : { length: entries.length, [last]: entries, ...cursor };
  return jsonResponse(
    200,
    steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), page),
  );
}
