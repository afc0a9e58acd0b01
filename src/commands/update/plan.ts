// The plan of an update: the fields that differ, and the update, unless it is posted already.
import { describedOperation } from "../../api/known-operations.ts";
import type { RequestTarget } from "../../api/request.ts";
import { type EditedFields, fieldsToEdit } from "../../delivery/changes/edit.ts";
import { type PlannedUpdate, planUpdate } from "../../delivery/changes/plan-update.ts";
import type { Posted } from "../../delivery/changes/post-once.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { missingFailure } from "../../delivery/failures.ts";
import { statusFailure } from "../../delivery/incident-failures.ts";
import type { AddUpdate, Edit } from "../../document/operations.ts";
import { updateBody } from "../../document/update-body.ts";
import type { Update } from "../../incident/definition.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Fields } from "../../untrusted-data.ts";
import { checkPost } from "../sending/fields.ts";
import { type PlannedIncident, planChanges } from "../sending/plan.ts";
import type { Session } from "./session.ts";

interface Wanted {
  /** Undefined where only fields are edited. */
  readonly entry: Fields | undefined;
  readonly fields: EditedFields;
  readonly isResolving: boolean;
}

interface PlanFlags {
  readonly ifStatus?: string | undefined;
  readonly ignoreContract?: boolean;
  readonly new?: boolean;
  readonly reopen?: boolean;
}

export interface UpdatePlan {
  /** As it was read. */
  readonly incident: Incident;
  /** The status that the incident must have right before each request. */
  readonly ifStatus: string | undefined;
  readonly edit: { readonly operation: Edit; readonly fields: EditedFields } | undefined;
  readonly post: (Extract<PlannedUpdate, { is: "to-post" }> & { readonly addUpdate: AddUpdate }) | undefined;
  /** An update that is posted already. */
  readonly posted: (Posted & { readonly status: string | undefined }) | undefined;
}

/** Sends nothing. Throws a `Failure`: "drift" where the incident has not the status that it must have. */
export async function planChange(
  context: RunContext,
  { delivery, operations, settings }: Session,
  incidentId: string,
  { entry, fields, isResolving }: Wanted,
  flags: PlanFlags,
): Promise<UpdatePlan> {
  const isEdit = Object.keys(fields).length > 0;
  const operation = isEdit ? describedOperation(operations, settings, "edit", incidentId) : undefined;
  const addUpdate = entry && describedOperation(operations, settings, "addUpdate", incidentId);
  const { new: isNew = false, reopen: reopens = false } = flags;
  const body = addUpdate && updateBody(addUpdate, entry as Update);
  const planned =
    body === undefined
      ? ({ is: "edit", incident: await readIncident(delivery, incidentId) } as const)
      : await planUpdate(delivery, { incidentId, entry: body, isNew, isResolving, reopens });
  const { incident } = planned;
  const status = planned.is === "edit" ? undefined : planned.entry.status;
  const changed = fieldsToEdit(incident, withAccount(fields, settings));
  const severity = changed.severity ?? incidentFacts(incident).severity ?? "";
  if (addUpdate !== undefined)
    await checkPost(context, flags, addUpdate, { ...entry, status } as Update, severity);
  const ifStatus = (flags.ifStatus ?? (entry?.status === undefined ? status : undefined))?.toUpperCase();
  const plan: UpdatePlan = {
    incident,
    ifStatus,
    edit: operation && Object.keys(changed).length > 0 ? { operation, fields: changed } : undefined,
    post:
      planned.is === "to-post" && addUpdate !== undefined
        ? { ...planned, addUpdate, request: { ...planned.request, ifStatus } }
        : undefined,
    posted: planned.is === "posted-before" ? { ...planned.posted, status } : undefined,
  };
  // An update without a known outcome is only read back: the status may be its own.
  const isPost = plan.post !== undefined && plan.post.request.log?.uncertain === undefined;
  const failure = plan.edit !== undefined || isPost ? statusFailure(incident, ifStatus) : undefined;
  if (failure !== undefined) throw failure;
  return plan;
}

async function readIncident(delivery: DeliveryOptions, id: string): Promise<Incident> {
  const incident = await delivery.client.findIncident(id);
  if (incident === undefined) throw await missingFailure(delivery, id);
  return incident;
}

/** A service needs its account in a request. */
function withAccount({ services, ...texts }: EditedFields, { account }: Session["settings"]): EditedFields {
  if (services === undefined) return texts;
  const accountId = account.value;
  return { ...texts, services: services.map((each) => ({ accountId, ...each })) as typeof services };
}

export function requestsOf(target: RequestTarget, { edit, incident, post }: UpdatePlan): PlannedIncident {
  const updates = post === undefined ? [] : [post.request.entry];
  return planChanges(target, incident, { edit, addUpdate: post?.addUpdate, updates });
}
