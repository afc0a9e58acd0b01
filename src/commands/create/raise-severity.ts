// The alert of an open incident has become more severe: its severity is edited, or a warning says where. It is never lowered.
import type { Connection } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { findUnclosed } from "../../delivery/batch/dedup-key.ts";
import { isRecorded, makeEdit } from "../../delivery/changes/edit.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { operationNouns, reasonFor } from "../../incident/contract/describe-operations.ts";
import { type Severity, severities } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { inWebApplication } from "../../text/advice.ts";
import { incidentLink } from "../../workspace/web-url.ts";

/** Undefined where nothing was edited. Throws a `Failure` where an edit was not made, or its outcome is not known. */
export async function raiseSeverity(
  context: RunContext,
  { client: { settings } }: Connection,
  delivery: DeliveryOptions,
  {
    dedupKey,
    incident,
    severity,
  }: {
    readonly dedupKey: string;
    readonly incident: Incident;
    readonly severity: Severity;
  },
): Promise<{ readonly incident: Incident } | undefined> {
  const { name = "", severity: shown } = incidentFacts(incident);
  if (!isMoreSevere(severity, shown) || !(await hasRisen(delivery, dedupKey, incident, severity)))
    return undefined;
  const place = inWebApplication(incidentLink(settings.webUrl, incident.id));
  const isLeft = (reason: string) =>
    context.warn(
      `the alert is ${severity} now, and its incident is ${shown}: ${incident.id}  ${name}; change its severity ${place}: ${reason}`,
    );
  const known = await operationsOf(context, settings);
  if (settings.confirm?.value === "always") return void isLeft("it needs a confirmation");
  if (!known.isKnown) return void isLeft(known.failure.message);
  const { edit } = known.operations;
  if (edit === undefined)
    return void isLeft(
      `the service's document does not describe ${operationNouns.edit}: ${reasonFor(known.operations, "edit")}`,
    );
  const edited = await makeEdit({ ...delivery, edit }, { incident, fields: { severity } });
  context.info(`raised ${incident.id}  ${name} from ${shown} to ${severity}`);
  return edited;
}

/** Whether the alert said less before, so that no person's choice is undone: when it was declared, and since. */
async function hasRisen(
  delivery: DeliveryOptions,
  dedupKey: string,
  { id }: Incident,
  severity: Severity,
): Promise<boolean> {
  const { journal, service } = delivery;
  const declared = await findUnclosed(delivery, dedupKey);
  const { content } = declared === undefined ? {} : await journal.read({ ...service, id: declared.id });
  if (content !== undefined && !isMoreSevere(severity, content.body.severity)) return false;
  return !(await isRecorded(delivery, id, { severity }));
}

/** False where one of the two is not known. */
function isMoreSevere(one: string, other: string | undefined): boolean {
  const rank = (severity: string | undefined) => severities.indexOf(severity as Severity);
  return rank(one) !== -1 && rank(other) !== -1 && rank(one) < rank(other);
}
