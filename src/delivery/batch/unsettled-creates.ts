// Creates whose outcome is not known, before another one is sent: one that may be the same incident stops it, and the
// others are a warning.
import { Failure } from "../../failure.ts";
import type { CreateBody } from "../../incident/create-body.ts";
import { normalBody, normalText } from "../../incident/normal-form.ts";
import { isSameContent, type RequestContent } from "../../journal/content.ts";
import type { OperationLog } from "../../journal/events.ts";
import { toSeconds } from "../../text/date-times.ts";
import { settlingCommands } from "../delivery-failures.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { remainingDeadline } from "../wait-for-sender.ts";

/** The largest number of creates that a message names. */
const mostNamed = 3;

/** Milliseconds between two creates for the same services that may be the same incident. */
const shortWhile = 60 * 60_000;

/** The creates with an unknown outcome whose senders are no longer at work, other than `own`. */
export async function readUnsettled(
  options: DeliveryOptions,
  own: ReadonlySet<string>,
): Promise<readonly OperationLog[]> {
  const { isShared, journal, reporter } = options;
  try {
    const { broken, logs } = await journal.unsettled();
    for (const { failure } of broken) reporter.warn(failure.message);
    return logs.filter((log) => !own.has(log.key.id) && !mayBeAtWork(options, log));
  } catch (error) {
    // A shared journal that cannot be reached stops the create anyway, after another wait.
    if (!(error instanceof Failure) || isShared) throw error;
    reporter.warn(error.message);
    return [];
  }
}

/** Whether its sender may be at work. On another clock, the wall clock decides: at worst, a warning comes late. */
function mayBeAtWork({ system }: DeliveryOptions, log: OperationLog): boolean {
  const { unended } = log;
  if (unended === undefined) return false;
  const left = remainingDeadline({ system }, log);
  return (left ?? Date.parse(unended.at) + unended.deadline - system.clock.now()) > 0;
}

/** The create among `logs` that may be the incident that is asked for, as a failure; undefined where none is. */
export function findSimilarCreate(
  options: Pick<DeliveryOptions, "isShared" | "service" | "system">,
  logs: readonly OperationLog[],
  request: RequestContent,
): Failure | undefined {
  const { service, system } = options;
  for (const log of logs) {
    if (log.key.baseUrl !== service.baseUrl || log.key.account !== service.account) continue;
    const reason = likeness(log, request, system.clock.now());
    if (reason !== undefined) return similarFailure(options, request, log, reason);
  }
  return undefined;
}

/** Why the unsettled create `log` may be the incident that is asked for; undefined where it is another. */
function likeness(log: OperationLog, request: RequestContent, now: number): string | undefined {
  const { content, name, uncertain } = log;
  const { body } = request.content;
  if (isSameContent(log, request)) return "the same content";
  if (name !== undefined && normalText(name) === normalText(body.name)) return "the same name";
  const isRecent = Math.abs(now - Date.parse(uncertain?.at ?? "")) <= shortWhile;
  const hasSameServices = content !== undefined && servicesIn(content.body) === servicesIn(body);
  return isRecent && hasSameServices ? "the same services within an hour" : undefined;
}

function servicesIn(body: CreateBody): string {
  return JSON.stringify(normalBody(body).services);
}

/** Two creates that may be the same incident: the second is not sent. */
function similarFailure(
  journal: Pick<DeliveryOptions, "isShared">,
  { content }: RequestContent,
  log: OperationLog,
  reason: string,
): Failure {
  const message = `"${content.body.name}" may be the create of ${describe(log)}, sent at ${sentAt(log)}, whose outcome is not known: it has ${reason}`;
  return new Failure("uncertain", message, {
    hint: "nothing was sent; settle the first one, then run it again; or create it with --new if it is another incident",
    commands: settlingCommands(journal, log),
  });
}

/** Joins the creates into one warning. `logs` are the oldest first. */
export function warnOfUnsettled({ reporter }: DeliveryOptions, logs: readonly OperationLog[]): void {
  if (logs.length > mostNamed) {
    const named = logs.slice(-mostNamed).reverse().map(describe);
    reporter.warn(
      `the outcome of ${logs.length} creates is not known, the newest of them ${named.slice(0, -1).join(", ")} and ${named.at(-1)}: see incident journal list`,
    );
    return;
  }
  for (const log of logs)
    reporter.warn(
      `the outcome of the create of ${describe(log)}, sent at ${sentAt(log)}, is not known: see incident journal show ${log.key.id}`,
    );
}

function describe({ key, name }: OperationLog): string {
  return name === undefined ? key.id : `${key.id} ("${name}")`;
}

function sentAt({ uncertain }: OperationLog): string {
  return toSeconds(uncertain?.at ?? "an unknown time");
}
