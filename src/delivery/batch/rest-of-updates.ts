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
  const { acceptsAnyContent, operations } = options;
  const sent = updatesSentBy(delivered.log, contents);
  const isWhole = sent === contents.length || delivered.failure !== undefined;
  // The text of an alert differs from run to run. Only the run of the same text goes on with it.
  const isOthers = acceptsAnyContent && delivered.how !== "declared" && sent === 0;
  if (isWhole || operations === undefined || isOthers) return delivered;
  const { incident: declared, log } = delivered;
  const read = { incident: declared, log, readAt: options.system.clock.monotonic() };
  const { postRest } = await import("../timeline/deliver-changes.ts");
  const posting = { ...options, operations, reopens: false };
  const { failure, incident, posted } = await postRest(posting, read, incidentUpdates);
  return { ...delivered, incident, posted, ...(failure && { failure }) };
}
