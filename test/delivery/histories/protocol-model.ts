// A model of the protocol, written from docs/internals/protocol.md without the code of `src/delivery/`: which event may
// follow which log. It shares only the names of the events with the code, so that a fault of one is not in the other.
import type { OperationEvent } from "../../../src/journal/events.ts";

/** An event as a process appended it. `process` is absent where the history does not tell it. */
export interface Step {
  readonly number: number;
  readonly event: OperationEvent;
  readonly process?: string;
}

interface Attempt {
  readonly number: number;
  readonly withId: boolean;
  readonly process: string | undefined;
  /** Whether the sender has appended an ending. */
  hasEnded: boolean;
  /** Whether it declared nothing, by an ending or by the word of a person. */
  isRuledOut: boolean;
  /** Whether it was answered with a 500 or a 503: then it may be sent once more. */
  isServerError?: boolean;
}

interface Operation {
  state: "new" | "sendable" | "refused" | "declared";
  readonly attempts: Attempt[];
  serviceId: string | undefined;
  /** The last word is the decision of a person, which a person may correct. */
  isDecided: boolean;
  digest: string | undefined;
  name: string | undefined;
  isShortened: boolean;
}

/** What the model knows of an operation after its events. */
export interface Reading {
  readonly isDeclared: boolean;
  /** The number of attempts whose outcome is unknown. */
  readonly unknown: number;
  readonly name: string | undefined;
  /** The first step that the protocol does not permit, and why. */
  readonly forbidden: string | undefined;
}

const permittedStatuses = (status: number): boolean =>
  status === 307 || status === 308 || (status >= 400 && status < 500 && status !== 408 && status !== 499);

/** The attempts that may have declared the incident, as far as the log tells. */
const unknownOnes = ({ attempts }: Operation): Attempt[] => attempts.filter(({ isRuledOut }) => !isRuledOut);

/** The reason that the event may not follow, or undefined; then the operation has taken the step. */
type Rule<T extends OperationEvent["type"]> = (
  operation: Operation,
  step: Step,
  event: Extract<OperationEvent, { readonly type: T }>,
) => string | undefined;

/** The attempt that a sender ends: its own, once, before anything else is known. */
function ending(
  operation: Operation,
  { number, process }: Step,
  named: number | undefined,
): Attempt | string {
  const attempt = operation.attempts.findLast((one) => named === undefined || one.number === named);
  if (attempt === undefined) return `no attempt ${named ?? `before ${number}`}`;
  if (operation.state === "declared") return "the incident is declared";
  if (attempt.hasEnded) return `attempt ${attempt.number} has ended`;
  const isForeign = process !== undefined && attempt.process !== undefined && process !== attempt.process;
  return isForeign ? `attempt ${attempt.number} is of another process` : attempt;
}

function rulesOut(state: "sendable" | "refused") {
  return (operation: Operation, step: Step, { attempt: named }: { readonly attempt?: number }) => {
    const attempt = ending(operation, step, named);
    if (typeof attempt === "string") return attempt;
    // It says nothing new, and the person could not correct the decision after it.
    if (operation.isDecided && attempt.isRuledOut) return "a person has decided that nothing was declared";
    attempt.hasEnded = true;
    attempt.isRuledOut = true;
    operation.state = state;
    return undefined;
  };
}

const refuses = rulesOut("refused");

