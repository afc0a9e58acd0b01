// An incident that was declared, or may be known, before this run: reads it, and checks it against the request. It is gone where
// neither its id nor a complete list shows it, and no cache or replica can be behind any more.
import type { ReadOptions } from "../../api/request.ts";
import { Failure } from "../../failure.ts";
import { type Difference, describeDifferences, differencesOf } from "../../incident/comparison.ts";
import { type Incident, incidentFacts, isSameId } from "../../incident/wire.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import { findById, type Model } from "../../journal/model.ts";
import { shell } from "../../text/advice.ts";
import { newestPosted, postedTo, wereSilent } from "../changes/known-updates.ts";
import {
  type Delivered,
  type DeliveryOptions,
  type DeliveryRequest,
  mayBeBehind,
  pagesOf,
} from "../delivery-options.ts";
import { describeIncident, localTimeOf, silentFailure } from "../failures.ts";

/** The failure where the service does not show an incident, an update or an edit that was sent a moment ago. */
export function behindFailure(
  options: Pick<DeliveryOptions, "system">,
  { change, created }: OperationLog,
): Failure {
  const changed = change?.kind === "edit" ? "the edit that was made" : "the update that was posted";
  const sent = change ? changed : `${created?.serviceId}, which was declared`;
  const message = `the service does not show ${sent} from here at ${localTimeOf(options, created?.at)}: a cache or a replica may be behind`;
  return new Failure("unavailable", message, {
    hint: "nothing was sent; run it again in a few minutes",
  });
}

/** The create from here whose incident has this id, which the service may have assigned. */
export function findCreateById(model: Model, id: string): OperationLog | undefined {
  return findById(model, id).find(({ change, created }) => change === undefined && created !== undefined);
}

/** Reads an incident by the service's own id. Throws a `Failure` where the service does not show it, or does not show it yet. */
export async function readKnown(
  options: Pick<DeliveryOptions, "client" | "journal" | "service" | "system">,
  id: string,
  budget?: ReadOptions,
): Promise<Incident> {
  const incident = await options.client.findIncident(id, budget);
  if (incident !== undefined) return incident;
  const model = await options.journal.model(options.service);
  const log = findCreateById(model, id);
  if (log?.created !== undefined && mayBeBehind(log.created.at, options.system))
    throw behindFailure(options, log);
  throw new Failure("missing", `there is no incident ${id}`, {
    hint: "nothing was sent; check the id, or the --key that it is made of, and the account; incident journal list --open has it where its create has no known outcome",
  });
}

/**
 * Reads the incident of a create. While a cache or a replica may be behind, it is that of the journal, with a warning. Undefined
 * where it is gone. Throws the `Failure` of the read, and one where no complete list proves that it is gone.
 */
export async function readDeclared(
  options: DeliveryOptions,
  log: OperationLog,
): Promise<Incident | undefined> {
  const { client, reporter, system } = options;
  const { at, serviceId } = log.created as NonNullable<OperationLog["created"]>;
  const found = await client.findIncident(serviceId).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    throw error.with({
      message: `${serviceId} was declared from here at ${localTimeOf(options, at)}; ${error.message}`,
      hint: `nothing was sent; ${error.hint}`,
    });
  });
  if (found !== undefined) return found;
  if (mayBeBehind(at, system)) {
    reporter.warn(behindFailure(options, log).message);
    const { content, name } = log;
    return { ...content?.body, ...(name !== undefined && { name }), id: serviceId };
  }
  const { isComplete, shown } = await findInList(options, serviceId);
  if (shown !== undefined || isComplete) return shown;
  const message = `the service does not show ${serviceId}, which was declared from here at ${localTimeOf(options, at)}, and no complete list says that it is gone`;
  throw new Failure("missing", message, {
    hint: `nothing was sent; if it was deleted, ${shell`incident journal settle ${serviceId} --not-created --yes`} says so`,
  });
}

/** `isComplete`: an incident that the list does not show does not exist. */
export async function findInList(
  options: DeliveryOptions,
  id: string,
): Promise<{ readonly shown?: Incident | undefined; readonly isComplete: boolean }> {
  const list = await pagesOf(options);
  if (list === undefined) return { isComplete: false };
  const { entries, isComplete } = await options.client.list("incidents", list);
  return { isComplete, shown: entries.find((each) => isSameId(each.id, id)) };
}

/** Answers with the incident of the log, and appends nothing. */
export async function replay(
  options: DeliveryOptions,
  { content }: DeliveryRequest,
  log: OperationLog,
): Promise<Delivered> {
  const { at, serviceId } = log.created as NonNullable<OperationLog["created"]>;
  const incident = await readDeclared(options, log);
  if (incident === undefined)
    throw new Failure(
      "missing",
      `incident ${serviceId} was declared from here at ${localTimeOf(options, at)}, and the service no longer has it`,
      { hint: "nothing was sent; to declare it again, use another id, or --new if it has none" },
    );
  const differences = options.acceptsAnyContent ? [] : differencesOf(content.body, incident);
  for (const warning of differenceWarnings(incident, differences)) options.reporter.warn(warning);
  return { incident, log, how: "found", since: at };
}

/** The failure where a resolved incident has the content of a file: it is that incident, or the same has happened again. */
export function overFailure(incident: Incident): Failure {
  const message = `${describeIncident(incident)} is over, with the name, services and first text of the definition`;
  return new Failure("rejected", message, {
    hint: `nothing was sent; if it is this incident, write its id in the definition (${shell`incident get ${incident.id} -o definition`} prints it); if it is another one, incident create with --new declares it`,
  });
}

/** Throws a `Failure` where an update from here resolved the incident a moment ago, because its status may be behind. */
export function checkShown(options: DeliveryOptions, model: Model, incident: Incident): void {
  const newest = newestPosted(postedTo(model, incident.id), options.system);
  if (newest?.change?.kind === "update" && newest.change.status === "RESOLVED")
    throw behindFailure(options, newest);
}

/** Throws a `Failure` where this create would notify subscribers, and the incident that exists did not. */
export function checkNotification(
  { body }: Content,
  { incident, log }: { readonly incident: Incident; readonly log?: OperationLog },
): void {
  const notifies = body.incidentUpdates.some(({ notifySubscribers }) => notifySubscribers);
  // A later attempt may notify where an earlier one that was refused did not.
  if (notifies && wereSilent(log ? [log] : [], incidentFacts(incident).updates))
    throw silentFailure(incident);
}

/** Throws a `Failure` where the incident does not have the status of --if-status. */
export function checkStatus(incident: Incident, needed: string | undefined): void {
  const { name = incident.id, status = "without a status" } = incidentFacts(incident);
  if (needed === undefined || status === needed) return;
  throw new Failure("drift", `"${name}" is ${status}, not ${needed}`, {
    hint: `nothing was sent; see ${shell`incident get ${incident.id}`}`,
  });
}

/** One warning where the incident differs. */
export function differenceWarnings({ id }: Incident, differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0) return [];
  return [`incident ${id} differs from its definition: ${describeDifferences(differences)}`];
}
