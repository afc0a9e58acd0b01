// Sends an edit and an update, each request exactly once, and reports the outcome.
import { makeEdit } from "../../delivery/changes/edit.ts";
import { type Posted, postOnce } from "../../delivery/changes/post-once.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { Failure } from "../../failure.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { toSeconds } from "../../text/date-times.ts";
import type { UpdatePlan } from "./plan.ts";

export interface Sent {
  readonly how: string;
  readonly incident: Incident;
  readonly failure?: Failure | undefined;
}

/** The edit first, so that nobody reads an update about a severity that is not there yet. */
export async function sendUpdate(
  context: RunContext,
  options: DeliveryOptions,
  { fields, ifStatus, incident, operations, planned, update }: UpdatePlan,
): Promise<Sent> {
  const { addUpdate, edit } = operations;
  let edited: Sent | undefined;
  if (fields !== undefined && edit !== undefined) {
    edited = await makeEdit({ ...options, edit }, { incident, fields, ifStatus });
    const said = edited.how === "edited" ? "edited" : "already edited";
    context.info(`${said} ${incident.id}  ${nameOf(edited.incident)}`);
  }
  const isPosted = planned?.is === "to-post" && update !== undefined && addUpdate !== undefined;
  if (!isPosted) return edited ?? { how: "edited-before", incident };
  try {
    const request = {
      ...planned.request,
      entry: update,
      ifStatus,
      ...(edited && { incident: edited.incident }),
    };
    const posted = await postOnce({ ...options, addUpdate }, request);
    context.info(describePosted(posted, update.status));
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
  { how, incident, since }: Pick<Posted, "how" | "incident" | "since">,
  status: string | undefined,
): string {
  const what = `${status} of ${incident.id}  ${nameOf(incident)}`;
  if (how === "posted") return `posted ${what}`;
  return `already posted ${what}${since === undefined ? "" : ` (from here, ${toSeconds(since)})`}`;
}

/** For a plan that sends nothing. */
export function describeNothing({ incident, planned, update }: UpdatePlan): string {
  if (planned?.is !== "posted-before") return `${incident.id} has these values already: nothing was sent`;
  const { since } = planned.posted;
  if (update?.status === "RESOLVED" && isResolved(incident) && since === undefined)
    return `already resolved ${incident.id}  ${nameOf(incident)}: nothing was sent`;
  return describePosted(planned.posted, update?.status);
}
