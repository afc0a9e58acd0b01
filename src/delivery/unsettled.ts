// The operations whose outcome is not known, as the journal has them now: creates that may be the one that is asked for, and
// updates that may still appear.
import { Failure } from "../failure.ts";
import { normalText } from "../incident/normal-form.ts";
import type { Content, OperationLog } from "../journal/events.ts";
import { type Model, unsettled } from "../journal/model.ts";
import type { PostRequest } from "./changes/update-operation.ts";
import type { OperationOptions } from "./delivery-options.ts";
import { describeOperation, settlingCommands, timeOf } from "./failures.ts";

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

/** The largest number of creates that a message names. */
const mostNamed = 3;

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
  const reason = isSame(log) ? "the same content" : "the same name";
  const message = `"${body.name}" may be the create of ${describe(log)}, sent at ${timeOf(options, log.uncertain?.at)}, whose outcome is not known: it has ${reason}`;
  return new Failure("uncertain", message, {
    hint: "nothing was sent; settle the first one, then run it again; or create it with --new if it is another incident",
    commands: settlingCommands(options, log),
  });
}

/** Joins the creates into one warning. `logs` are the oldest first. */
export function warnOfUnsettled(options: OperationOptions, logs: readonly OperationLog[]): void {
  const { reporter } = options;
  if (logs.length > mostNamed) {
    const named = logs.slice(-mostNamed).reverse().map(describe);
    reporter.warn(
      `the outcome of ${logs.length} creates is not known, the newest of them ${named.slice(0, -1).join(", ")} and ${named.at(-1)}: see incident journal list`,
    );
    return;
  }
  for (const log of logs)
    reporter.warn(
      `the outcome of the create of ${describe(log)}, sent at ${timeOf(options, log.uncertain?.at)}, is not known: see incident journal show ${log.key.id}`,
    );
}

function describe({ key, name }: OperationLog): string {
  return name === undefined ? key.id : `${key.id} ("${name}")`;
}

/** Warns of the other ones before an update is posted: one that appears later becomes the last. */
export async function warnOfOtherUpdates(
  options: OperationOptions,
  { incident, log: own }: Pick<PostRequest, "incident" | "log">,
): Promise<void> {
  for (const log of unsettledUpdates(await options.journal.model(options.service), incident.id))
    if (log.key.id !== own?.key.id)
      options.reporter.warn(
        `${describeOperation(log)}, sent at ${timeOf(options, log.uncertain?.at)}, may still appear after this one: see incident journal show ${log.key.id}`,
      );
}
