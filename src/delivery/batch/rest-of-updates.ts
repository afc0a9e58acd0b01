// A create carries the first update of its definition, and the others are posted after it. Where the service describes no way
// to add an update, the create carries all of them.
import type { AddUpdate } from "../../document/operations.ts";
import type { Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import { contentOf } from "../../journal/content.ts";
import type { Content } from "../../journal/events.ts";
import type { Delivered, DeliveryOptions } from "../delivery-options.ts";

export async function contentToSend(
  { client, operations }: Pick<DeliveryOptions, "client" | "operations">,
  definition: Definition,
  id: string | undefined,
): Promise<Content> {
  const { isWhole } = await howUpdatesAreSent(operations, [definition]);
  return contentOf(definition, id, client.settings.account.value, { isWhole });
}

export interface UpdatesSent {
  /** The create carries all updates. */
  readonly isWhole: boolean;
  /** Undefined as well where the document cannot be read, which may describe it. */
  readonly addUpdate?: AddUpdate | undefined;
  /** Why it is not known. */
  readonly failure?: Failure;
}

/** How the updates after the first one of each definition are sent. */
export async function howUpdatesAreSent(
  operations: DeliveryOptions["operations"],
  definitions: readonly Definition[],
): Promise<UpdatesSent> {
  if (definitions.every(({ incidentUpdates }) => incidentUpdates.length <= 1)) return { isWhole: false };
  const known = await operations();
  if (!known.isKnown)
    return known.failure.kind === "unavailable"
      ? { isWhole: false, failure: known.failure }
      : { isWhole: true };
  const { addUpdate } = known.operations;
  return { isWhole: addUpdate === undefined, addUpdate };
}

/** Posts the updates of the definition that its create did not have. */
export async function withRest(
  options: DeliveryOptions,
  content: Content,
  delivered: Delivered,
  definition: Definition,
): Promise<Delivered> {
  const { failure, how, log } = delivered;
  const count = Math.max(definition.incidentUpdates.length, log.parts?.updates.length ?? 0);
  // The text of an alert differs from run to run. Only the run of the same text goes on with it.
  const isOthers = options.acceptsAnyContent && how !== "declared" && log.digest !== content.digest;
  if (count <= 1 || isOthers || how === "unsent" || failure !== undefined) return delivered;
  const { postRest } = await import("../timeline/deliver-changes.ts");
  return { ...delivered, ...(await postRest(options, { ...delivered, content, definition })) };
}
