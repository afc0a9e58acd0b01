// The decisions of a create, a second time: from the events of the log alone, and in the order of docs/exactly-once.md.
// The simulation compares each decision of the code with it, so that no fault of the code's own reading hides itself.

import type { Findings, nextStep, Step, StepRequest } from "../../src/delivery/next-step.ts";
import { longestRemaining, remainingDeadline } from "../../src/delivery/wait-for-sender.ts";
import type { ClientIds } from "../../src/journal/client-ids.ts";
import type { OperationEvent, OperationLog } from "../../src/journal/events.ts";
import { summarize } from "../../src/journal/fold.ts";

/** What the events say, in their order. */
export interface Reading {
  readonly isDeclared: boolean;
  readonly isAcknowledged: boolean;
  /** Whether each attempt with an unknown outcome carried the id. */
  readonly unknown: readonly boolean[];
  /** Whether a person permits one more attempt beside those. */
  readonly isPermitted: boolean;
  /** Of the last attempt that may still be sent: no ending of it is known, and nobody has released it. */
  readonly unended: number | undefined;
  /** The ids that the answers to unknown attempts name. */
  readonly ids: readonly string[];
  /** Whether the last word on an attempt is a refusal. */
  readonly isRefused: boolean;
  readonly digest: string | undefined;
  readonly name: string | undefined;
}

interface Attempt {
  readonly number: number;
  readonly withId: boolean;
  isUnknown: boolean;
  mayBeSent: boolean;
  ids: readonly string[];
}

/** `first`: the number of the first event. */
export function readEvents(first: number, events: readonly OperationEvent[]): Reading {
  const attempts: Attempt[] = [];
  let isDeclared = false;
  let isAcknowledged = false;
  let isRefused = false;
  let digest: string | undefined;
  let name: string | undefined;
  const attemptOf = (number: number | undefined) =>
    attempts.findLast((attempt) => number === undefined || attempt.number === number);
  const settle = () => {
    for (const attempt of attempts) attempt.isUnknown = false;
  };
  for (const [index, event] of events.entries()) {
    if ("content" in event && event.content !== undefined) {
      ({ digest } = event.content);
      name = event.content.body === undefined ? event.content.name : event.content.body.name;
    }
    if (event.type === "sending")
      attempts.push({
        number: first + index,
        withId: event.withId,
        isUnknown: true,
        mayBeSent: true,
        ids: [],
      });
    if (event.type === "unsent" || event.type === "refused" || event.type === "uncertain") {
      const attempt = attemptOf(event.attempt);
      const ids = event.type === "uncertain" ? (event.ids ?? []) : [];
      // A pruned log has lost its attempts: what ends one of them later is of no use any more, or makes it unknown.
      if (attempt === undefined && event.type === "uncertain" && !isDeclared)
        attempts.push({
          number: event.attempt ?? -1,
          withId: true,
          isUnknown: true,
          mayBeSent: false,
          ids,
        });
      else if (attempt !== undefined && !isDeclared)
        Object.assign(attempt, { isUnknown: event.type === "uncertain", mayBeSent: false, ids });
    }
    if (event.type === "created" || event.type === "not-created") {
      settle();
      const isByPerson = event.type === "created" && event.by === "person";
      for (const attempt of attempts) attempt.mayBeSent &&= isByPerson;
      isDeclared = event.type === "created";
      isAcknowledged &&= isDeclared;
    }
    if (event.type === "acknowledged") isAcknowledged = true;
    if (event.type === "pruned") {
      settle();
      ({ digest, name } = { name: undefined, ...event.summary });
      isDeclared = event.summary.created !== undefined;
      isAcknowledged = event.summary.acknowledged !== undefined;
    }
    if (event.type === "pruned") isRefused = event.summary.state === "refused";
    else if (!["created", "acknowledged", "uncertain"].includes(event.type))
      isRefused = event.type === "refused";
  }
  const unknown = attempts.filter(({ isUnknown }) => isUnknown);
  return {
    isDeclared,
    isAcknowledged,
    unknown: unknown.map(({ withId }) => withId),
    isPermitted: events.at(-1)?.type === "resend",
    unended: attempts.findLast(({ mayBeSent }) => mayBeSent)?.number,
    ids: unknown.flatMap(({ ids }) => ids),
    isRefused,
    digest,
    name,
  };
}

