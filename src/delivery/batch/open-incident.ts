// A create without an id is named by its content: while the incident that this content declared is open, it answers.
import { Failure } from "../../failure.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import { advise, argv, inWebApplication } from "../../text/advice.ts";
import { incidentLink } from "../../workspace/web-url.ts";
import { notifies, recall } from "../creates/replay.ts";
import type { Delivered, DeliveryOptions } from "../delivery-options.ts";

/**
 * The open incident that a finished create declared; undefined where it is resolved or gone. Throws a `Failure` where
 * neither the service nor the journal has it.
 */
export async function findOpen(options: DeliveryOptions, log: OperationLog): Promise<Delivered | undefined> {
  const { incident, isRead } = await recall(options, log);
  if (incident === undefined || isResolved(incident)) return undefined;
  return { incident, isRecalled: !isRead, log, how: "open", ...(log.created && { since: log.created.at }) };
}

/** The failure where this create would notify, and the one of the open incident did not. */
export function checkNotification(
  { client }: DeliveryOptions,
  content: Content,
  { incident, log }: { readonly incident: Incident; readonly log?: OperationLog },
): Failure | undefined {
  if (!notifies(content) || !wasSilent(log?.content, incidentFacts(incident).updates)) return undefined;
  const place = inWebApplication(incidentLink(client.settings.webUrl, incident.id));
  return new Failure("rejected", `${incident.id} is open, and was declared without a notification`, {
    hint: advise`nothing was sent; to notify subscribers, post an update with ${argv`incident update ${incident.id} --notify`} or ${place}; or declare another incident with --new`,
  });
}

/** A shared journal has no text. There, an update that does not say whether it notified proves nothing. */
function wasSilent(
  content: Content | undefined,
  updates: readonly { readonly notified: boolean | undefined }[],
): boolean {
  if (content !== undefined) return !notifies(content);
  return updates.length > 0 && updates.every(({ notified }) => notified === false);
}
