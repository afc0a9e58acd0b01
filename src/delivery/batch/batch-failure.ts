// The failure of a batch: how many creates succeeded, which one failed, and how many were not tried.
import type { Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";

interface BatchPosition {
  /** Index of the definition that failed. */
  readonly at: number;
  readonly declared: number;
  readonly signal: AbortSignal;
}

/** A failure after others were declared is "partial", unless it is the more alarming "uncertain". */
export function batchFailure(
  failure: Failure,
  definitions: readonly Definition[],
  position: BatchPosition,
): Failure {
  const { at, declared, signal } = position;
  const failed = definitions[at] as Definition;
  // A person who declined a question has nothing to paste elsewhere, nor does one whose incident is declared.
  const declined = failure.kind === "confirmation" || (failure.kind === "interrupted" && !signal.aborted);
  const publicText =
    declined || declared > at
      ? undefined
      : [failed.name, failed.incidentUpdates[0]?.description].join("\n\n");
  if (definitions.length === 1) return failure.with({ publicText });
  const untried = definitions.length - at - 1;
  const rest = untried > 0 ? `; ${untried} not tried` : "";
  // A create that needs a consent is the first that this run would send.
  const isUnsent = failure.details.unconfirmed !== undefined;
  const worst = failure.kind === "uncertain" || isUnsent ? failure.kind : "partial";
  return failure.with({
    kind: declared > 0 ? worst : failure.kind,
    message: `${declared} declared, then "${failed.name}" (${at + 1} of ${definitions.length}): ${failure.message}${rest}`,
    publicText,
    retryable: failure.retryable && declared === 0,
  });
}
