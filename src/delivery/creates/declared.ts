// What is known of an incident that was declared from here: as the service shows it, else as the journal has it. It is gone
// where neither its id nor a complete list of the service shows it.
import { Failure } from "../../failure.ts";
import { type Difference, describeDifferences, differencesOf } from "../../incident/comparison.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import { advise, argv, inWebApplication } from "../../text/advice.ts";
import { incidentLink } from "../../workspace/web-url.ts";
import type { Delivered, DeliveryOptions, DeliveryRequest } from "../delivery-options.ts";
import { timeOf } from "../failures.ts";

/** The longest time, in milliseconds, that a cache or a replica is taken to be behind. */
const longestLag = 5 * 60_000;

/** The most incidents that a list is read for. */
const mostListed = 1000;

/** Whether an answer may not show yet what was sent at `at`, an ISO date-time. */
export function mayBeBehind(at: string, { clock }: Pick<DeliveryOptions["system"], "clock">): boolean {
  return clock.now() - Date.parse(at) < longestLag;
}

/**
 * The incident that `log` knows as declared: as the service shows it, else as the journal knows it, with a warning.
 * Undefined where it is gone. Throws the `Failure` of the read, and one where nothing proves that it is gone.
 */
export async function readDeclared(
  options: DeliveryOptions,
  log: OperationLog,
): Promise<Incident | undefined> {
  const { client, reporter, system } = options;
  const { at, incident, serviceId } = log.created as NonNullable<OperationLog["created"]>;
  const found = await client.findIncident(serviceId);
  if (found !== undefined) return found;
  const problem = `the service does not show ${serviceId}, which was declared from here at ${timeOf(options, at)}`;
  if (mayBeBehind(at, system)) {
    reporter.warn(`${problem}: a cache or a replica may be behind, so it counts as declared`);
    const { content, name } = log;
    return incident ?? { ...content?.body, ...(name !== undefined && { name }), id: serviceId };
  }
  const list = await options.list?.();
  const listed = list && (await client.listIncidents(list, { most: mostListed, sharesConnection: true }));
  const shown = listed?.entries.find(({ id }) => id.toLowerCase() === serviceId.toLowerCase());
  if (shown !== undefined || listed?.isComplete) return shown;
  throw new Failure("missing", `${problem}, and no complete list says that it is gone`, {
    hint: advise`nothing was sent; if it was deleted, ${argv`incident journal settle ${serviceId} --not-created --yes`} says so`,
  });
}

/** Answers with the incident that the log knows. Nothing is appended. */
export async function replay(
  options: DeliveryOptions,
  { content }: DeliveryRequest,
  log: OperationLog,
): Promise<Delivered> {
  const { acceptsAnyContent, reporter } = options;
  const created = log.created as NonNullable<OperationLog["created"]>;
  const details = { log, how: "remembered", since: created.at } as const;
  const { incident, isRead } = await recall(options, log);
  if (incident === undefined) {
    const message = `incident ${created.serviceId} was declared from here at ${timeOf(options, created.at)}, and the service no longer has it`;
    throw new Failure("missing", message, {
      hint: "nothing was sent; to declare it again, use another id, or --new if it has none",
    });
  }
  if (!isRead) return { incident, isRecalled: true, ...details };
  if (acceptsAnyContent) return { incident, ...details };
  warnOfDifferences(reporter, incident, differencesOf(content.body, incident));
  warnOfSilence(options, content, { incident, log });
  return { incident, ...details };
}

/** Warns where this create would notify, and the one that was sent did not. */
export function warnOfSilence(
  { reporter }: DeliveryOptions,
  content: Content,
  { incident: { id }, log }: Pick<Delivered, "incident" | "log">,
): void {
  if (notifies(content) && wasSilent(log, []))
    reporter.warn(
      `${id} was declared without a notification; incident update ${id} --notify posts an update that notifies`,
    );
}

/** The service's answer if it can be had, else the one in the journal. Undefined where the incident is gone. */
async function recall(
  options: DeliveryOptions,
  log: OperationLog,
): Promise<{ readonly incident: Incident | undefined; readonly isRead: boolean }> {
  const created = log.created as NonNullable<OperationLog["created"]>;
  try {
    return { incident: await readDeclared(options, log), isRead: true };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "missing") throw error;
    if (created.incident === undefined) {
      throw error.with({
        message: `it was declared from here at ${timeOf(options, created.at)}; ${error.message}`,
        hint: advise`nothing was sent; ${error.details.hint}`,
      });
    }
    options.reporter.warn(
      `${error.message}; this is what the service answered at ${timeOf(options, created.at)}`,
    );
    return { incident: created.incident, isRead: false };
  }
}

function notifies({ body }: Content): boolean {
  return body.incidentUpdates.some(({ notifySubscribers }) => notifySubscribers);
}

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
  if (!notifies(content) || !wasSilent(log, incidentFacts(incident).updates)) return undefined;
  const place = inWebApplication(incidentLink(client.settings.webUrl, incident.id));
  return new Failure("rejected", `${incident.id} is open, and was declared without a notification`, {
    hint: advise`nothing was sent; to notify subscribers, post an update with ${argv`incident update ${incident.id} --notify`} or ${place}; or declare another incident with --new`,
  });
}

/** A shared journal has no text. There, an update that does not say whether it notified proves nothing. */
function wasSilent(
  log: OperationLog | undefined,
  updates: readonly { readonly notified: boolean | undefined }[],
): boolean {
  const { content, events = [] } = log ?? {};
  // A later attempt may notify where an earlier one that was refused did not.
  if (events.some((event) => event.type === "sending" && event.notify)) return false;
  if (content !== undefined) return !notifies(content);
  return updates.length > 0 && updates.every(({ notified }) => notified === false);
}

/** Warns where an incident differs from its definition. */
export function warnOfDifferences(
  reporter: Pick<DeliveryOptions["reporter"], "warn">,
  { id }: Pick<Incident, "id">,
  differences: readonly Difference[],
  advice = "",
): void {
  if (differences.length > 0)
    reporter.warn(`incident ${id} differs from its definition: ${describeDifferences(differences)}${advice}`);
}