const rules = {
  sending: (operation, { number, process }, { withId, content }) => {
    const unknown = unknownOnes(operation);
    if (operation.state === "declared") return "the incident is declared";
    const isOnceMore = unknown.length === 1 && unknown[0]?.isServerError;
    if (unknown.length > 0 && !isOnceMore) return `the outcome of attempt ${unknown[0]?.number} is unknown`;
    const digest = content?.digest ?? operation.digest;
    if (digest === undefined) return "no content";
    if (unknown.length > 0 && digest !== operation.digest)
      return `another content than that of attempt ${unknown[0]?.number}`;
    operation.attempts.push({ number, withId, process, hasEnded: false, isRuledOut: false });
    operation.digest = digest;
    operation.isDecided = false;
    operation.state = "sendable";
    return undefined;
  },
  unsent: rulesOut("sendable"),
  refused: (operation, step, event) =>
    permittedStatuses(event.status) ? refuses(operation, step, event) : `${event.status} refuses nothing`,
  uncertain: (operation, step, event) => {
    const { attempts, isShortened, state } = operation;
    const isKnown = attempts.some(({ number }) => number === event.attempt);
    // A shortened log has lost its attempts.
    if (isShortened && !isKnown && state !== "declared")
      attempts.push({
        number: event.attempt ?? 0,
        withId: true,
        process: undefined,
        hasEnded: false,
        isRuledOut: false,
      });
    const attempt = ending(operation, step, event.attempt);
    if (typeof attempt === "string") return attempt;
    attempt.hasEnded = true;
    attempt.isServerError = event.status === 500 || event.status === 503;
    // The sender knows better than the person who has ruled it out meanwhile.
    attempt.isRuledOut = false;
    return undefined;
  },
  created: (operation, { process }, { by, serviceId, content }) => {
    // The record of an edit, which is no operation.
    if (content !== undefined && "change" in content && content.change?.kind === "edit") {
      operation.state = "declared";
      return undefined;
    }
    const isCorrection = by === "person" && operation.isDecided;
    // The incident was edited: from now on, its operation has the edited content.
    const isOther = content !== undefined && content.digest !== operation.digest;
    const isEdit = by === "reading" && isOther && serviceId === operation.serviceId;
    if (operation.state === "declared" && !isCorrection && !isEdit) return "the incident is declared";
    const mine = (attempt: Attempt): boolean =>
      !attempt.hasEnded &&
      (process === undefined || attempt.process === undefined || attempt.process === process);
    if (by === "answer" && !operation.attempts.some(mine)) return "no attempt awaits an answer";
    if (by === "person" && unknownOnes(operation).length === 0 && !isCorrection)
      return "a person settles what is not unknown";
    if (serviceId === "") return "no id of the service";
    operation.digest = content?.digest ?? operation.digest;
    operation.serviceId = serviceId;
    operation.isDecided = by === "person";
    operation.state = "declared";
    return undefined;
  },
  fired: (operation) => (operation.state === "declared" ? undefined : "nothing is declared"),
  "not-created": (operation) => {
    if (operation.state !== "declared" && unknownOnes(operation).length === 0) return "nothing is unknown";
    for (const attempt of operation.attempts) attempt.isRuledOut = true;
    operation.state = "sendable";
    operation.serviceId = undefined;
    operation.isDecided = true;
    return undefined;
  },
} satisfies { readonly [T in OperationEvent["type"]]: Rule<T> };

/** The name of the incident, as an event has it. */
export function nameIn(event: OperationEvent): string | undefined {
  const content = "content" in event ? event.content : undefined;
  return content?.body === undefined ? content?.name : content.body.name;
}

/** What the steps say together. A step that is not permitted is left out. */
export function readSteps(steps: readonly Step[]): Reading {
  const operation: Operation = {
    state: "new",
    attempts: [],
    serviceId: undefined,
    isDecided: false,
    digest: undefined,
    name: undefined,
    isShortened: (steps[0]?.number ?? 0) > 0,
  };
  const isUnknown = () => operation.state !== "declared" && unknownOnes(operation).length > 0;
  let forbidden: string | undefined;
  for (const step of steps) {
    const { event, number } = step;
    const rule = rules[event.type] as Rule<OperationEvent["type"]> | undefined;
    const broken = rule === undefined ? "no such event" : rule(operation, step, event);
    if (broken !== undefined) forbidden ??= `${number} ${event.type}: ${broken}`;
    operation.name = nameIn(event) ?? operation.name;
  }
  const { name, state } = operation;
  return {
    isDeclared: state === "declared",
    unknown: isUnknown() ? unknownOnes(operation).length : 0,
    name,
    forbidden,
  };
}
