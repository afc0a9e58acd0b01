// The failures of operations and of incidents. Where something may exist, the failure is "uncertain" and has the commands that
// look for it or settle it.
import { cancellation, Failure, type FailureKind, messageOf, type NextCommand } from "../failure.ts";
import { type Difference, describeDifferences } from "../incident/comparison.ts";
import type { Update } from "../incident/definition.ts";
import { occurrenceOf } from "../incident/updates.ts";
import { type Incident, incidentFacts, isResolved, normalText } from "../incident/wire.ts";
import type { Content, OperationLog } from "../journal/events.ts";
import type { System } from "../platform/context.ts";
import { commandText, inWebApplication, shell } from "../text/advice.ts";
import { localTime } from "../text/date-times.ts";
import { countOf, listOf } from "../text/lengths.ts";
import { incidentLink } from "../workspace/service-urls.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

type FailureDeps = Pick<DeliveryOptions, "journal" | "noJournal" | "settleFor" | "system">;

/** A recorded time, for a message. */
export function localTimeOf(
  { system }: { readonly system: Pick<System, "localOffset"> },
  at: string | undefined,
): string {
  return at === undefined ? "an unknown time" : localTime(at, system.localOffset);
}

/** An operation in a sentence: `the update MONITORING of "Checkout fails"`. */
export function describeOperation({ change, key, name }: OperationLog): string {
  if (change === undefined) return `"${name ?? key.id}"`;
  const status = change.kind === "update" && change.status !== undefined ? ` ${change.status}` : "";
  return `the update${status} of "${name ?? change.incidentId}"`;
}

/** Whether it was sent without a journal, so that no command settles it. A journal notes the origin of each event. */
function isUnrecorded({ noJournal }: Pick<FailureDeps, "noJournal">, { events }: OperationLog): boolean {
  return noJournal === true && events.findLast(({ type }) => type === "sending")?.origin === undefined;
}

/** The command that looks for an operation by its id, if it has one, then those that settle it, if its outcome is not known. */
export function settlingCommands(
  options: Pick<FailureDeps, "journal" | "noJournal">,
  log: OperationLog,
): readonly NextCommand[] {
  const { change, key, mayBeFoundById, uncertain } = log;
  const { ids } = options.journal.known(key);
  const own = change?.incidentId ?? (mayBeFoundById && ids === "honoured" ? key.id : undefined);
  const look = own === undefined ? [] : [{ command: shell`incident get ${own}`, purpose: "look for it" }];
  if (isUnrecorded(options, log)) return look;
  const settle = shell`incident journal settle ${key.id}`;
  const other = own === undefined ? "; add --service-id GUID where it has another id" : "";
  const created =
    own !== undefined || (mayBeFoundById && ids !== "ignored")
      ? { command: `${settle} --created --yes`, purpose: `it is there${other}` }
      : {
          command: `${settle} --created --service-id GUID --yes`,
          purpose: "it is there, with this id at the service",
        };
  const notCreated = {
    command: `${settle} --not-created --yes`,
    purpose: "it is not there, and will not appear",
  };
  return [...look, ...(uncertain === undefined ? [] : [created, notCreated])];
}

/** The failure where one of the unsettled creates may be the incident that is asked for: then nothing is sent. */
export function findSimilarCreate(
  options: FailureDeps,
  logs: readonly OperationLog[],
  { body, digest }: Content,
): Failure | undefined {
  const log = logs.find(({ name = "" }) => normalText(name) === normalText(body.name));
  if (log === undefined) return undefined;
  const likeness = log.digest === digest ? "content" : "name";
  const message = `"${body.name}" may be the create of ${log.key.id}, sent at ${localTimeOf(options, log.uncertain?.at)}, whose outcome is not known: it has the same ${likeness}`;
  return new Failure("uncertain", message, {
    hint: "nothing was sent; settle the first one, then run it again; or create it with --new if it is another incident",
    commands: settlingCommands(options, log),
  });
}

