// Failures of a delivery that its log explains, with the time and the commands that settle it.
import { atTimeLimit, cancellation, expiredLimit, Failure, type NextCommand, stopOf } from "../failure.ts";
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
import { isGuid } from "../rules/forms.ts";
import { advise, argv } from "../text/advice.ts";
import { toSeconds } from "../text/date-times.ts";
import { messageOf } from "../thrown-value.ts";
import type { DeliveryOptions } from "./delivery-options.ts";
import type { UnsuccessfulEnding } from "./endings.ts";

/** The effect of each kind of operation on an incident, as a participle. */
export const done = {
  create: "created",
  update: "posted",
} as const satisfies Record<OperationKind, string>;

/** Its description in a sentence: `the update MONITORING of "Checkout fails"`. */
export function describeOperation({ change, key, name }: OperationLog): string {
  if (change === undefined) return `"${name ?? key.id}"`;
  const status = change.kind === "update" && change.status !== undefined ? ` ${change.status}` : "";
  return `the update${status} of "${name ?? change.incidentId}"`;
}

type IdDeps = Partial<Pick<DeliveryOptions, "clientIds">> | { readonly clientIds: undefined };

function modeOf({ clientIds }: IdDeps): ClientIds {
  return clientIds?.latest() ?? "unknown";
}

/** Before the next action, where it is not known that the service keeps ids: a missing id proves nothing there. */
export function unprovenId(mode: ClientIds): string {
  return keepsIds(mode) ? "" : "the incident may have another id at the service: ";
}

/** An attempt with an unknown outcome: its name, time, id and reason, and the next action. */
export function uncertainFailure(
  { clientIds, settleFor }: Pick<DeliveryOptions, "settleFor"> & Partial<Pick<DeliveryOptions, "clientIds">>,
  log: OperationLog,
  cause: Failure | undefined,
): Failure {
  const mode = modeOf({ clientIds });
  const isReplaced = !canBeFound(mode);
  const candidates = cause?.kind === "uncertain" ? cause.details.commands : undefined;
  const commands = candidates ?? settlingCommands(log, mode);
  const { id } = log.key;
  const answered = log.answeredIds.filter((each) => each.toLowerCase() !== id);
  const named = answered.length === 0 ? "" : `; the answer names incident ${answered.join(" and ")}`;
  const isNamed = log.change !== undefined || candidates !== undefined || log.answeredIds.some(isGuid);
  const reason = cause === undefined ? "" : `; ${cause.message}`;
  const sending = log.events.findLast((event) => event.type === "sending");
  const hasId = sending?.type === "sending" ? sending.withId : log.mayBeFoundById;
  const wasListed = log.events.some((event) => event.type === "sending" && event.before !== undefined);
  const canLook = wasListed || log.change !== undefined || (hasId && !isReplaced) || answered.some(isGuid);
  const { [kindOf(log)]: participle } = { ...done, create: "declared" };
  const looked = canLook
    ? `it was not found within ${settleFor / 1000} s (--settle-for), but it may still appear`
    : hasId
      ? "the service assigns its own id, so it cannot be looked for"
      : "it was sent without an id, so it cannot be looked for";
  const message = `it is not known whether ${describeOperation(log)} was ${participle}: it was sent at ${sending === undefined ? "an unknown time" : toSeconds(sending.at)} as ${id}${reason}${named}; ${looked}`;
  return new Failure("uncertain", message, {
    hint: `${isNamed ? "" : unprovenId(mode)}check the status page${candidates ? "" : " or run the first command"}; then settle it, so that nothing is sent twice`,
    commands,
    response: cause?.details.response,
    cause,
  });
}

