// The failures that the incident at the service explains: it is resolved, or cannot be brought to its definition.
import { describedOperation, type KnownOperations } from "../api/known-operations.ts";
import { operationNouns } from "../document/operations.ts";
import { catchFailure, Failure } from "../failure.ts";
import type { Update } from "../incident/definition.ts";
import { occurrenceOf } from "../incident/updates.ts";
import { type Incident, incidentFacts, isResolved } from "../incident/wire.ts";
import { advise, argv, inWebApplication } from "../text/advice.ts";
import { listOf } from "../text/lengths.ts";
import { incidentLink } from "../workspace/service-urls.ts";
import type { OperationOptions } from "./delivery-options.ts";
import { timeOf } from "./failures.ts";

type Deps = Pick<OperationOptions, "client">;

/** The incident in a sentence: `"Checkout fails" (7c9e6679-…)`. */
export function named(incident: Incident): string {
  return `"${incidentFacts(incident).name ?? incident.id}" (${incident.id})`;
}

function placeOf({ client }: Deps, id: string): string {
  return inWebApplication(incidentLink(client.settings.webUrl, id));
}

/** Nothing reopens by itself. */
export function resolvedFailure(deps: Deps, incident: Incident): Failure {
  return new Failure("rejected", `${named(incident)} is resolved, and an update would reopen it`, {
    hint: `nothing was sent; update and apply post after it with --reopen; or look at the incident ${placeOf(deps, incident.id)}`,
    commands: [{ command: argv`incident get ${incident.id}`, purpose: "see its updates" }],
  });
}

/** An equal incident or update is there, and it did not notify. */
export function silentFailure({ id }: Incident): Failure {
  return new Failure("rejected", `incident ${id} has it already, and it did not notify subscribers`, {
    hint: `nothing was sent; leave --notify out; incident update ${id} --message - --notify tells subscribers in another update, with the text from standard input, and --new publishes this one once more`,
  });
}

/** A published update of a file that asks for a notification, and that did not send one. */
export function silentUpdateFailure(incident: Incident, at: number): Failure {
  const message = `${named(incident)} has incidentUpdates[${at}] of its definition already, and it did not notify subscribers`;
  return new Failure("rejected", message, {
    hint: "nothing was sent; write notifySubscribers: false for it in the file; to tell subscribers, add another update at the end of the file with notifySubscribers: true",
  });
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

/** `changed`: the service shows an update that the file had, or may have had. */
export type TimelineProblem = "changed" | "nothing-published" | "resolved";

/** Why the rest of a timeline is not posted. */
export function timelineFailure(deps: Deps, incident: Incident, problem: TimelineProblem): Failure {
  const see = advise`${argv`incident get ${incident.id} -o definition`} prints the live incident as a file`;
  switch (problem) {
    case "resolved":
      return resolvedFailure(deps, incident);
    case "changed":
      return new Failure(
        "drift",
        `${named(incident)} shows a text that its definition had, or may have had, and no longer has`,
        {
          hint: advise`a published text is corrected in the web application and in the file, or followed by a new update: give the file the text that is published; ${see}`,
        },
      );
    case "nothing-published":
      return new Failure("rejected", `${named(incident)} shows none of the updates of its definition`, {
        hint: advise`nothing was posted; give the definition the updates that are published, or use another id if it is another incident: ${see}`,
      });
  }
}

/** Updates that stand before a published one, and that the service does not show. */
export function unpublishedFailure(
  incident: Incident,
  places: readonly number[],
  file: readonly Update[],
): Failure {
  const isOver = isResolved(incident);
  const commandOf = (at: number) => {
    const { description, notifySubscribers, status } = file[at] as Update;
    const flags = [...(status ? ["--status", status] : []), "--message", description];
    // Of two equal ones, the first is published.
    if (occurrenceOf(file, at) > 0) flags.push("--new");
    return {
      command: [
        ...argv`incident update ${incident.id}`,
        ...flags,
        ...(notifySubscribers ? ["--notify"] : []),
      ],
      purpose: `post incidentUpdates[${at}] after the others`,
    };
  };
  const which = listOf(places.map((at) => `incidentUpdates[${at}]`));
  const message = `${named(incident)} does not show ${which}, and shows a later update of its definition`;
  return new Failure("drift", message, {
    hint: `what stands before a published update is not posted: remove it from the file${isOver ? "" : ", or post it now"}; a service that shows only the latest updates may have it`,
    commands: isOver ? [] : places.map(commandOf),
  });
}

/** Undefined where the document describes an edit of all `fields`, and where it `posts`, the added update. */
export function lackingFailure(
  deps: Deps,
  incident: Incident,
  known: KnownOperations,
  { fields = [], posts }: { readonly fields?: readonly string[]; readonly posts: boolean },
): Failure | undefined {
  const names = [
    ...(fields.length > 0 ? (["edit"] as const) : []),
    ...(posts ? (["addUpdate"] as const) : []),
  ];
  const [name] = names;
  if (name === undefined) return undefined;
  const problem = `${named(incident)} cannot be brought to its definition`;
  if (!known.isKnown)
    return known.failure.with({
      message: `${problem}, because it is not known how the service takes ${operationNouns[name]}: ${known.failure.message}`,
      kind: "unavailable",
      unreachable: false,
    });
  const { settings } = deps.client;
  const lacking = catchFailure(() => {
    for (const each of names) describedOperation(known.operations, settings, each, incident.id);
  });
  if (lacking !== undefined) return lacking.with({ message: `${problem}: ${lacking.message}` });
  const others = fields.filter((field) => !known.operations.edit?.properties.includes(field));
  if (others.length === 0) return undefined;
  const message = `${problem}: the service's document describes an edit without ${listOf(others)}`;
  return new Failure("rejected", message, {
    hint: `nothing was sent; change it ${placeOf(deps, incident.id)}`,
  });
}
