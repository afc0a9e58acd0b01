// Sends an edit and an update, each request exactly once, and says what became of them.
import { makeEdit } from "../../delivery/changes/edit.ts";
import { type Posted, postOnce } from "../../delivery/changes/post-once.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { Failure } from "../../failure.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { localTime } from "../../text/date-times.ts";
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
  { edit, ifStatus, incident, post }: UpdatePlan,
): Promise<Sent> {
  const edited =
    edit &&
    (await makeEdit({ ...options, edit: edit.operation }, { incident, fields: edit.fields, ifStatus }));
  if (edited !== undefined) {
    const said = edited.how === "edited" ? "edited" : "already edited";
    context.info(`${said} ${incident.id}  ${nameOf(edited.incident)}`);
  }
  if (post === undefined) return edited ?? { how: "edited-before", incident };
  try {
    const request = { ...post.request, incident: edited?.incident ?? post.request.incident };
    const posted = await postOnce({ ...options, addUpdate: post.addUpdate }, request);
    context.info(describePosted(context, posted, request.entry.status));
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
  context: RunContext,
  { how, incident, since }: Pick<Posted, "how" | "incident" | "since">,
  status: string | undefined,
): string {
  const what = `${status} of ${incident.id}  ${nameOf(incident)}`;
  if (how === "posted") return `posted ${what}`;
  return `already posted ${what}${since === undefined ? "" : ` (from here, ${localTime(since, context.system.localOffset)})`}`;
}

/** For a plan that sends nothing. */
export function describeNothing(context: RunContext, { incident, posted }: UpdatePlan): string {
  if (posted === undefined) return `${incident.id} has these values already: nothing was sent`;
  const { since, status } = posted;
  if (status === "RESOLVED" && isResolved(incident) && since === undefined)
    return `already resolved ${incident.id}  ${nameOf(incident)}: nothing was sent`;
  return describePosted(context, posted, status);
}
