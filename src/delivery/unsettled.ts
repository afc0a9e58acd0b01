// The operations whose outcome is not known, as the journal has them now: creates that may be the one that is asked for, and
// updates that may still appear.
import { Failure } from "../failure.ts";
import { normalText } from "../incident/normal-form.ts";
import type { Content, OperationLog } from "../journal/events.ts";
import { type Model, unsettled } from "../journal/model.ts";
import type { OperationOptions } from "./delivery-options.ts";
import { settlingCommands, timeOf } from "./failures.ts";

/** The creates with an unknown outcome, also where the sender may still be at work; the oldest first. */
export function unsettledCreates(model: Model): readonly OperationLog[] {
  return unsettled(model).filter(({ change }) => change === undefined);
}

/** The updates of an incident with an unknown outcome, the oldest first. `incidentId`: the service's own id. */
export function unsettledUpdates(model: Model, incidentId: string): readonly OperationLog[] {
  return unsettled(model).filter(
    ({ change }) => change?.kind === "update" && change.incidentId.toLowerCase() === incidentId.toLowerCase(),
  );
}

/** The failure where one of the unsettled creates may be the incident that is asked for: then nothing is sent. */
export function findSimilarCreate(
  options: Pick<OperationOptions, "journal" | "system">,
  logs: readonly OperationLog[],
  { body, digest }: Content,
): Failure | undefined {
  const isSame = (log: OperationLog) => log.digest === digest;
  const hasName = ({ name }: OperationLog) =>
    name !== undefined && normalText(name) === normalText(body.name);
  const log = logs.find((each) => isSame(each) || hasName(each));
  if (log === undefined) return undefined;
  const message = `"${body.name}" may be the create of ${log.key.id}, sent at ${timeOf(options, log.uncertain?.at)}, whose outcome is not known: it has the same ${isSame(log) ? "content" : "name"}`;
  return new Failure("uncertain", message, {
    hint: "nothing was sent; settle the first one, then run it again; or create it with --new if it is another incident",
    commands: settlingCommands(options, log),
  });
}
