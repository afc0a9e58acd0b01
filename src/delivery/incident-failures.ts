// The failures that the incident at the service explains: it is resolved, or cannot be brought to what was asked for.
import { describedOperation, type KnownOperations } from "../api/known-operations.ts";
import { operationNouns } from "../document/operations.ts";
import { catchFailure, Failure } from "../failure.ts";
import type { Update } from "../incident/definition.ts";
import type { TimelinePlan } from "../incident/timeline.ts";
import { type Incident, incidentFacts, isResolved } from "../incident/wire.ts";
import type { OperationLog } from "../journal/events.ts";
import { advise, argv, inWebApplication } from "../text/advice.ts";
import { countOf, listOf } from "../text/lengths.ts";
import { incidentLink } from "../workspace/web-url.ts";
import type { OperationOptions } from "./delivery-options.ts";
import { describeOperation, settlingCommands, timeOf } from "./failures.ts";

type Deps = Pick<OperationOptions, "client">;

/** The incident in a sentence: `"Checkout fails" (7c9e6679-…)`. */
function named(incident: Incident): string {
  return `"${incidentFacts(incident).name ?? incident.id}" (${incident.id})`;
}

function placeOf({ client }: Deps, { id }: Incident): string {
  return inWebApplication(incidentLink(client.settings.webUrl, id));
}

/** Nothing reopens by itself. */
export function resolvedFailure(deps: Deps, incident: Incident): Failure {
  return new Failure("rejected", `${named(incident)} is resolved, and an update would reopen it`, {
    hint: `nothing was sent; add --reopen to post it anyway, or look at the incident ${placeOf(deps, incident)}`,
    commands: [{ command: argv`incident get ${incident.id}`, purpose: "see its updates" }],
  });
}

/** An equal update is there, and it did not notify. */
export function silentFailure({ id }: Incident): Failure {
  return new Failure(
    "rejected",
    `incident ${id} has this update already, and it did not notify subscribers`,
    {
      hint: "nothing was sent; leave --notify out, or add --new to post it once more with a notification",
    },
  );
}

/** An equal update was posted before, and the incident has another status. `since`: when it was posted from here. */
export function movedOnFailure(
  options: Pick<OperationOptions, "system">,
  incident: Incident,
  { status }: Update,
  since: string | undefined,
): Failure {
  const { name = incident.id, status: current } = incidentFacts(incident);
  const posted = since === undefined ? "was posted" : `was posted from here at ${timeOf(options, since)}`;
  return new Failure("drift", `this ${status} of "${name}" ${posted}, and the incident is ${current} now`, {
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
  const see = advise`${argv`incident get ${incident.id} -o definition`} prints the live incident as a file`;
  const rows = {
    changed: {
      kind: "drift",
      says: "shows a text that its definition had, or may have had, and no longer has",
      hint: advise`a published text is corrected in the web application and in the file, or followed by a new update: give the file the text that is published; ${see}`,
    },
    "nothing-published": {
      kind: "rejected",
      says: "shows none of the updates of its definition",
      hint: advise`nothing was posted; give the definition the updates that are published, or use another id if it is another incident: ${see}`,
    },
    resolved: {
      kind: "rejected",
      says: `is resolved, and ${countOf(count, "update")} of its definition would reopen it`,
      hint: advise`nothing was posted; ${argv`incident apply --reopen`} posts after it, or look at the incident ${placeOf(deps, incident)}`,
    },
  } as const;
  const { hint, kind, says } = rows[problem];
  return new Failure(kind, `${named(incident)} ${says}`, { hint });
}

/** A definition ends an incident that somebody has resolved. */
export function describeNotPosted(incident: Incident, count: number): string {
  return `${named(incident)} is resolved already: ${countOf(count, "update")} of its definition ${count === 1 ? "is" : "are"} not posted; --reopen posts after it`;
}

/** Updates that stand before a published one, and that the service does not show. */
export function unpublishedFailure(
  incident: Incident,
  places: readonly number[],
  file: readonly Update[],
): Failure {
  const which = listOf(places.map((at) => `incidentUpdates[${at}]`));
  const isOver = isResolved(incident);
  const commandOf = (at: number) => {
    const { description, notifySubscribers, status } = file[at] as Update;
    const flags = [...(status ? ["--status", status] : []), "--message", description];
    const loud = notifySubscribers ? ["--notify"] : [];
    return {
      command: [...argv`incident update ${incident.id}`, ...flags, ...loud],
      purpose: `post incidentUpdates[${at}] after the others`,
    };
  };
  const message = `${named(incident)} does not show ${which}, and shows a later update of its definition`;
  return new Failure("drift", message, {
    hint: `what stands before a published update is not posted: remove it from the file${isOver ? "" : ", or post it now"}; a service that shows only the latest updates may have it`,
    commands: isOver ? [] : places.map(commandOf),
  });
}

/** An update that the definition no longer has was sent, and its outcome is not known. */
export function removedFailure(
  options: Pick<OperationOptions, "journal" | "system">,
  log: OperationLog,
): Failure {
  const message = `the outcome of ${describeOperation(log)}, sent at ${timeOf(options, log.uncertain?.at)}, is not known, and its definition no longer has it`;
  return new Failure("uncertain", message, {
    hint: "nothing was posted, because it may still appear; look at the status page, then settle it",
    commands: settlingCommands(options, log),
  });
}

/** A create waits for no document. */
export function unknownOperations(): KnownOperations {
  const message = "neither a saved contract nor the cache says how the service takes an update";
  const hint = advise`run ${argv`incident contract pull`}, then run the same command again`;
  return { isKnown: false, failure: new Failure("rejected", message, { hint }) };
}

/** Undefined where the document describes an edit of all `fields`, and where it `posts`, the added update. */
export function lackingFailure(
  deps: Deps,
  incident: Incident,
  known: KnownOperations,
  { fields = [], posts }: { readonly fields?: readonly string[]; readonly posts: boolean },
): Failure | undefined {
  const edit = fields.length > 0 ? lackOf(deps, incident, known, "edit", fields) : undefined;
  return edit ?? (posts ? lackOf(deps, incident, known, "addUpdate") : undefined);
}

function lackOf(
  deps: Deps,
  incident: Incident,
  known: KnownOperations,
  name: "addUpdate" | "edit",
  fields: readonly string[] = [],
): Failure | undefined {
  const problem = `${named(incident)} cannot be brought to its definition`;
  if (!known.isKnown)
    return known.failure.with({
      message: `${problem}, because it is not known how the service takes ${operationNouns[name]}: ${known.failure.message}`,
      unreachable: false,
    });
  const { settings } = deps.client;
  const lacking = catchFailure(() => describedOperation(known.operations, settings, name, incident.id));
  if (lacking !== undefined) return lacking.with({ message: `${problem}: ${lacking.message}` });
  const others = fields.filter((field) => !known.operations.edit?.properties.includes(field));
  if (others.length === 0) return undefined;
  const message = `${problem}: the service's document describes an edit without ${listOf(others)}`;
  return new Failure("rejected", message, {
    hint: `nothing was sent; change it ${placeOf(deps, incident)}`,
  });
}
