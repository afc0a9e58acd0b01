// Changes one incident: plans the edit and the update, gets the consent to the requests, and sends them.
import { describedOperation } from "../../api/known-operations.ts";
import { type EditedFields, type EditRequest, fieldsNotMade, makeEdit } from "../../delivery/changes/edit.ts";
import { type PlannedUpdate, planUpdate } from "../../delivery/changes/plan-update.ts";
import { type Posted, type PostRequest, postOnce } from "../../delivery/changes/update-operation.ts";
import { checkStatus, readKnown } from "../../delivery/creates/declared.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { localTimeOf } from "../../delivery/failures.ts";
import { asDryRun } from "../../delivery/open-delivery.ts";
import type { AddUpdate } from "../../document/contract.ts";
import { describeLeftOut, updateBody } from "../../document/update-body.ts";
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/command.ts";
import type { Fields } from "../../untrusted-data.ts";
import type { ServiceSettings } from "../../workspace/resolve.ts";
import { openConsent } from "../sending/consent.ts";
import { checkChange } from "../sending/fields.ts";
import { type Plan, planChangeRequests, type SendInput } from "../sending/plan.ts";
import { type DryRun, pageForCustomers, reportDryRun, requestsReport } from "../sending/preview.ts";

export interface Wanted {
  readonly context: RunContext;
  readonly delivery: DeliveryOptions;
  readonly incidentId: string;
  /** Undefined where only fields are edited. */
  readonly update: Fields | undefined;
  readonly fields: EditedFields;
  readonly input: SendInput;
  readonly flags: { readonly [K in "dryRun" | "ignoreContract" | "new" | "reopen"]?: boolean } & {
    readonly ifStatus?: string;
  };
  /** Whether a person was asked, who sees the page before the last question. */
  readonly isAsked: boolean;
}

export interface ChangedIncident {
  readonly how: string;
  readonly incident: Incident;
  readonly failure?: Failure | undefined;
}

export async function changeIncident(wanted: Wanted): Promise<ChangedIncident | DryRun> {
  const { context, delivery, flags, input, isAsked } = wanted;
  const { settings } = delivery.client;
  const { dryRun = false, new: isNew = false } = flags;
  const planned = await planChange(wanted);
  const change = dryRun ? await tryUnknown(delivery, planned) : planned;
  const { edit, incident, update } = change;
  const post = update?.posted === undefined ? update : undefined;
  if (edit === undefined && post === undefined) {
    const nothing = update?.posted
      ? describePosted(delivery, update.posted, update.request)
      : `${incident.id} shows this edit already`;
    context.info(`${nothing}: nothing was sent`);
    if (dryRun) return requestsReport([], []);
    return { how: "posted-before", incident };
  }
  if (post?.goesBack !== undefined)
    context.info(`the status goes back: from ${post.goesBack} to ${post.request.update.status}`);
  if (flags.reopen && wanted.update?.status === undefined && post?.request.update.status === "RESOLVED")
    context.warn("the incident stays RESOLVED: --reopen with --status opens it again");
  const posts = post === undefined ? [] : [post.request];
  const shown = planChangeRequests(settings, incident, { edit, addUpdate: post?.addUpdate, posts });
  const plan: Plan = {
    input,
    target: settings,
    incidents: [shown],
    // The digest covers the changed fields, and not those that an edit carries over.
    terms: { isNew, equalOnes: isNew ? post?.equalOnes : undefined },
    subject: `${post === undefined ? "Edit" : "Post the update of"} "${nameOf(incident)}"`,
    page: isAsked ? pageForCustomers(incident, shown) : undefined,
  };
  if (dryRun) return reportDryRun(context, plan);
  const consent = await openConsent(context, plan);
  return sendChange({ ...delivery, ...consent }, change);
}

interface PlannedChange {
  readonly incident: Incident;
  readonly edit: EditRequest | undefined;
  readonly update: (PlannedUpdate & { readonly addUpdate: AddUpdate }) | undefined;
}

