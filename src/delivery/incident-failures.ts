// Failures that the incident at the service explains: it is gone, resolved, or cannot be brought to what was asked for.
import { describedOperation, type KnownOperations } from "../api/known-operations.ts";
import { operationNouns } from "../document/operations.ts";
import { catchFailure, Failure } from "../failure.ts";
import type { Update } from "../incident/definition.ts";
import type { TimelinePlan } from "../incident/timeline.ts";
import { type Incident, incidentFacts, isResolved } from "../incident/wire.ts";
import type { OperationLog } from "../journal/events.ts";
import { advise, argv, inWebApplication } from "../text/advice.ts";
import { toSeconds } from "../text/date-times.ts";
import { countOf, listOf } from "../text/lengths.ts";
import { incidentLink } from "../workspace/web-url.ts";
import { describeOperation, sentAt, settlingCommands, unprovenId } from "./delivery-failures.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

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

type Deps = Pick<DeliveryOptions, "client">;

/** Of a definition that has changed, where the service does not show its incident; undefined where it takes no change. */
export function unpostedFailure(known: KnownOperations, id: string): Failure | undefined {
  if (known.isKnown && (known.operations.addUpdate ?? known.operations.edit) === undefined) return undefined;
  const message = `the service does not show ${id}, which was declared from here, so the changes of its definition are not posted`;
  return new Failure("unavailable", message, {
    hint: advise`run it again, since a cache or a replica may be behind; if a person settled it without the id that the service gave it, state that with ${argv`incident journal settle ${id} --created --service-id`}`,
    retryable: true,
  });
}

/** Why the rest of a timeline is not posted. */
export function timelineFailure(
  deps: Deps,
  incident: Incident,
  problem: NonNullable<TimelinePlan["problem"]>,
  count: number,
): Failure {
  const { name, place } = describe(deps, incident);
  const see = advise`${argv`incident get ${incident.id} -o definition`} prints the live incident as a file`;
  switch (problem) {
    case "changed":
      return new Failure(
        "drift",
        `${name} shows a text that its definition had, or may have had, and no longer has`,
        {
          hint: advise`a published text is corrected in the web application and in the file, or followed by a new update: give the file the text that is published; ${see}`,
        },
      );
    case "nothing-published":
      return new Failure("rejected", `${name} shows none of the updates of its definition`, {
        hint: advise`nothing was posted; give the definition the updates that are published, or use another id if it is another incident: ${see}`,
      });
    case "resolved":
      return new Failure(
        "rejected",
        `${name} is resolved, and ${countOf(count, "update")} of its definition would reopen it`,
        {
          hint: advise`nothing was posted; ${argv`incident apply --reopen`} posts after it, or look at the incident ${place}`,
        },
      );
  }
}

/** A definition ends an incident that somebody has resolved. */
export function describeNotPosted(deps: Deps, incident: Incident, count: number): string {
  const { name } = describe(deps, incident);
  return `${name} is resolved already: ${countOf(count, "update")} of its definition ${count === 1 ? "is" : "are"} not posted; --reopen posts after it`;
}

/** Updates that stand before a published one, and that the service does not show. */
export function unpublishedFailure(
  deps: Deps,
  incident: Incident,
  places: readonly number[],
  file: readonly Update[],
): Failure {
  const which = listOf(places.map((at) => `incidentUpdates[${at}]`));
  const message = `${describe(deps, incident).name} does not show ${which}, and shows a later update of its definition`;
  const isOver = isResolved(incident);
  return new Failure("drift", message, {
    hint: `what stands before a published update is not posted: remove it from the file${isOver ? "" : ", or post it now"}; a service that shows only the latest updates may have it`,
    commands: places.flatMap((at) => {
      const { description, notifySubscribers, status } = file[at] as Update;
      const flags = [...(status ? ["--status", status] : []), "--message", description];
      const command = [
        ...argv`incident update ${incident.id}`,
        ...flags,
        ...(notifySubscribers ? ["--notify"] : []),
      ];
      return isOver ? [] : [{ command, purpose: `post incidentUpdates[${at}] after the others` }];
    }),
  });
}

/** An update that the definition no longer has was sent, and its outcome is not known. */
export function editedFailure({ clientIds }: Pick<DeliveryOptions, "clientIds">, log: OperationLog): Failure {
  const message = `the outcome of ${describeOperation(log)}, sent at ${sentAt(log)}, is not known, and its definition no longer has it`;
  return new Failure("uncertain", message, {
    hint: "nothing was posted, because it may still appear; look at the status page, then settle it",
    commands: settlingCommands(log, clientIds.latest()),
  });
}

/** The described edit does not have fields that a definition has changed. */
export function fieldsFailure(deps: Deps, incident: Incident, fields: readonly string[]): Failure {
  const { name, place } = describe(deps, incident);
  const message = `${name} cannot be brought to its definition: the service's document describes an edit without ${listOf(fields)}`;
  return new Failure("rejected", message, { hint: `nothing was sent; change it ${place}` });
}

/** A create waits for no document. */
export function unknownOperations(): KnownOperations {
  const message = "neither a saved contract nor the cache says how the service takes an update";
  const hint = advise`run ${argv`incident contract pull`}, then run the same command again`;
  return { isKnown: false, failure: new Failure("rejected", message, { hint }) };
}

/** The operation that is missing, as a failure; undefined where the document describes it. */
export function lackingFailure(
  deps: Deps,
  incident: Incident,
  known: KnownOperations,
  name: "addUpdate" | "edit",
): Failure | undefined {
  const described = describe(deps, incident);
  const noun = operationNouns[name];
  if (!known.isKnown)
    return known.failure.with({
      message: `${described.name} cannot be brought to its definition, because it is not known how the service takes ${noun}: ${known.failure.message}`,
      unreachable: false,
    });
  const { settings } = deps.client;
  const lacking = catchFailure(() => describedOperation(known.operations, settings, name, incident.id));
  return lacking?.with({
    message: `${described.name} cannot be brought to its definition: ${lacking.message}`,
  });
}

function describe({ client }: Deps, incident: Incident) {
  return {
    name: `"${incidentFacts(incident).name ?? incident.id}" (${incident.id})`,
    place: inWebApplication(incidentLink(client.settings.webUrl, incident.id)),
  };
}
