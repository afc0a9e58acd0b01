// A create carries the first update of its definition, and the others are posted after it. Where the service describes no way
// to add an update, the create carries all of them.
import type { AddUpdate } from "../../document/operations.ts";
import { updateBody } from "../../document/update-body.ts";
import type { Failure } from "../../failure.ts";
import type { Definition, Update } from "../../incident/definition.ts";
import { contentOf } from "../../journal/content.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
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

function isOne({ parts }: OperationLog, { incidentUpdates }: Definition): boolean {
  return Math.max(incidentUpdates.length, parts?.updates.length ?? 0) <= 1;
}

/** The updates that `withRest` posts. Throws the `Failure` that it ends with. */
export async function planRest(
  options: DeliveryOptions,
  content: Content,
  { incident, log }: Delivered,
  definition: Definition,
): Promise<{ readonly addUpdate?: AddUpdate | undefined; readonly updates: readonly Update[] }> {
  if (isOne(log, definition)) return { updates: [] };
  const { planAfter } = await import("../timeline/deliver-changes.ts");
  const { changes, drift, failure } = await planAfter(options, { content, definition, incident, log });
  if (failure ?? drift) throw failure ?? drift;
  const updates = (changes?.updates ?? []).map((at) => definition.incidentUpdates[at] as Update);
  const { addUpdate } = changes ?? {};
  return { addUpdate, updates: addUpdate ? updates.map((each) => updateBody(addUpdate, each)) : [] };
}

/** Posts the updates of the definition that its create did not have. */
export async function withRest(
  options: DeliveryOptions,
  content: Content,
  delivered: Delivered,
  definition: Definition,
): Promise<Delivered> {
  const { how, log } = delivered;
  // The text of an alert differs from run to run. Only the run of the same text goes on with it.
  const isOthers = options.acceptsAnyContent && how !== "declared" && log.digest !== content.digest;
  if (isOne(log, definition) || isOthers || delivered.failure !== undefined) return delivered;
  const { postRest } = await import("../timeline/deliver-changes.ts");
  const { failure, incident, posted } = await postRest(options, { ...delivered, content, definition });
  return { ...delivered, incident, posted, ...(failure && { failure }) };
}
