// A page of a list: `limit` entries from the one that `nextId` names, or the whole list.
import { errorResponse, jsonResponse, type ServiceResponse } from "../response.ts";

export function pageOf(
  items: readonly { readonly id: string }[],
  query: Pick<URLSearchParams, "get">,
  { isWhole = false } = {},
): ServiceResponse {
  const limit = query.get("limit") ?? "20";
  if (!/^([1-9]\d?|100)$/.test(limit)) return errorResponse(400, "limit must be an integer from 1 to 100");
  const first = query.get("nextId");
  const start = first === null ? 0 : items.findLastIndex(({ id }) => id === first);
  if (start < 0) return errorResponse(400, "nextId must be that of a page");
  const end = isWhole ? items.length : start + Number(limit);
  const entries = items.slice(start, end);
  return jsonResponse(200, { length: entries.length, entries, nextId: items[end]?.id ?? null });
}
