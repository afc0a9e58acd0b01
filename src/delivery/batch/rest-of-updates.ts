// The updates of a definition that its create did not have.
import type { Definition } from "../../incident/definition.ts";
import { updatesSentBy } from "../../journal/content.ts";
import type { Delivered, DeliveryOptions, DeliveryRequest } from "../delivery-options.ts";
import type { TimelineOptions } from "../timeline/plan-tail.ts";

export interface RestOptions extends DeliveryOptions {
  /** How the service takes an update, for definitions with several. */
  readonly operations?: TimelineOptions["operations"];
  /** A create has the first update, and the others are posted after it; else it has all. */
  readonly splits?: boolean;
}

/** Posts the updates of the definition that its create did not have. */
export async function withRest(
  options: RestOptions,
  { contents = [] }: DeliveryRequest,
  delivered: Delivered,
  { incidentUpdates }: Definition,
): Promise<Delivered> {
  const { acceptsAnyContent, operations, system } = options;
  const sent = updatesSentBy(delivered.log, contents);
  const isWhole = sent === contents.length || delivered.failure !== undefined;
  // The text of an alert differs from run to run.
  if (isWhole || operations === undefined || (acceptsAnyContent && delivered.how !== "declared"))
    return delivered;
  const read = { incident: delivered.incident, readAt: system.clock.monotonic() };
  const { postRest } = await import("../timeline/deliver-changes.ts");
  const { failure, incident } = await postRest(
    { ...options, operations, reopens: false },
    read,
    incidentUpdates,
    sent,
  );
  return { ...delivered, incident, ...(failure && { failure }) };
}
