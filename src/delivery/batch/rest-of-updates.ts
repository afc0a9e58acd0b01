// A create carries the first update of its definition, and the others are posted after it. Where the service describes no way
// to add an update, the create carries all of them.
import type { KnownOperations } from "../../api/known-operations.ts";
import type { Definition } from "../../incident/definition.ts";
import { type ContentOptions, contentOf } from "../../journal/content.ts";
import type { Content } from "../../journal/events.ts";
import type { Delivered, DeliveryOptions } from "../delivery-options.ts";

export async function contentToSend(
  { client, operations }: Pick<DeliveryOptions, "client" | "operations">,
  definition: Definition,
  id: string | undefined,
  options: ContentOptions = {},
): Promise<Content> {
  const known = definition.incidentUpdates.length > 1 ? await operations() : undefined;
  const isWhole = known !== undefined && lacksUpdates(known);
  return contentOf(definition, id, client.settings.account.value, { ...options, isWhole });
}

/** A document that cannot be read may describe it. */
function lacksUpdates(known: KnownOperations): boolean {
  return known.isKnown ? known.operations.addUpdate === undefined : known.failure.kind !== "unavailable";
}

/** Posts the updates of the definition that its create did not have. */
export async function withRest(
  options: DeliveryOptions,
  content: Content,
  delivered: Delivered,
  definition: Definition,
): Promise<Delivered> {
  const { how, log } = delivered;
  const isOne = Math.max(definition.incidentUpdates.length, log.parts?.updates.length ?? 0) <= 1;
  // The text of an alert differs from run to run. Only the run of the same text goes on with it.
  const isOthers = options.acceptsAnyContent && how !== "declared" && log.digest !== content.digest;
  if (isOne || isOthers || delivered.failure !== undefined) return delivered;
  const { postRest } = await import("../timeline/deliver-changes.ts");
  const { failure, incident, posted } = await postRest(options, { ...delivered, content, definition });
  return { ...delivered, incident, posted, ...(failure && { failure }) };
}