/** An attempt with an unknown outcome: its name, time, id and reason, and the next action. */
export function uncertainFailure(
  options: FailureDeps,
  log: OperationLog,
  cause: Failure | undefined,
): Failure {
  const { change, key, mayBeFoundById } = log;
  const sendings = log.events.filter((event) => event.type === "sending");
  const last = sendings.at(-1);
  const hasId = last?.withId ?? mayBeFoundById;
  const canLook =
    change !== undefined ||
    sendings.some(({ before }) => before !== undefined) ||
    (hasId && options.journal.known(key).ids !== "ignored");
  const withText = change ? " with this text" : "";
  const looked = canLook
    ? `it was not found${withText} within ${options.settleFor / 1000} s (--settle-for), but it may still appear`
    : "it cannot be looked for, as no id of it is known";
  const done = change ? "posted" : "declared";
  const parts = [
    `it is not known whether ${describeOperation(log)} was ${done}: it was sent at ${localTimeOf(options, last?.at)} as ${key.id}`,
    ...(cause === undefined ? [] : [cause.message]),
    // An interrupted run has not looked to the end.
    ...(options.system.signal.aborted ? [] : [looked]),
  ];
  return new Failure("uncertain", parts.join("; "), {
    hint: isUnrecorded(options, log)
      ? "look for it at the status page: a rerun may send it twice, so run it again only if it is not there, and will not appear"
      : "look for it at the status page; then settle it, so that nothing is sent twice",
    commands: (cause?.kind === "uncertain" && cause.details.commands) || settlingCommands(options, log),
    response: cause?.details.response,
    cause,
  });
}

/** A signal or a time limit after the first byte left: the outcome is unknown. */
export function interruptedFailure(options: FailureDeps, log: OperationLog): Failure {
  return uncertainFailure(options, log, cancellation(options.system.signal, ""));
}

/** Several new incidents or updates are equal, or the only one may be of another create. */
export function severalFailure(options: FailureDeps, log: OperationLog, ids: readonly string[]): Failure {
  const { change, key, uncertain } = log;
  const all = settlingCommands(options, log);
  const them = countOf(ids.length, change === undefined ? "new incident" : "new update");
  const settle = shell`incident journal settle ${key.id} --created`;
  const each = ids.map((id) => ({
    command: `${settle} ${shell`--service-id ${id}`} --yes`,
    purpose: "it is this one",
  }));
  const isToSettle = uncertain !== undefined && !isUnrecorded(options, log);
  return new Failure("uncertain", `${them} may be ${describeOperation(log)}: ${ids.join(", ")}`, {
    hint: isToSettle
      ? "look at them, then settle it, so that nothing is sent twice"
      : "nothing more was sent; look at them: if it is none of them, send it in other words",
    commands: isToSettle && change === undefined ? [...each, ...all.slice(-1)] : all,
  });
}

/** The service has an incident with this id and other content. */
export function conflictFailure(incident: Incident, differences: readonly Difference[]): Failure {
  const message = `incident ${incident.id} exists and differs: ${describeDifferences(differences)}`;
  return new Failure("rejected", message, {
    hint: "correct the definition, or use another id or --key if it is another incident",
  });
}

export function unrecordedFailure(log: OperationLog, serviceId: string, cause: unknown): Failure {
  const { change, key } = log;
  const made =
    change === undefined ? `incident ${serviceId} is declared` : `${describeOperation(log)} is posted`;
  const command = shell`incident journal settle ${key.id} --created --yes`;
  const other = change === undefined ? shell` --service-id ${serviceId}` : "";
  return new Failure("uncertain", `${made}, but the journal has no record of it: ${messageOf(cause)}`, {
    hint: "nothing is sent again before it is recorded: make the journal writable, then run it again, which reads the incident back, or record it",
    commands: [{ command: command + other, purpose: "record it" }],
    cause,
  });
}

/** In the order of the exit codes 8, 9, 6, 7, 11. An interruption comes before the failure of a part. */
const worstFirst: readonly FailureKind[] = [
  "uncertain",
  "interrupted",
  "terminated",
  "timeout",
  "partial",
  "rejected",
  "unavailable",
  "drift",
];

/** The failure of a run of several: "partial" where something was published, unless it is "uncertain". */
export function worstOf(failures: readonly Failure[], isPublished: boolean): Failure | undefined {
  const sorted = worstFirst.flatMap((kind) => failures.filter((each) => each.kind === kind));
  const worst = sorted[0] ?? failures[0];
  if (!isPublished || worst === undefined || worst.kind === "uncertain") return worst;
  return worst.with({ kind: "partial", retryable: false, hint: hintForRest(worst) });
}

/** For a failure after a part was sent. */
export const hintForRest = ({ hint }: Failure) => hint.replaceAll("nothing was", "nothing more was");

type ClientDeps = Pick<DeliveryOptions, "client">;

