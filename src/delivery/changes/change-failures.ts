// Failures of an update or an edit that the incident explains.
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import { advise, argv, inWebApplication } from "../../text/advice.ts";
import { toSeconds } from "../../text/date-times.ts";
import { incidentLink } from "../../workspace/web-url.ts";
import { settlingCommands, unprovenId } from "../delivery-failures.ts";
import type { DeliveryOptions } from "../delivery-options.ts";

/** The service does not have the incident. */
export async function missingFailure(options: DeliveryOptions, id: string): Promise<Failure> {
  const failure = new Failure("missing", `there is no incident ${id}`, {
    hint: "check the id and the account; nothing was sent",
  });
  return (await withUnsettledCreate(failure, options, id)) ?? failure;
}

/** For an incident that the service does not show; undefined where the outcome of its create is known. */
export async function withUnsettledCreate(
  failure: Failure,
  { clientIds, journal, service }: DeliveryOptions,
  id: string,
): Promise<Failure | undefined> {
  const log = await journal.read({ ...service, id: id.toLowerCase() });
  if (log.uncertain === undefined || log.change !== undefined) return undefined;
  const mode = clientIds.latest();
  return failure.with({
    message: `${failure.message}, and its create has no known outcome here`,
    hint: `${unprovenId(mode)}it may still appear: check the status page, then settle it`,
    commands: settlingCommands(log, mode).filter(({ command }) => command[1] !== "get"),
  });
}

/** Several new updates are equal, and it is not known which one is of this operation. */
export function ambiguousFailure(
  { clientIds }: Pick<DeliveryOptions, "clientIds">,
  log: OperationLog,
  names: readonly string[],
): Failure {
  const message = `${names.length} new updates of the incident are equal to this one: ${names.join(", ")}`;
  return new Failure("uncertain", message, {
    hint: "nothing more was sent; look at the status page, then settle it",
    commands: settlingCommands(log, clientIds.latest()),
  });
}

/** Nothing reopens by itself. */
export function resolvedFailure({ client }: Pick<DeliveryOptions, "client">, incident: Incident): Failure {
  const name = incidentFacts(incident).name ?? incident.id;
  const place = inWebApplication(incidentLink(client.settings.webUrl, incident.id));
  return new Failure("rejected", `"${name}" (${incident.id}) is resolved, and an update would reopen it`, {
    hint: `nothing was sent; add --reopen to post it anyway, or look at the incident ${place}`,
    commands: [{ command: argv`incident get ${incident.id}`, purpose: "see its updates" }],
  });
}

/** An equal update is there, and it did not notify. */
export function silentFailure(incident: Incident): Failure {
  const message = `incident ${incident.id} has this update already, and it did not notify subscribers`;
  return new Failure("rejected", message, {
    hint: "nothing was sent; leave --notify out, or add --new to post it once more with a notification",
  });
}

/** An equal update was posted before, and the incident has another status. `since`: when it was posted from here. */
export function movedOnFailure(incident: Incident, { status }: Update, since: string | undefined): Failure {
  const { name = incident.id, status: current } = incidentFacts(incident);
  const posted = since === undefined ? "was posted" : `was posted from here at ${toSeconds(since)}`;
  const message = `this ${status} of "${name}" ${posted}, and the incident is ${current} now`;
  return new Failure("drift", message, {
    hint: advise`nothing was sent; see ${argv`incident get ${incident.id}`}, and add --new to post it again`,
  });
}

/** A runbook's guard: the incident has not the status that it must have before anything is sent. */
export function statusFailure(incident: Incident, needed: string | undefined): Failure | undefined {
  const { name = incident.id, status = "without a status" } = incidentFacts(incident);
  if (needed === undefined || status === needed) return undefined;
  return new Failure("drift", `"${name}" is ${status}, not ${needed}`, {
    hint: advise`nothing was sent; see ${argv`incident get ${incident.id}`}`,
  });
}