/** A signal or a time limit after the first byte had left: the outcome is unknown, and not just cancelled. */
export function interruptedFailure(deps: IdDeps, log: OperationLog, signal: AbortSignal): Failure {
  const { id } = log.key;
  return new Failure("uncertain", stopOf(signal).message, {
    hint: `${describeOperation(log)} was sent as ${id}, and its outcome is not known: check whether it exists, then settle it`,
    commands: settlingCommands(log, modeOf(deps)),
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

/** The commands that settle an operation with an unknown outcome, the one that looks for it first. */
export function settlingCommands(
  { answeredIds, change, events, key: { id }, mayBeFoundById }: OperationLog,
  mode: ClientIds,
): readonly NextCommand[] {
  if (change !== undefined)
    return [
      { command: argv`incident get ${change.incidentId}`, purpose: "look for it" },
      { command: argv`incident journal settle ${id} --created --yes`, purpose: "the incident has it" },
      {
        command: argv`incident journal settle ${id} --not-created --yes`,
        purpose: "the incident does not have it, and will not get it",
      },
    ];
  const own = answeredIds.find(isGuid);
  const sending = events.findLast(({ type }) => type === "sending");
  // Only an id that was sent, or that the service named, finds the incident.
  const wasSentWithId = mayBeFoundById || (sending?.type === "sending" && sending.withId);
  const isKnown = own !== undefined || (wasSentWithId && canBeFound(mode));
  const isProven = own !== undefined || (wasSentWithId && keepsIds(mode));
  return [
    {
      command: isProven ? argv`incident get ${own ?? id}` : argv`incident list`,
      purpose: "look for it",
    },
    ...(isKnown
      ? [
          {
            command: argv`incident journal settle ${id} --created --yes`,
            purpose: isProven ? "it exists" : "it exists; add --service-id GUID where it has another id",
          },
        ]
      : [
          {
            command: `incident journal settle ${id} --created --service-id GUID --yes`,
            purpose: "it exists, with this id at the service",
          },
        ]),
    {
      command: argv`incident journal settle ${id} --not-created --yes`,
      purpose: "it does not exist, and will not appear",
    },
  ];
}

/** The definition is not the one that was sent. */
export function editedFailure(
  deps: IdDeps,
  log: OperationLog,
  { content, key }: { readonly content: LoggedContent; readonly key: OperationKey },
): Failure {
  const differences =
    log.content === undefined || content.body === undefined
      ? ""
      : describeDifferences(differencesOf(content.body, { ...log.content.body, id: key.id }));
  const isDeclared = log.state === "created";
  const edited = `the definition of ${key.id} was changed since it was ${isDeclared ? "declared" : "sent"}`;
  const message = differences === "" ? edited : `${edited}: ${differences}`;
  if (isDeclared) {
    return new Failure("rejected", message, {
      hint: advise`nothing was sent; to change the incident, use ${argv`incident update ${log.created?.serviceId ?? key.id}`}; else undo the change, or use another id or --key if it is another incident`,
    });
  }
  return new Failure("uncertain", `${message}; and the outcome of the first one is not known`, {
    hint: "check whether the first one exists, then settle it",
    commands: settlingCommands(log, modeOf(deps)),
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
  const { id } = log.key;
  const declared =
    log.change === undefined
      ? `incident ${serviceId} is declared`
      : `${describeOperation(log)} is ${done[kindOf(log)]}`;
  const settle = argv`incident journal settle ${id} --created --yes`;
  const hasOtherId = serviceId.toLowerCase() !== id && log.change === undefined;
  return new Failure("uncertain", `${declared}, but the journal has no record of it: ${messageOf(cause)}`, {
    hint: "nothing is sent again before it is recorded: make the journal writable, then run it again, which reads the incident back, or record it",
    commands: [
      { command: [...settle, ...(hasOtherId ? ["--service-id", serviceId] : [])], purpose: "record it" },
    ],
    cause,
  });
}

/** The id could not be read before sending: another machine may have declared it, or an attempt that was refused. */
export function unlookedFailure(cause: Failure, { wasRefused }: OperationLog, kind: OperationKind): Failure {
  if (kind !== "create")
    return cause.with({
      message: `${cause.message}; the incident could not be read before the ${kind} was sent`,
      hint: advise`nothing was sent${wasRefused ? " again" : ""}: ${cause.details.hint}`,
    });
  return cause.with({
    message: `${cause.message}; the incident may exist already, and it could not be read`,
    hint: wasRefused
      ? advise`the last attempt was refused, and nothing was sent again: ${cause.details.hint}`
      : advise`nothing was sent: ${cause.details.hint}; or declare it without an id and a key, if no other machine declares it`,
  });
}

/** A thrown value as a failure: a fault of the tool keeps its message. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("internal", messageOf(error), { hint: "report it", cause: error });
}

/** When an operation was sent whose outcome is not known. */
export function sentAt({ uncertain }: OperationLog): string {
  return toSeconds(uncertain?.at ?? "an unknown time");
}
