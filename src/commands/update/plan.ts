// Decides what a run sends to an incident: the fields that differ, and the update, unless it is posted already.

import { describedOperation } from "../../api/known-operations.ts";
import { buildRequest, type RequestTarget } from "../../api/request.ts";
import { type EditedFields, fieldsToEdit } from "../../delivery/changes/edit.ts";
import { type PlannedUpdate, planUpdate } from "../../delivery/changes/plan-update.ts";
import { updateKey } from "../../delivery/changes/update-identity.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { missingFailure, statusFailure } from "../../delivery/incident-failures.ts";
import type { Operations } from "../../document/operations.ts";
import { describeLeftOut, updateBody } from "../../document/update-body.ts";
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { isSameUpdate } from "../../incident/updates.ts";
import { type Status, statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Fields } from "../../untrusted-data.ts";
import { checkEntry } from "../shared/fields.ts";
import type { PlannedIncident } from "../shared/planned.ts";
import { type Preview, previewOf } from "../shared/preview.ts";
import type { Session } from "./open-session.ts";
import type { Typed, UpdateFlags } from "./spec.ts";

export interface WantedChanges {
  /** Undefined where only fields are edited. */
  readonly entry: Fields | undefined;
  readonly fields: EditedFields;
  readonly isResolving: boolean;
}

export interface UpdatePlan {
  /** As it was read. */
  readonly incident: Incident;
  readonly operations: Operations;
  /** The fields to edit. */
  readonly fields: EditedFields | undefined;
  /** The update, also where it is posted already. */
  readonly update: Update | undefined;
  readonly planned: PlannedUpdate | undefined;
  /** The status that the incident must have right before each request. */
  readonly ifStatus: string | undefined;
  readonly isNew: boolean;
}

/** Sends nothing. Throws a `Failure`: "drift" where the incident has not the status that it must have. */
export async function planUpdateOf(
  context: RunContext,
  { client, delivery, operations, settings }: Session,
  incidentId: string,
  { entry, fields: wanted, isResolving }: WantedChanges,
  flags: UpdateFlags,
): Promise<UpdatePlan> {
  const addUpdate = entry && describedOperation(operations, settings, "addUpdate", incidentId);
  if (Object.keys(wanted).length > 0) describedOperation(operations, settings, "edit", incidentId);
  const { new: isNew = false, reopen: reopens = false } = flags;
  const isKept = entry !== undefined && entry.status === undefined;
  const status = isKept ? await keptStatus(delivery, incidentId, entry, isNew) : entry?.status;
  const whole = entry && { ...entry, status };
  const update = addUpdate && updateBody(addUpdate, whole as Update);
  const planned =
    update && (await planUpdate(delivery, { incidentId, entry: update, isNew, isResolving, reopens }));
  const incident = planned?.incident ?? (await client.findIncident(incidentId));
  if (incident === undefined) throw await missingFailure(delivery, incidentId);
  const edited = fieldsToEdit(incident, withAccount(wanted, settings.account.value));
  const severity = edited.severity ?? incidentFacts(incident).severity ?? "";
  if (whole !== undefined) await checkEntry(context, flags, whole, { addUpdate, severity });
  const leftOut = addUpdate && describeLeftOut(addUpdate, [whole as Update]);
  if (leftOut !== undefined) context.warn(leftOut);
  const fields = Object.keys(edited).length > 0 ? edited : undefined;
  const ifStatus = flags.ifStatus?.toUpperCase() ?? (isKept ? (status as Status) : undefined);
  // An update without a known outcome is only read back: the status may be its own.
  const isPosted = planned?.is === "to-post" && planned.request.log?.uncertain === undefined;
  const failure = fields !== undefined || isPosted ? statusFailure(incident, ifStatus) : undefined;
  if (failure !== undefined) throw failure;
  return { incident, operations, fields, update, planned, ifStatus, isNew };
}

/**
 * The status of an update that names none: one with which its text was sent or is shown, so that nothing is posted twice,
 * else that of the incident.
 */
async function keptStatus(
  delivery: DeliveryOptions,
  incidentId: string,
  { description }: Fields,
  isNew: boolean,
): Promise<Status> {
  const text = String(description);
  const incident = await delivery.client.findIncident(incidentId);
  if (incident === undefined) throw await missingFailure(delivery, incidentId);
  const { status, updates } = incidentFacts(incident);
  const current = statuses.find((each) => each === status);
  const used: Status[] = [];
  for (const each of isNew ? [] : statuses) {
    const update = { description: text, status: each };
    const { created, uncertain } = await delivery.journal.read(
      updateKey(delivery.service, incidentId, update, 0),
    );
    const isShown = updates.some((shown) => shown.status === each && isSameUpdate(shown, update));
    if (isShown || created !== undefined || uncertain !== undefined) used.push(each);
  }
  const kept = used.find((each) => each === current) ?? used[0] ?? current;
  if (kept !== undefined) return kept;
  throw new Failure("usage", `incident ${incidentId} is shown without a status that can be kept`, {
    hint: `add --status ${statuses.join(", ").toLowerCase()}; nothing was sent`,
  });
}

/** A service needs its account in a request. */
function withAccount({ services, ...texts }: EditedFields, account: string | undefined): EditedFields {
  if (services === undefined) return texts;
  return { ...texts, services: services.map((each) => ({ accountId: account, ...each })) as typeof services };
}

export function requestsOf(
  target: RequestTarget,
  { fields, incident, operations, planned, update }: UpdatePlan,
): PlannedIncident {
  const { addUpdate, edit } = operations;
  const { id } = incident;
  const { name = id, services } = incidentFacts(incident);
  const isPosted = planned?.is === "to-post" && update !== undefined && addUpdate !== undefined;
  const requests = [
    ...(fields && edit ? [buildRequest(target, { method: edit.method, id, body: fields })] : []),
    ...(isPosted
      ? [buildRequest(target, { method: "POST", id, segment: addUpdate.segment, body: update })]
      : []),
  ];
  return { name, services: services.map((each) => each.name ?? each.id ?? ""), requests };
}

/** The digest covers the changed fields, and not those that an edit carries over. */
export function previewUpdate(
  context: RunContext,
  target: RequestTarget,
  plan: UpdatePlan,
  { spec, input }: Typed,
): Promise<Preview> {
  const { isNew, planned } = plan;
  const equalOnes = isNew && planned?.is === "to-post" ? planned.equalOnes : undefined;
  return previewOf(context, spec, input, [requestsOf(target, plan)], { isNew, equalOnes });
}
