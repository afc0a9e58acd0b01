// The life of an alert after its incident was declared: its end, a higher severity, and the next time that it fires.
import { type Connection, connect } from "../../api/connect.ts";
import { describedOperation, operationsOf } from "../../api/known-operations.ts";
import {
  compareStarts,
  type DedupResult,
  describeOver,
  findUnclosed,
} from "../../delivery/batch/dedup-key.ts";
import { isRecorded, makeEdit } from "../../delivery/changes/edit.ts";
import { endsWith, postForAlert } from "../../delivery/changes/post-for-alert.ts";
import { clientIds, type DeliveryOptions } from "../../delivery/delivery-options.ts";
import { idForGeneration } from "../../delivery/incident-id.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import type { OperationName, Operations } from "../../document/operations.ts";
import { updateBody } from "../../document/update-body.ts";
import { bestEffort, catchFailure, type Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { isMoreSevere, type Severity } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import { keepsIds } from "../../journal/client-ids.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { noPage, type Report } from "../../kit/report.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { NotApplicable } from "../../source/templates/alert-rule.ts";
import { inWebApplication } from "../../text/advice.ts";
import { incidentLink } from "../../workspace/web-url.ts";
import { warnOfForgetting } from "../sending/ci.ts";
import { checkPost } from "../sending/fields.ts";
import { type PlannedIncident, planChanges } from "../sending/plan.ts";
import type { Preview } from "../sending/preview.ts";
import { type Sending, send } from "../sending/send.ts";
import { incidentsReport } from "../shared/incident-list.ts";
import type { CreateInput } from "./check-input.ts";

export interface AlertRun {
  readonly input: CreateInput;
  readonly context: RunContext;
  readonly connection: Connection;
  readonly delivery: DeliveryOptions;
  readonly dedupKey: string;
}

/** The incident of an alert after a step, and how it came about. */
interface Stepped {
  readonly incident: Incident;
  readonly how: string;
  readonly failure?: Failure | undefined;
}

/** The `when` of the template does not match. Throws a `Failure` where the end of the alert could not be posted. */
export async function reportNotApplicable(
  context: RunContext,
  input: CreateInput,
  { alertStarts, because, resolve, ...found }: NotApplicable,
) {
  const { flags, global } = input;
  const dedupKey = flags.dedupKey ?? found.dedupKey;
  const data = { how: "not-applicable", because };
  const report: Report<"incidents" | "requests"> = flags.dryRun
    ? { is: "requests", data, page: noPage, requests: [] }
    : { is: "incidents", data, incidents: [], facts: [] };
  context.info(`nothing to declare: ${because}`);
  if (dedupKey === undefined || flags.dryRun || resolve?.isOver === false) return report;
  const end = async () => {
    const connection = await connect(context, { ...global, readsDocument: true });
    const { noJournal } = flags;
    const opened = await openDelivery(context, connection, { ...global, noJournal, dedupKey });
    const delivery = { ...opened.delivery, alertStarts };
    const ended = await endAlert({ context, input, connection, delivery, dedupKey }, resolve?.update);
    if (ended === undefined) return report;
    const { failure, how, incident } = ended;
    return incidentsReport([{ how, ...incident }], connection.client.settings.webUrl, failure);
  };
  if (resolve !== undefined) return end();
  // Nothing was to be sent, so that a service that cannot be read is no failure.
  await bestEffort(context, async () => void (await end()));
  return report;
}

/** Posts the update to the open incident of the key; undefined where a warning names the next action. */
async function endAlert(run: AlertRun, update: Update | undefined): Promise<Stepped | undefined> {
  const { connection, context, dedupKey, delivery } = run;
  let found = await findUnclosed(delivery, dedupKey);
  if (update !== undefined && found !== undefined && found.open === undefined) {
    const { lookAgain } = await import("../../delivery/settle-by-person.ts");
    await lookAgain(delivery, await delivery.journal.read({ ...delivery.service, id: found.id }));
    found = await findUnclosed(delivery, dedupKey);
  }
  if (found === undefined) {
    if (update !== undefined && !keepsIds(clientIds(delivery)))
      warnOfForgetting(context, connection.journal, "the incident of this dedup key may still be open");
    return undefined;
  }
  const { id, open, over } = found;
  if (over !== undefined) {
    context.info(describeOver(over));
    return { how: "over", incident: over };
  }
  if (open === undefined) {
    context.warn(
      `the incident of this alert was sent as ${id}, and its outcome is not known: check whether it exists ${placeOf(run, id)}, then settle it with incident journal settle ${id}`,
    );
    return undefined;
  }
  if (update === undefined) {
    context.warn(
      `${openAlert(open)}; if the alert is over, post the update ${placeOf(run, open.id)}: the template has no resolve`,
    );
    return undefined;
  }
  // Before the post, so that the same end that is delivered once more ends no later incident.
  await (await compareStarts(delivery, id)).noteStarts?.();
  return postUpdate(run, id, open, update);
}

/** The result of a create, or of the steps for the alert of an open incident. */
export type Followed = Omit<DedupResult, "failure" | "outcome"> & {
  readonly failure?: Failure | undefined;
  readonly outcome?: string | undefined;
};

/** The alert of an open incident fires again: its severity may have risen, and its end may have been posted meanwhile. */
export async function followAlert(
  run: AlertRun,
  { alertStarts, atEnd, definition }: LocatedDefinition,
  declared: DedupResult,
): Promise<Followed> {
  const [open] = declared.incidents;
  if (declared.outcome !== "open" || open === undefined || declared.failure !== undefined) return declared;
  const { dedupKey, delivery } = run;
  const raised = alertStarts && (await raiseSeverity(run, open, definition.severity));
  const { incident } = raised ?? { incident: open };
  const followed = { ...declared, incidents: [incident] };
  // Where a template leaves the last word to a person, the first text is posted again after its end.
  const isOver = atEnd !== undefined && atEnd.status !== "RESOLVED" && endsWith(incident, atEnd);
  const [first] = definition.incidentUpdates;
  if (declared.isRepeated || !isOver || first === undefined) return followed;
  const id = (await findUnclosed(delivery, dedupKey))?.id ?? idForGeneration(delivery.service, dedupKey, 0);
  const again = await postUpdate(run, id, incident, { ...first, status: first.status ?? "INVESTIGATING" });
  return again === undefined
    ? followed
    : { ...declared, incidents: [again.incident], outcome: again.how, failure: again.failure };
}

/** Undefined where a warning says who posts it. */
async function postUpdate(
  run: AlertRun,
  declaredId: string,
  incident: Incident,
  update: Update,
): Promise<Stepped | undefined> {
  const { connection, context, delivery } = run;
  const { settings } = connection.client;
  const place = placeOf(run, incident.id);
  const known = await operationsOf(context, settings);
  if (!known.isKnown) {
    const message = `it is not known whether the service takes updates: ${known.failure.message}`;
    throw known.failure.with({ kind: "unavailable", message });
  }
  const { addUpdate } = known.operations;
  if (addUpdate === undefined) {
    const reason = lackOf(run, known.operations, "addUpdate");
    context.warn(`${openAlert(incident)}; post ${update.status} ${place}: ${reason}`);
    return undefined;
  }
  const { name = incident.id, severity = "" } = incidentFacts(incident);
  await checkPost(context, { ignoreContract: true }, addUpdate, update, severity);
  const entry = updateBody(addUpdate, update);
  const incidents = [planChanges(settings, incident, { addUpdate, updates: [entry] })];
  const sending: Sending = {
    input: { ...run.input, flags: {} },
    settings,
    incidents,
    preview: () => previewUpdate(run.input, incident.id, entry, incidents),
    subject: `Post ${update.status} of "${name}"`,
  };
  const options = { ...delivery, addUpdate };
  const request = { declaredId, entry, incidentId: incident.id };
  const posted = await send(
    context,
    sending,
    () => Promise.reject(new Error("an alert has no dry run")),
    (consent) => postForAlert({ ...options, ...consent }, request),
  );
  if (posted.how === "taken-over") {
    context.warn(
      `${named(incident)} has an update of another person: nothing was posted; post ${update.status} ${place} when it is over`,
    );
    return undefined;
  }
  const already = posted.how === "posted" ? "" : "already ";
  context.info(`${already}posted ${update.status} of ${named(incident)}`);
  return { how: posted.how, incident: posted.incident, failure: posted.failure };
}

/** With the command that posts the update. */
async function previewUpdate(
  input: CreateInput,
  id: string,
  { description, notifySubscribers, status }: Update,
  incidents: readonly PlannedIncident[],
): Promise<Preview> {
  const { previewOf } = await import("../sending/preview.ts");
  const { spec } = await import("../update/update.ts");
  const flags = {
    status: status?.toLowerCase(),
    message: description,
    ...(notifySubscribers && { notify: true }),
  };
  const terms = { isNew: false };
  return previewOf({ spec, input: { ...input, operands: [id], flags }, incidents, terms });
}

/** Edits the severity of an open incident whose alert has become more severe, or warns where. It is never lowered. */
async function raiseSeverity(run: AlertRun, incident: Incident, severity: Severity) {
  const { connection, context, delivery } = run;
  const { settings } = connection.client;
  const { severity: shown } = incidentFacts(incident);
  if (!isMoreSevere(severity, shown) || !(await hasRisen(run, incident, severity))) return undefined;
  const known = await operationsOf(context, settings);
  const { edit } = known.isKnown ? known.operations : {};
  const lack = known.isKnown ? lackOf(run, known.operations, "edit") : known.failure.message;
  const reason = settings.confirm?.value === "always" ? "it needs a confirmation" : lack;
  if (edit === undefined || reason !== undefined) {
    context.warn(
      `the alert is ${severity} now, and its incident is ${shown}: ${named(incident)}; change its severity ${placeOf(run, incident.id)}: ${reason}`,
    );
    return undefined;
  }
  const edited = await makeEdit({ ...delivery, edit }, { incident, fields: { severity } });
  context.info(`raised ${named(incident)} from ${shown} to ${severity}`);
  return edited;
}

/** Whether the alert was less severe when it was declared, and since, so that no person's choice is undone. */
async function hasRisen({ dedupKey, delivery }: AlertRun, { id }: Incident, severity: Severity) {
  const declared = await findUnclosed(delivery, dedupKey);
  const log = declared && (await delivery.journal.read({ ...delivery.service, id: declared.id }));
  // Of an incident that was only found, the journal has the alert that found it.
  const sent = log?.events.some(({ type }) => type === "sending") ? log.content : undefined;
  if (sent !== undefined && !isMoreSevere(severity, sent.body.severity)) return false;
  return !(await isRecorded(delivery, id, { severity }));
}

/** Why the service's document lacks the operation; undefined where it has it. */
function lackOf({ connection }: AlertRun, operations: Operations, name: OperationName): string | undefined {
  return catchFailure(() => describedOperation(operations, connection.client.settings, name))?.message;
}

function named(incident: Incident): string {
  return `${incident.id}  ${incidentFacts(incident).name ?? ""}`;
}

function openAlert(incident: Incident): string {
  return `the incident of this alert is open: ${named(incident)}`;
}

function placeOf({ connection }: AlertRun, id: string): string {
  return inWebApplication(incidentLink(connection.client.settings.webUrl, id));
}
