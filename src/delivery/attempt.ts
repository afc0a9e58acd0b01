// One attempt of an operation. Its `sending` event is durable in the journal before its first byte leaves; after that, any error
// leaves the outcome unknown. Its ending is recorded.
import { canConcernId, excerptOf, isOfService } from "../api/answer.ts";
import { asFailure, Failure } from "../failure.ts";
import { meaningOfStatus } from "../http/meaning-of-status.ts";
import type { Outcome } from "../http/transport.ts";
import type { Difference } from "../incident/comparison.ts";
import type { Altered, OperationEvent, OperationLog } from "../journal/events.ts";
import { type Model, operationIn } from "../journal/model.ts";
import { jsonDigest } from "../text/json-digest.ts";
import { ownValue } from "../untrusted-data.ts";
import {
  type Delivered,
  type DeliveryOptions,
  type Found,
  type Operation,
  type Sent,
  timestamp,
  type UnsuccessfulEnding,
} from "./delivery-options.ts";
import { uncertainFailure, unrecordedFailure } from "./failures.ts";
import type { EndingKind } from "./next-step.ts";

export type Attempt =
  | { readonly delivered: Delivered }
  /** Without an ending, another process took the step, and this one sent nothing. */
  | { readonly log: OperationLog; readonly isChanged: boolean; readonly ending?: UnsuccessfulEnding };

/** Milliseconds that a shared journal gets to take the `sending` event, beside the deadline of the request. */
const sharedAppendTime = 30_000;

export async function attempt(
  options: DeliveryOptions,
  operation: Operation,
  log: OperationLog,
  withId: boolean,
): Promise<Attempt> {
  const { client, confirmed, journal, named, system } = options;
  const { content } = operation;
  const noted = await operation.prepare(log);
  let sentLog: OperationLog | undefined;
  let lostTo: OperationLog | undefined;
  let unclear: Failure | undefined;
  let isOverdue = () => true;
  let releaseExit = () => {};
  const appendSending = async () => {
    // The event can be durable before this process learns of it.
    releaseExit = system.holdExit();
    // The deadline runs before the event is durable: others wait a little too long for this attempt, never too short.
    const deadline = client.deadline + (journal.isShared ? sharedAppendTime : 0);
    isOverdue = system.startDeadline(deadline);
    const sending: OperationEvent = {
      type: "sending",
      at: timestamp(options),
      withId,
      deadline,
      ...(confirmed !== undefined && { confirmed }),
      ...named,
      ...noted,
      content,
    };
    const appended = await journal.append(log, sending, (model) => {
      const { key, next } = operation.logIn(model, log);
      return key.id === log.key.id && next === log.next;
    });
    if (appended.result === "lost") {
      lostTo = operation.logIn(appended.model, log);
      throw new Error("another process took the step");
    }
    sentLog = appended.log;
  };

  /** Appends an event of this attempt after the events of other processes. */
  async function record(to: OperationLog, event: OperationEvent) {
    const { key, next } = to;
    const isRefusal = event.type === "refused" || event.type === "unsent";
    // A person who has settled it as not created may still revise that, so a refusal is not recorded after it.
    const still = (model: Model) => {
      const { state, uncertain } = operationIn(model, key);
      return state !== "created" && (!isRefusal || uncertain !== undefined);
    };
    const { log, result } = await journal.append(to, event, still);
    return { log, isChanged: result === "lost" || log.next !== next + 1 };
  }

  /** Records the answer before it is shown, so that a crash does not lose the id. */
  async function recordCreated(to: OperationLog, sent: Sent & { kind: "created" }): Promise<Delivered> {
    const { incident, serviceId } = sent.found;
    const recorded = await record(to, createdEvent(options, "answer", sent.found)).catch((error: unknown) =>
      unrecordedFailure(to, serviceId, error),
    );
    if (recorded instanceof Failure) return { incident, log: to, how: "declared", failure: recorded };
    for (const warning of sent.warnings) options.reporter.warn(warning);
    return { incident, log: recorded.log, how: "declared" };
  }

  try {
    const conditions = { beforeSend: appendSending, isOverdue: () => isOverdue() };
    const sent = await operation.send(log, withId, conditions);
    if (sent.kind === "created") return { delivered: await recordCreated(sentLog ?? log, sent) };
    // This failure says more than one of the journal. The `sending` event stands, so no run sends it again.
    if (sent.kind === "unclear") unclear = sent.failure;
    const recorded =
      sentLog === undefined
        ? { log, isChanged: false }
        : await record(sentLog, eventOf(options, sentLog, sent));
    // The run reports the outcome of an unclear or a created attempt at its end.
    if (sent.kind !== "unclear") releaseExit();
    return { ending: sent, ...recorded };
  } catch (error) {
    if (sentLog === undefined) releaseExit();
    if (lostTo !== undefined) return { log: lostTo, isChanged: true };
    if (sentLog === undefined || (error instanceof Failure && error.kind === "uncertain")) throw error;
    throw uncertainFailure(options, sentLog, unclear ?? asFailure(error));
  }
}

function eventOf(options: DeliveryOptions, log: OperationLog, ending: UnsuccessfulEnding): OperationEvent {
  const at = timestamp(options);
  const attempt = log.next - 1;
  const { failure, kind, outcome } = ending;
  const { message } = failure;
  if (kind === "unclear") {
    const status = outcome.phase === "answered" && { status: outcome.status };
    return { type: "uncertain", at, attempt, reason: message, ...status };
  }
  if (outcome.phase !== "answered") return { type: "unsent", at, attempt, reason: message };
  return { type: "refused", at, attempt, status: outcome.status, message };
}

export function createdEvent(
  options: Pick<DeliveryOptions, "system">,
  by: "answer" | "reading",
  { altered = {}, ids, serviceId }: Pick<Found, "altered" | "ids" | "serviceId">,
): OperationEvent {
  const isAltered = Object.keys(altered).length > 0;
  const said = { ...(isAltered && { altered }), ...(ids !== undefined && { ids }) };
  return { type: "created", at: timestamp(options), by, serviceId, ...said };
}

/** The digests of the values that the service altered in its answer. */
export function alteredIn(differences: readonly Difference[]): Altered {
  return Object.fromEntries(differences.map(({ field, found = "" }) => [field, jsonDigest(found)]));
}

/** Whether the service shows the value that it altered in its answer to the request. */
export function wasAltered({ altered = {} }: OperationLog, { field, found = "" }: Difference): boolean {
  const digest = ownValue(altered, field);
  // It is not certain which shown text replaces a sent one.
  return digest !== undefined && (field.endsWith(".description") || digest === jsonDigest(found));
}

/** The meaning of an ending without success. `hasId`: the request had an id, which the service may not accept. */
export function judgeEnding(
  { failure, outcome }: Omit<UnsuccessfulEnding, "kind">,
  { hasRandomId = false, hasId = false } = {},
): UnsuccessfulEnding {
  const answered = kindOf(outcome, hasId);
  // Only this create has the random id, so that it has arrived, perhaps twice.
  const kind = answered === "conflict" && hasRandomId ? "unclear" : answered;
  return { kind, outcome, failure };
}

function kindOf(outcome: Outcome, hasId: boolean): EndingKind {
  if (outcome.phase !== "answered") return outcome.phase === "unsent" ? "unsent" : "unclear";
  const { status } = outcome;
  const mayBeAboutId = hasId && isOfService(outcome) && canConcernId(excerptOf(outcome));
  return mayBeAboutId && (status === 400 || status === 422) ? "id-refused" : meaningOfStatus(status);
}
