// Decides the next step of an operation: a pure function of its log, the request, and the findings of this run. This file is
// the code of the two tables in docs/internals/protocol.md.
import type { OperationLog } from "../journal/events.ts";

export interface StepRequest {
  /** The definition differs from that of the log. */
  readonly isRedefined: boolean;
  /** It may exist before its first attempt, and is looked for first. */
  readonly mayExist: boolean;
  /** A look can find it by its id or its content. */
  readonly canBeFound: boolean;
}

/** How an attempt of this run ended, by its meaning for the incident. */
export type EndingKind =
  /** No byte was sent. */
  | "unsent"
  /** 429: a later attempt may be accepted. */
  | "rate-limited"
  | "refused"
  /** 400 or 422 in the service's own error shape that names no field but the id: the id may be the reason. */
  | "id-refused"
  /** 409: something has this id, which another create may have chosen. */
  | "conflict"
  /** It was sent, and its outcome is not known. */
  | "unclear";

export interface Findings {
  /** Attempts of this run. */
  readonly attempts: number;
  /** Whether one of them ended as `unclear`, even where a person has settled the operation since. */
  readonly isUnclear: boolean;
  readonly withoutId: boolean;
  /** The ending of this run's last attempt, while no other process has appended to the log since. */
  readonly ending?: {
    readonly kind: EndingKind;
    /** Milliseconds until the next attempt; undefined where this ending is final. */
    readonly delay: number | undefined;
  };
  /** Reading by id before sending: the service has no such incident. */
  readonly look?: "absent" | undefined;
  /** Reading back after sending. `missed`: two looks, at least 30 s apart, could have found it and did not. */
  readonly readBack?: "absent" | "missed" | "failed" | undefined;
}

export const noFindings = { attempts: 0, isUnclear: false, withoutId: false } satisfies Findings;

export type Step =
  | { readonly do: "answer" }
  /** Reads the id: the incident may exist. */
  | { readonly do: "look"; readonly because: "may-exist" | "earlier-attempt" | "refusal" }
  | { readonly do: "send"; readonly withId: boolean }
  /** Reads back an attempt whose outcome is not known. */
  | { readonly do: "settle" }
  /** Waits, in milliseconds, before another attempt. */
  | { readonly do: "wait"; readonly delay: number }
  /** `unknown`: an attempt was sent, and a person settles it. */
  | { readonly do: "refuse"; readonly because: "unknown" | "redefined" | "ending" };

export function nextStep(found: Findings & { readonly log: OperationLog }, request: StepRequest): Step {
  const { log } = found;
  // A definition may change until one of its attempts may have been accepted.
  const isFixed = log.state === "created" || log.uncertain !== undefined;
  if (isFixed && request.isRedefined) return { do: "refuse", because: "redefined" };
  switch (log.state) {
    case "created":
      return { do: "answer" };
    case "sending":
    case "uncertain":
      return afterUnclear(log, found);
    case "new":
    case "sendable":
    case "refused":
      return beforeSending(log, request, found);
  }
}

function afterUnclear(log: OperationLog, { ending, readBack, withoutId }: Findings): Step {
  if (ending?.delay !== undefined) return { do: "wait", delay: ending.delay };
  // Another process may still wait for the answer, so the log is read again also where no id can be found.
  if (readBack === undefined) return { do: "settle" };
  // A 500 or a 503 rarely comes after a commit. An operation that two looks have missed is sent once more.
  const isRepeatable = log.mayBeRepeated && readBack === "missed";
  const isOver = ending !== undefined && ending.kind !== "unclear";
  if (!isRepeatable || isOver) return { do: "refuse", because: "unknown" };
  return { do: "send", withId: !withoutId };
}

function beforeSending(
  log: OperationLog,
  { canBeFound, mayExist }: StepRequest,
  { ending, isUnclear, look, withoutId }: Findings,
): Step {
  // A person settled the operation before this run knew how its own attempt ended.
  if (isUnclear) return { do: "refuse", because: "unknown" };
  switch (ending?.kind) {
    case "unsent":
    case "rate-limited":
      return ending.delay === undefined
        ? { do: "refuse", because: "ending" }
        : { do: "wait", delay: ending.delay };
    case "refused":
      return { do: "refuse", because: "ending" };
    case "conflict":
    case "id-refused":
      if (look === undefined) return { do: "look", because: "refusal" };
      // After a refusal, a create without the id doubles nothing, unless the reason was that the incident exists.
      return ending.kind === "conflict" ? { do: "refuse", because: "ending" } : { do: "send", withId: false };
  }
  // The bytes of an attempt that was refused were on the wire, so the service may have created the incident.
  const isLookedFor = mayExist || (log.wasRefused && canBeFound);
  if (isLookedFor && look === undefined)
    return { do: "look", because: log.wasRefused ? "earlier-attempt" : "may-exist" };
  return { do: "send", withId: !withoutId };
}