/** The incident in a sentence: `"Checkout fails" (7c9e6679-…)`. */
export function describeIncident(incident: Incident): string {
  return `"${incidentFacts(incident).name ?? incident.id}" (${incident.id})`;
}

export function placeOf({ client }: ClientDeps, id: string): string {
  return inWebApplication(incidentLink(client.settings.webUrl, id));
}

export function resolvedFailure(deps: ClientDeps, incident: Incident): Failure {
  return new Failure("rejected", `${describeIncident(incident)} is resolved, and an update would reopen it`, {
    hint: `nothing was sent; update and apply post after it with --reopen; or look at the incident ${placeOf(deps, incident.id)}`,
    commands: [{ command: shell`incident get ${incident.id}`, purpose: "see its updates" }],
  });
}

/** Refuses a notification of what is published already without one. `what`: the incident, or a part of it. */
export function silentFailure(incident: Incident, what = "it"): Failure {
  const { id } = incident;
  const reopen = isResolved(incident) ? " --reopen" : "";
  return new Failure("rejected", `incident ${id} has ${what} already, and it did not notify subscribers`, {
    hint: `nothing was sent; leave the notification out; incident update ${id}${reopen} --message - --notify tells subscribers in another update, with the text from standard input`,
  });
}

/** An equal update was posted before, and the incident has another status. `since`: when it was posted from here. */
export function movedOnFailure(
  options: Pick<DeliveryOptions, "system">,
  incident: Incident,
  { status }: Update,
  since: string | undefined,
): Failure {
  const { name = incident.id, status: current } = incidentFacts(incident);
  const posted =
    since === undefined ? "was posted" : `was posted from here at ${localTimeOf(options, since)}`;
  return new Failure("drift", `this ${status} of "${name}" ${posted}, and the incident is ${current} now`, {
    hint: `nothing was sent; see ${shell`incident get ${incident.id}`}, and add --new to post it again`,
  });
}

/** For each problem that stops the rest of a timeline: the kind of its failure, the problem and the hint. */
const timelineProblems = {
  reopened: [
    "rejected",
    "was resolved and reopened, and its definition ends in another RESOLVED",
    "nothing was sent; where it is over, apply with --reopen posts the rest of the definition; else add the RESOLVED that is published to the file, or remove that of the file",
  ],
  changed: [
    "drift",
    "shows a text that its definition had, or may have had, and no longer has",
    "a published text is corrected in the web application and in the file, or followed by a new update: give the file the text that is published",
  ],
  "nothing-published": [
    "rejected",
    "shows none of the updates of its definition",
    "nothing was posted; give the definition the updates that are published, or use another id if it is another incident",
  ],
} as const satisfies Record<string, readonly [FailureKind, string, string]>;

export type TimelineProblem = keyof typeof timelineProblems | "resolved";

export function timelineFailure(deps: ClientDeps, incident: Incident, problem: TimelineProblem): Failure {
  if (problem === "resolved") return resolvedFailure(deps, incident);
  const [kind, state, hint] = timelineProblems[problem];
  return new Failure(kind, `${describeIncident(incident)} ${state}`, {
    hint: `${hint}; ${shell`incident get ${incident.id} -o definition`} prints the live incident as a file`,
  });
}

/** Updates of the file before a published one are not shown by the service. */
export function unpublishedFailure(
  incident: Incident,
  places: readonly number[],
  file: readonly Update[],
): Failure {
  const isOver = isResolved(incident);
  const commandOf = (at: number) => {
    const { description, notifySubscribers, status } = file[at] as Update;
    const flags = [...(status ? ["--status", status] : []), "--message", description];
    // Of two equal updates, the first is published.
    if (occurrenceOf(file, at) > 0) flags.push("--new");
    if (notifySubscribers) flags.push("--notify");
    const command = commandText(["incident", "update", incident.id, ...flags]);
    return { command, purpose: `post incidentUpdates[${at}] after the others` };
  };
  const action = isOver
    ? "remove it from the file"
    : "move it to the end of the file, remove it, or post it now";
  const which = listOf(places.map((at) => `incidentUpdates[${at}]`));
  const message = `${describeIncident(incident)} does not show ${which}, and shows a later update of its definition`;
  return new Failure("drift", message, {
    hint: `what stands before a published update is not posted: ${action}; a service that shows only the latest updates may have it`,
    commands: isOver ? [] : places.map(commandOf),
  });
}
