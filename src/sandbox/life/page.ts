// A page of a list: `{length, entries, nextId}`.
import { errorResponse, jsonResponse, type ServiceResponse } from "../response.ts";

const largest = 100;

/** A cursor is the id of the first entry of its page. */
export function pageOf(
  all: readonly { readonly id: string }[],
  query: Pick<URLSearchParams, "get">,
  isWhole = false,
): ServiceResponse {
  const size = Number(query.get("limit") ?? 20);
  if (!Number.isInteger(size) || size < 1 || size > largest)
    return errorResponse(400, `limit must be an integer from 1 to ${largest}`);
  const given = query.get("nextId");
  const start = given === null ? 0 : all.findLastIndex(({ id }) => id === given);
  if (start < 0) return errorResponse(400, "nextId must be that of a page");
  const end = isWhole ? all.length : start + size;
  const entries = all.slice(start, end);
  return jsonResponse(200, { length: entries.length, entries, nextId: all[end]?.id ?? null });
}
