// Sends an update and an edit, each request exactly once, and reports the outcome.

import { makeEdit } from "../../delivery/changes/edit.ts";
import type { PlannedUpdate } from "../../delivery/changes/plan-update.ts";
import { postOnce } from "../../delivery/changes/post-once.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { toSeconds } from "../../text/date-times.ts";
import type { Changes } from "./preview.ts";

/** The edit first, so that nobody reads an update about a severity that is not there yet. */
export async function sendChanges(
  context: RunContext,
  options: DeliveryOptions,
  { fields, incident, operations, update }: Changes,
  planned: PlannedUpdate | undefined,
  ifStatus: string | undefined,
) {
  const { addUpdate, edit } = operations;
  let latest = incident;
  let how: "posted" | "found" | "posted-before" | "edited" | "edited-before" = "edited-before";
  if (fields !== undefined && edit !== undefined) {
    const made = await makeEdit({ ...options, edit }, { incident, fields, ifStatus });
    ({ how, incident: latest } = made);
    context.info(`${made.how === "edited" ? "edited" : "already edited"} ${incident.id}  ${nameOf(latest)}`);
  }
  if (update === undefined || addUpdate === undefined || planned?.is !== "to-post")
    return { how, incident: latest };
  const isEdited = fields !== undefined;
  try {
    const request = { ...planned.request, entry: update, ifStatus, ...(isEdited && { incident: latest }) };
    const posted = await postOnce({ ...options, addUpdate }, request);
    context.info(describePosted(posted.how, posted.incident, update, posted.since));
    return { how: posted.how, incident: posted.incident, failure: posted.failure };
  } catch (error) {
    if (!(error instanceof Failure) || !isEdited) throw error;
    const kind = error.kind === "uncertain" ? "uncertain" : "partial";
    return {
      how,
      incident: latest,
      failure: error.with({ kind, message: `the edit is made; ${error.message}` }),
    };
  }
}

export function nameOf(incident: Incident): string {
  return incidentFacts(incident).name ?? incident.id;
}

function describePosted(
  how: string,
  incident: Incident,
  { status }: Update,
  since: string | undefined,
): string {
  const what = `${status} of ${incident.id}  ${nameOf(incident)}`;
  if (how === "posted") return `posted ${what}`;
  return `already posted ${what}${since === undefined ? "" : ` (from here, ${toSeconds(since)})`}`;
}

export function describeNothing(
  incident: Incident,
  update: Update | undefined,
  since: string | undefined,
): string {
  if (update === undefined) return `${incident.id} has these values already: nothing was sent`;
  if (update.status === "RESOLVED" && isResolved(incident) && since === undefined)
    return `already resolved ${incident.id}  ${nameOf(incident)}: nothing was sent`;
  return describePosted("posted-before", incident, update, since);
}
