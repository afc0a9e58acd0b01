// Answers a create whose incident the journal knows.
import { Failure } from "../../failure.ts";
import { differencesOf } from "../../incident/comparison.ts";
import { type Incident, isResolved } from "../../incident/wire.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import { advise } from "../../text/advice.ts";
import { toSeconds } from "../../text/date-times.ts";
import type { Delivered, DeliveryOptions, DeliveryRequest } from "../delivery-options.ts";
import { readDeclared } from "../gone.ts";
import { warnOfDifferences } from "../warn-of-differences.ts";

/** Answers with the incident that the log knows. Nothing is appended. */
export async function replay(
  options: DeliveryOptions,
  { content, contents, hasRandomId }: DeliveryRequest,
  log: OperationLog,
): Promise<Delivered> {
  const { acceptsAnyContent, reporter } = options;
  const created = log.created as NonNullable<OperationLog["created"]>;
  const details = { log, how: "remembered", since: created.at } as const;
  const { incident, isRead } = await recall(options, log);
  if (incident === undefined) {
    const message = `incident ${created.serviceId} was declared from here at ${toSeconds(created.at)}, and the service no longer has it`;
    throw new Failure("missing", message, {
      hint: "nothing was sent; to declare it again, use another id, or --new if it has none",
    });
  }
  if (!isRead) return { incident, isRecalled: true, ...details };
  if (acceptsAnyContent) return { incident, ...details };
  const whole = contents?.at(-1) ?? content;
  // Its command was never told of it, and may be meant for the next incident with these words.
  if (hasRandomId && isResolved(incident) && whole.body.incidentUpdates.at(-1)?.status !== "RESOLVED") {
    const message = `${incident.id} was declared from here with this content at ${toSeconds(created.at)}, and is resolved`;
    throw new Failure("rejected", message, { hint: "nothing was sent; --new declares another incident" });
  }
  warnOfDifferences(reporter, incident, differencesOf(content.body, incident));
  if (notifies(content) && log.content !== undefined && !notifies(log.content))
    reporter.warn(
      `${incident.id} was declared without a notification; incident update ${incident.id} --notify posts an update that notifies`,
    );
  return { incident, ...details };
}

/** The service's answer if it can be had, else the one in the journal. Undefined where the incident is gone. */
export async function recall(
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
        message: `it was declared from here at ${toSeconds(created.at)}; ${error.message}`,
        hint: advise`nothing was sent; ${error.details.hint}`,
      });
    }
    options.reporter.warn(`${error.message}; this is what the service answered at ${toSeconds(created.at)}`);
    return { incident: created.incident, isRead: false };
  }
}

export function notifies({ body }: Content): boolean {
  return body.incidentUpdates.some(({ notifySubscribers }) => notifySubscribers);
}