/** Sends nothing. Throws a `Failure`: "drift" where the incident does not have the status of --if-status. */
async function planChange(wanted: Wanted): Promise<PlannedChange> {
  const { context, delivery, fields, flags, incidentId, input, update } = wanted;
  const { settings } = delivery.client;
  const known = await delivery.operations();
  const isEdit = Object.keys(fields).length > 0;
  const operation = isEdit ? describedOperation(known, settings, "edit", incidentId) : undefined;
  const addUpdate = update && describedOperation(known, settings, "addUpdate", incidentId);
  const { new: isNew = false, reopen: reopens = false } = flags;
  const isResolving = input.spec.name === "resolve";
  const body = addUpdate && updateBody(addUpdate, update as Update);
  const asked = { incidentId, isNew, isResolving, reopens };
  const planned = body && (await planUpdate(delivery, { ...asked, update: body }));
  const incident = planned?.request.incident ?? (await readKnown(delivery, incidentId));
  const status = planned?.request.update.status;
  const changed = await fieldsNotMade(delivery, incident, withAccount(fields, settings));
  const severity = changed.severity ?? incidentFacts(incident).severity ?? "";
  if (addUpdate !== undefined) {
    const whole = { ...update, status } as Update;
    const leftOut = describeLeftOut(addUpdate, [whole]);
    const rules = flags.ignoreContract ? undefined : addUpdate;
    await checkChange(context, { incidentUpdates: [whole] }, severity, rules);
    if (leftOut !== undefined) context.warn(leftOut);
  }
  const ifStatus = (flags.ifStatus ?? (update?.status === undefined ? status : undefined))?.toUpperCase();
  const plan: PlannedChange = {
    incident,
    edit: operation && Object.keys(changed).length > 0 ? { operation, fields: changed, ifStatus } : undefined,
    update: planned && addUpdate && { ...planned, addUpdate, request: { ...planned.request, ifStatus } },
  };
  // An update whose outcome is not known is only read back: the status may be its own.
  const isPost = planned && !planned.posted && planned.request.log.uncertain === undefined;
  if (plan.edit !== undefined || isPost) checkStatus(incident, ifStatus);
  return plan;
}

/** Reads back an update whose outcome is not known, as the run that sends does first. Throws a `Failure` where it is not found. */
async function tryUnknown(delivery: DeliveryOptions, change: PlannedChange): Promise<PlannedChange> {
  const { update } = change;
  if (update?.request.log.uncertain === undefined) return change;
  const posted = await postOnce(asDryRun(delivery), update.addUpdate, update.request);
  return posted.how === "posted-before" ? { ...change, update: { ...update, posted } } : change;
}

/** A service needs its account in a request. */
function withAccount({ services, ...texts }: EditedFields, { account }: ServiceSettings): EditedFields {
  if (services === undefined) return texts;
  const accountId = account.value;
  return { ...texts, services: services.map((each) => ({ accountId, ...each })) as typeof services };
}

/** Sends the edit first, so that no update tells of a severity that customers do not see yet. */
async function sendChange(options: DeliveryOptions, change: PlannedChange): Promise<ChangedIncident> {
  const { edit, incident, update } = change;
  const edited = edit && (await makeEdit(options, incident, edit));
  if (edited !== undefined) {
    const how = edited.how === "edited" ? "edited" : "already edited";
    options.reporter.info(`${how} ${incident.id}  ${nameOf(edited.incident)}`);
  }
  if (update === undefined || update.posted) return edited ?? { how: "edited-before", incident };
  try {
    const request = { ...update.request, incident: edited?.incident ?? update.request.incident };
    const posted = await postOnce(options, update.addUpdate, request);
    options.reporter.info(describePosted(options, posted, request));
    return posted;
  } catch (error) {
    if (!(error instanceof Failure) || edited === undefined) throw error;
    const kind = error.kind === "uncertain" ? "uncertain" : "partial";
    return { ...edited, failure: error.with({ kind, message: `the edit is made; ${error.message}` }) };
  }
}

function nameOf(incident: Incident): string {
  return incidentFacts(incident).name ?? incident.id;
}

function describePosted(
  options: DeliveryOptions,
  { how, incident, since }: Posted,
  { update: { status } }: PostRequest,
): string {
  if (status === "RESOLVED" && how !== "posted" && since === undefined && isResolved(incident))
    return `already resolved ${incident.id}  ${nameOf(incident)}`;
  const update = `${status} of ${incident.id}  ${nameOf(incident)}`;
  if (how === "posted") return `posted ${update}`;
  const origin = since === undefined ? "" : ` (from here, ${localTimeOf(options, since)})`;
  return `already posted ${update}${origin}`;
}
