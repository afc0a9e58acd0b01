// The life of an alert after its incident was declared: its end, and a higher severity.
import { describedOperation } from "../../api/known-operations.ts";
import { describeOver, findNewest, noteStarts } from "../../delivery/batch/dedup-key.ts";
import { isRecorded } from "../../delivery/changes/edit.ts";
import { isUpdatedByPerson } from "../../delivery/changes/known-updates.ts";
import { clientIds } from "../../delivery/delivery-options.ts";
import { uncertainFailure } from "../../delivery/failures.ts";
import { asDryRun, openDelivery } from "../../delivery/open-delivery.ts";
import { lookAgain } from "../../delivery/settle-by-person.ts";
import { catchFailure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { ranksBefore, type Severity, severities } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/command.ts";
import { incidentsReport, type Report } from "../../kit/report.ts";
import type { NotApplicable } from "../../source/templates/fill-template.ts";
import { shortDigest } from "../../text/json-digest.ts";
import { warnOfForgetting } from "../sending/ci.ts";
import { type DryRun, requestsReport } from "../sending/preview.ts";
import { sentReport } from "../shared/incident-list.ts";
import { type ChangedIncident, changeIncident, type Wanted } from "../update/change.ts";
import type { CreateInput } from "./spec.ts";

type AlertRun = Pick<Wanted, "context" | "delivery"> & {
  readonly input: CreateInput;
  readonly dedupKey: string;
};

/** Ends the alert, if the body is its end. Throws a `Failure` where that could not be posted. */
export async function reportNotApplicable(
  context: RunContext,
  input: CreateInput,
  { alertStarts, because, ending, ...found }: NotApplicable,
): Promise<Report<"incidents" | "requests">> {
  const { flags } = input;
  const dedupKey = flags.dedupKey ?? found.dedupKey;
  const data = { how: "not-applicable", because };
  context.info(`nothing to declare: ${because}`);
  if (dedupKey !== undefined && ending !== undefined) {
    // The command line to confirm has the same key.
    const named = { ...input, flags: { ...flags, dedupKey } };
    const opened = await openDelivery(context, named.flags);
    const delivery = { ...(flags.dryRun ? asDryRun(opened) : opened), alertStarts };
    const run = { context, input: named, delivery, dedupKey };
    const ended = await endAlert(run, ending);
    if (ended !== undefined && !("incident" in ended)) return ended;
    if (ended !== undefined && !flags.dryRun) {
      const { failure, how, incident } = ended;
      return sentReport(delivery, [{ how, ...incident }], 1, failure);
    }
  }
  return flags.dryRun ? requestsReport(data, []) : incidentsReport(data, [], []);
}

/** Posts the update to the open incident of the key; undefined where there is none, or a person has taken it over. */
async function endAlert(run: AlertRun, update: Update): Promise<ChangedIncident | DryRun | undefined> {
  const { context, dedupKey, delivery } = run;
  let newest = await findNewest(delivery, dedupKey);
  if (newest?.log.uncertain !== undefined) {
    const unrecorded = await lookAgain(delivery, newest.log);
    newest = await findNewest(delivery, dedupKey);
    if (newest?.log.uncertain !== undefined)
      throw unrecorded ?? uncertainFailure(delivery, newest.log, undefined);
  }
  if (newest?.over !== undefined) {
    context.info(describeOver(newest.over));
    return { how: "over", incident: newest.over };
  }
  if (newest?.open === undefined) {
    // The end of another alert of the key may have resolved the incident.
    if (newest !== undefined) await noteStarts(delivery, newest.log.key.id, newest.logs, { ends: true });
    if (clientIds(delivery) !== "honoured")
      await warnOfForgetting(context, "the incident of this dedup key may still be open");
    return undefined;
  }
  const { log, logs, open } = newest;
  const { id } = log.key;
  if (await isUpdatedByPerson(delivery, open, id, update)) {
    const name = incidentFacts(open).name ?? "";
    context.warn(
      `${open.id}  ${name} has an update of a person: nothing was posted; when it is over: incident update ${open.id} --status ${update.status} --message TEXT`,
    );
    return undefined;
  }
  // Before the post, so that a repeated delivery of this end does not end a later incident.
  await noteStarts(delivery, id, logs, { ends: true });
  return change(run, { update: { ...update }, fields: {}, incidentId: open.id });
}

/** Ignores the contract: no value loses an alert, so that no rule stops its change. */
async function change(run: AlertRun, wanted: Pick<Wanted, "fields" | "incidentId" | "update">) {
  const flags = { dryRun: run.input.flags.dryRun ?? false, ignoreContract: true };
  return changeIncident({ ...run, ...wanted, flags, isAsked: false });
}

/** Raises the severity of an open incident to that of its alert, or warns where it cannot. Undefined where it stays. */
export async function raiseSeverity(run: AlertRun, incident: Incident, severity: Severity) {
  const { context, delivery } = run;
  const { id } = incident;
  const { severity: shown } = incidentFacts(incident);
  if (!ranksBefore(severities, severity, shown) || !(await hasRisen(run, id, severity))) return undefined;
  const known = await delivery.operations();
  const lacking = catchFailure(() => describedOperation(known, delivery.client.settings, "edit", id));
  if (lacking === undefined) return change(run, { update: undefined, fields: { severity }, incidentId: id });
  const { hint, message } = lacking;
  context.warn(`the alert is ${severity} now, and its incident ${id} is ${shown}: ${message}; ${hint}`);
  return undefined;
}

/** Whether the alert is more severe than ever before, so that no choice of a person is undone. */
async function hasRisen({ dedupKey, delivery }: AlertRun, id: string, severity: Severity): Promise<boolean> {
  const log = (await findNewest(delivery, dedupKey))?.log;
  // The severity that was sent: a file with this id may have changed it since.
  const sending = log?.events.findLast((event) => event.type === "sending");
  const sent = severities.find((each) => shortDigest(each) === sending?.content?.parts?.severity);
  if (sent !== undefined && !ranksBefore(severities, severity, sent)) return false;
  return !(await isRecorded(delivery, id, { severity }));
}
