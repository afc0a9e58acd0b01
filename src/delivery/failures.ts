// The failures of operations, which their logs explain: what happened, and the commands that settle it.
import {
  atTimeLimit,
  cancellation,
  expiredLimit,
  Failure,
  messageOf,
  type NextCommand,
  stopOf,
} from "../failure.ts";
import { type Difference, describeDifferences, differencesOf } from "../incident/comparison.ts";
import type { Incident } from "../incident/wire.ts";
import { type ClientIds, canBeFound, keepsIds } from "../journal/client-ids.ts";
import {
  kindOf,
  type LoggedContent,
  type OperationKey,
  type OperationKind,
  type OperationLog,
} from "../journal/events.ts";
import type { Journal } from "../journal/journal.ts";
import type { System } from "../platform/context.ts";
import { isGuid } from "../rules/forms.ts";
import { advise, argv } from "../text/advice.ts";
import { localTime } from "../text/date-times.ts";
import { clientIds, type OperationOptions } from "./delivery-options.ts";
import type { UnsuccessfulEnding } from "./endings.ts";

/** The effect of each kind of operation on an incident. */
export const participles = {
  create: "created",
  update: "posted",
} as const satisfies Record<OperationKind, string>;

type Ids = { readonly journal: Pick<Journal, "ids"> };
interface Local {
  readonly system: Pick<System, "localOffset">;
}

/** A recorded time, for a message. */
export function timeOf({ system }: Local, at: string | undefined): string {
  return at === undefined ? "an unknown time" : localTime(at, system.localOffset);
}

/** An operation in a sentence: `the update MONITORING of "Checkout fails"`. */
export function describeOperation({ change, key, name }: OperationLog): string {
  if (change === undefined) return `"${name ?? key.id}"`;
  const status = change.kind === "update" && change.status !== undefined ? ` ${change.status}` : "";
  return `the update${status} of "${name ?? change.incidentId}"`;
}

/** Before the next action, where it is not known that the service keeps ids: a missing id proves nothing there. */
export function unprovenId(mode: ClientIds): string {
  return keepsIds(mode) ? "" : "the incident may have another id at the service: ";
}

/** The commands that settle an operation with an unknown outcome, the one that looks for it first. */
export function settlingCommands({ journal }: Ids, log: OperationLog): readonly NextCommand[] {
  const mode = journal.ids(log.key).create;
  const { answeredIds, change, key, mayBeFoundById } = log;
  const settle = argv`incident journal settle ${key.id}`;
  const as = (outcome: string, purpose: string) => ({ command: [...settle, outcome, "--yes"], purpose });
  if (change !== undefined)
    return [
      { command: argv`incident get ${change.incidentId}`, purpose: "look for it" },
      as("--created", "the incident has it"),
      as("--not-created", "the incident does not have it, and will not get it"),
    ];
  const own = answeredIds.find(isGuid);
  // Only an id that was sent, or that the service named, finds the incident.
  const hasId = mayBeFoundById || lastSending(log)?.withId === true;
  const isKnown = own !== undefined || (hasId && canBeFound(mode));
  const isProven = own !== undefined || (hasId && keepsIds(mode));
  const hasOther = "it exists; add --service-id GUID where it has another id";
  return [
    { command: isProven ? argv`incident get ${own ?? key.id}` : argv`incident list`, purpose: "look for it" },
    isKnown
      ? as("--created", isProven ? "it exists" : hasOther)
      : {
          command: `incident journal settle ${key.id} --created --service-id GUID --yes`,
          purpose: "it exists, with this id at the service",
        },
    as("--not-created", "it does not exist, and will not appear"),
  ];
}

function lastSending({ events }: OperationLog) {
  const sending = events.findLast(({ type }) => type === "sending");
  return sending?.type === "sending" ? sending : undefined;
}

/** An attempt with an unknown outcome: its name, time, id and reason, and the next action. */
export function uncertainFailure(
  options: Pick<OperationOptions, "settleFor"> & Ids & Local,
  log: OperationLog,
  cause: Failure | undefined,
): Failure {
  const mode = options.journal.ids(log.key).create;
  const candidates = cause?.kind === "uncertain" ? cause.details.commands : undefined;
  const { id } = log.key;
  const answered = log.answeredIds.filter((each) => each.toLowerCase() !== id);
  const isFound = answered.some(isGuid);
  const sending = lastSending(log);
  const hasId = sending?.withId ?? log.mayBeFoundById;
  const wasListed = log.events.some((event) => event.type === "sending" && event.before !== undefined);
  const canLook = wasListed || isFound || log.change !== undefined || (hasId && canBeFound(mode));
  const looked = canLook
    ? `it was not found within ${options.settleFor / 1000} s (--settle-for), but it may still appear`
    : `${hasId ? "the service assigns its own id" : "it was sent without an id"}, so it cannot be looked for`;
  const isNamed =
    log.change !== undefined || candidates !== undefined || log.answeredIds.some((each) => isGuid(each));
  const parts = [
    `it is not known whether ${describeOperation(log)} was ${log.change ? "posted" : "declared"}: it was sent at ${timeOf(options, sending?.at)} as ${id}`,
    ...(cause === undefined ? [] : [cause.message]),
    ...(answered.length === 0 ? [] : [`the answer names incident ${answered.join(" and ")}`]),
    looked,
  ];
  return new Failure("uncertain", parts.join("; "), {
    hint: `${isNamed ? "" : unprovenId(mode)}check the status page${candidates ? "" : " or run the first command"}; then settle it, so that nothing is sent twice`,
    commands: candidates ?? settlingCommands(options, log),
    response: cause?.details.response,
    cause,
  });
}