function expectedState({ isDeclared, isPermitted, isRefused, unknown }: Reading, log: OperationLog) {
  if (isDeclared) return "created";
  if (unknown.length > 0 && !isPermitted)
    return unknown.length === 1 && log.events.at(-1)?.type === "sending" ? "sending" : "uncertain";
  if (unknown.length > 0) return "sendable";
  if (isRefused) return "refused";
  return log.events.some(({ type }) => type !== "created" && type !== "acknowledged") ? "sendable" : "new";
}

/** For a deadline of 30 ms: the start of the attempt, the time of the reader, and what is left. */
const senders = [
  [undefined, { boot: "1", elapsed: 50 }, undefined],
  [{ boot: "1", elapsed: 40 }, { boot: "1", elapsed: 50 }, 20],
  [{ boot: "1", elapsed: 10 }, { boot: "1", elapsed: 50 }, 0],
  [{ boot: "1", elapsed: 60 }, { boot: "1", elapsed: 50 }, 30],
  [{ boot: "2", elapsed: 40 }, { boot: "1", elapsed: 50 }, undefined],
  [{ boot: "1", elapsed: 40 }, undefined, undefined],
] as const;

/** Throws where another time is left for the sender of an attempt without an ending. */
export function checkRemaining(log: OperationLog): void {
  for (const [bootTime, now, left] of senders) {
    const { bootTime: _, ...sending } = log.unended ?? {};
    const unended = log.unended && {
      ...(sending as typeof log.unended),
      deadline: 30,
      ...(bootTime && { bootTime }),
    };
    const given = [{ system: { bootTime: () => now } }, { ...log, unended }] as const;
    const says = [remainingDeadline(...given), longestRemaining(...given)];
    const expected = unended === undefined ? [0, 0] : [left, left ?? 30];
    if (JSON.stringify(says) !== JSON.stringify(expected))
      throw new Error(`waits ${JSON.stringify(says)} instead of ${JSON.stringify(expected)}`);
  }
}

/** Throws where pruning keeps anything else of a log. */
export function checkSummary(log: OperationLog): void {
  const reading = readingOf(log);
  const { digest, isAcknowledged, isDeclared, name, unknown } = reading;
  const kept = summarize(log);
  const isWhole = unknown.length > 0 || digest === undefined || log.events.length === 0;
  const expected = isWhole
    ? undefined
    : [expectedState(reading, log), digest, name, isDeclared, isAcknowledged];
  const says = kept && [
    kept.state,
    kept.digest,
    kept.name,
    kept.created?.serviceId !== undefined && kept.created.at !== undefined,
    kept.acknowledged?.at !== undefined,
  ];
  if (JSON.stringify(says) !== JSON.stringify(expected))
    throw new Error(`keeps ${JSON.stringify(says)} instead of ${JSON.stringify(expected)}`);
}

/** Throws where the code reads a log in another way. */
export function checkLog(log: OperationLog): void {
  const { acknowledged, content, created, digest, events, name, next, uncertain, unended } = log;
  const first = next - events.length;
  const reading = readingOf(log);
  const last = events.findLast((event) => event.type === "created" || event.type === "pruned");
  const serviceId = last?.type === "pruned" ? last.summary.created?.serviceId : last?.serviceId;
  const texts = events.flatMap((event) => ("content" in event && event.content ? [event.content] : []));
  const says = {
    state: log.state,
    serviceId: created?.serviceId,
    isAcknowledged: acknowledged !== undefined,
    isUncertain: uncertain !== undefined,
    mayBeFoundById: log.mayBeFoundById,
    allCarriedId: log.allCarriedId,
    unended: unended && first + events.indexOf(unended),
    ids: log.answeredIds,
    digest,
    name,
    text: content?.digest,
  };
  const { unknown } = reading;
  const expected: typeof says = {
    state: expectedState(reading, log),
    serviceId: reading.isDeclared ? serviceId : undefined,
    isAcknowledged: reading.isAcknowledged,
    isUncertain: unknown.length > 0,
    mayBeFoundById: unknown.includes(true),
    allCarriedId: !unknown.includes(false),
    unended: reading.unended,
    ids: reading.ids,
    digest: reading.digest,
    name: reading.name,
    text: texts.at(-1)?.body && texts.at(-1)?.digest,
  };
  if (JSON.stringify(says) !== JSON.stringify(expected))
    throw new Error(`reads ${JSON.stringify(says)} instead of ${JSON.stringify(expected)}`);
}

