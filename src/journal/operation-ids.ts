// The ids by which an operation is found: the one that was sent, and the one that the service assigned. The stores keep
// their digests, which have one length and one encoding for every answer.

import { jsonDigest } from "../text/json-digest.ts";
import { fieldOf } from "../untrusted-data.ts";
import { type Append, operationPrefix } from "./event-store.ts";

/** The digests of the ids that an event adds to its log. */
export function idDigestsOf({
  event: { event, key },
  log,
}: Pick<Append, "event" | "log">): readonly string[] {
  if (!log.startsWith(operationPrefix)) return [];
  const own = fieldOf(key, "id");
  const service =
    fieldOf(event, "serviceId") ?? fieldOf(fieldOf(fieldOf(event, "summary"), "created"), "serviceId");
  const isFirst = fieldOf(event, "type") === "sending" || fieldOf(event, "type") === "pruned";
  return [isFirst ? own : undefined, service === own ? undefined : service].flatMap((id) =>
    typeof id === "string" ? [idDigest(id)] : [],
  );
}

/** The letter case does not matter. */
export function idDigest(id: string): string {
  return jsonDigest(id.toLowerCase()).slice(0, 40);
}