/** A signal or a time limit after the first byte had left: the outcome is unknown, and not just cancelled. */
export function interruptedFailure(ids: Ids, log: OperationLog, signal: AbortSignal): Failure {
  return new Failure("uncertain", stopOf(signal).message, {
    hint: `${describeOperation(log)} was sent as ${log.key.id}, and its outcome is not known: check whether it exists, then settle it`,
    commands: settlingCommands(ids, log),
  });
}

/** A signal or a time limit between two attempts. The last ending says more than the time limit. */
export function waitEnded(
  signal: AbortSignal,
  ending: UnsuccessfulEnding | undefined,
  participle: string,
): Failure {
  const limit = expiredLimit(signal);
  if (limit === undefined || ending === undefined)
    return cancellation(signal, `nothing was ${participle}; nothing was sent`);
  return ending.outcome.phase === "answered" ? atTimeLimit(ending.failure, limit) : ending.failure;
}

/** The definition is not the one that was sent. */
export function editedFailure(
  ids: Ids,
  log: OperationLog,
  { content, key }: { readonly content: LoggedContent; readonly key: OperationKey },
): Failure {
  const isDeclared = log.state === "created";
  const differences =
    log.content && content.body
      ? describeDifferences(differencesOf(content.body, { ...log.content.body, id: key.id }))
      : "";
  const edited = `the definition of ${key.id} was changed since it was ${isDeclared ? "declared" : "sent"}`;
  const message = differences === "" ? edited : `${edited}: ${differences}`;
  if (isDeclared)
    return new Failure("rejected", message, {
      hint: advise`nothing was sent; to change the incident, use ${argv`incident update ${log.created?.serviceId ?? key.id}`}; else undo the change, or use another id or --key if it is another incident`,
    });
  return new Failure("uncertain", `${message}; and the outcome of the first one is not known`, {
    hint: "check whether the first one exists, then settle it",
    commands: settlingCommands(ids, log),
  });
}

/** The service has an incident with this id and other content. */
export function conflictFailure(incident: Incident, differences: readonly Difference[]): Failure {
  const message = `incident ${incident.id} exists and differs: ${describeDifferences(differences)}`;
  return new Failure("rejected", message, {
    hint: "correct the definition, or use another id or --key if it is another incident",
  });
}

/** The incident exists, and the journal does not know it. */
export function unrecordedFailure(log: OperationLog, serviceId: string, cause: unknown): Failure {
  const { change, key } = log;
  const made =
    change === undefined
      ? `incident ${serviceId} is declared`
      : `${describeOperation(log)} is ${participles[kindOf(log)]}`;
  const command = argv`incident journal settle ${key.id} --created --yes`;
  const hasOtherId = change === undefined && serviceId.toLowerCase() !== key.id;
  return new Failure("uncertain", `${made}, but the journal has no record of it: ${messageOf(cause)}`, {
    hint: "nothing is sent again before it is recorded: make the journal writable, then run it again, which reads the incident back, or record it",
    commands: [
      { command: [...command, ...(hasOtherId ? ["--service-id", serviceId] : [])], purpose: "record it" },
    ],
    cause,
  });
}

/** The id could not be read before sending: another machine may have declared it, or an attempt that was refused. */
export function unlookedFailure(cause: Failure, { wasRefused }: OperationLog, kind: OperationKind): Failure {
  const { hint } = cause.details;
  if (kind !== "create")
    return cause.with({
      message: `${cause.message}; the incident could not be read before the ${kind} was sent`,
      hint: advise`nothing was sent${wasRefused ? " again" : ""}: ${hint}`,
    });
  return cause.with({
    message: `${cause.message}; the incident may exist already, and it could not be read`,
    hint: wasRefused
      ? advise`the last attempt was refused, and nothing was sent again: ${hint}`
      : advise`nothing was sent: ${hint}; or declare it without an id and a key, if no other machine declares it`,
  });
}

/** A thrown value as a failure: a fault of the tool keeps its message. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("internal", messageOf(error), { hint: "report it", cause: error });
}

/** The service does not have the incident. */
export async function missingFailure(options: OperationOptions, id: string): Promise<Failure> {
  const failure = new Failure("missing", `there is no incident ${id}`, {
    hint: "check the id and the account; nothing was sent",
  });
  return (await withUnsettledCreate(failure, options, id)) ?? failure;
}

/** For an incident that the service does not show; undefined where the outcome of its create is known. */
export async function withUnsettledCreate(
  failure: Failure,
  options: Pick<OperationOptions, "journal" | "service">,
  id: string,
): Promise<Failure | undefined> {
  const log = await options.journal.read({ ...options.service, id: id.toLowerCase() });
  if (log.uncertain === undefined || log.change !== undefined) return undefined;
  return failure.with({
    message: `${failure.message}, and its create has no known outcome here`,
    hint: `${unprovenId(clientIds(options))}it may still appear: check the status page, then settle it`,
    commands: settlingCommands(options, log).filter(({ command }) => command[1] !== "get"),
  });
}

/** Several new updates are equal, and it is not known which one is of this operation. */
export function ambiguousFailure(ids: Ids, log: OperationLog, names: readonly string[]): Failure {
  const message = `${names.length} new updates of the incident are equal to this one: ${names.join(", ")}`;
  return new Failure("uncertain", message, {
    hint: "nothing more was sent; look at the status page, then settle it",
    commands: settlingCommands(ids, log),
  });
}