export function expectedStep(
  { isDeclared, isPermitted, unknown, digest }: Reading,
  request: StepRequest,
  support: ClientIds,
  { attempts, ending, isUnclear, look, readBack, withoutId }: Findings,
): Step {
  const mayExist = isDeclared || unknown.length > 0;
  const isSame = [request.digest, ...request.earlierDigests].some((own) => own === digest);
  if (mayExist && !isSame) return { do: "refuse", because: "edited" };
  if (isDeclared) return { do: "answer" };
  const isFinal = ending !== undefined && ending.delay === undefined;

  if (unknown.length > 0 && !isPermitted) {
    if (readBack === undefined) return { do: "settle" };
    const isRepeatable = support === "unique" && unknown.every((withId) => withId) && readBack === "absent";
    if (!isRepeatable || attempts > request.maxRetries) return { do: "ask" };
    if (ending === undefined || ending.kind === "unclear") return { do: "send", withId: true };
    return isFinal ? { do: "ask" } : { do: "wait", delay: ending.delay as number };
  }

  if (isUnclear && support !== "unique") return { do: "ask" };
  switch (ending?.kind) {
    case "refused":
      return { do: "refuse", because: "ending" };
    case "unsent":
    case "rate-limited":
      return isFinal ? { do: "refuse", because: "ending" } : { do: "wait", delay: ending.delay as number };
    case "conflict":
      if (look === undefined) return { do: "look", because: "conflict" };
      return { do: "refuse", because: look === "failed" ? "look-failed" : "conflict-absent" };
    case "id-refused":
      if (look === undefined) return { do: "look", because: "id-refused" };
      return look === "failed" ? { do: "refuse", because: "look-failed" } : { do: "send", withId: false };
    default:
  }
  const isFindable = support !== "ignored" && support !== "unsupported";
  const wasSentWithId = unknown.some((withId) => withId);
  const because = wasSentWithId ? "earlier-attempt" : request.mayExist && !request.skipLook && "may-exist";
  if (because && isFindable && look !== "absent") {
    if (look === undefined) return { do: "look", because };
    return wasSentWithId ? { do: "ask" } : { do: "refuse", because: "look-failed" };
  }
  return { do: "send", withId: !withoutId && support !== "unsupported" };
}

/** Throws where the decision is not the expected one, or rests on findings that are out of date. */
export function checked(decide: typeof nextStep): typeof nextStep {
  let last: { readonly log: OperationLog; readonly step: Step } | undefined;
  return (log, request, support, findings) => {
    if (last?.log.key.id === log.key.id) checkFindings(last.log, last.step, log, findings);
    checkLog(log);
    const step = decide(log, request, support, findings);
    const expected = expectedStep(readingOf(log), request, support, findings);
    if (!isSameStep(step, expected))
      throw new Error(`decides ${JSON.stringify(step)} instead of ${JSON.stringify(expected)}`);
    last = { log, step };
    return step;
  };
}

/** Milliseconds after which a look says nothing any more. */
const longestLook = 10_000;

/** What was read or answered before another process appended to the log says nothing any more. */
function checkFindings(before: OperationLog, step: Step, log: OperationLog, findings: Findings): void {
  const { ending, look, readBack } = findings;
  const appended = log.next - before.next;
  // A send appends its beginning and its ending, or reaches no connection and appends nothing.
  const isOwn = appended === 0 || (step.do === "send" && appended === 2);
  if (!isOwn && (ending ?? look ?? readBack) !== undefined)
    throw new Error(`keeps ${JSON.stringify(findings)} although the log has changed`);
  if (step.do !== "wait") return;
  if (ending !== undefined) throw new Error("does not send again after its wait");
  if (look !== undefined && step.delay > longestLook) throw new Error("trusts a look after a long wait");
}

function readingOf({ events, next }: OperationLog): Reading {
  return readEvents(next - events.length, events);
}

export function isSameStep(one: Step, other: Step): boolean {
  const fields = Object.entries(one);
  const others: Readonly<Record<string, unknown>> = { ...other };
  return (
    fields.length === Object.keys(other).length && fields.every(([name, value]) => others[name] === value)
  );
}
