// A check of `incident doctor`, and the lines that it tells.
import { Failure, type FailureKind } from "../../failure.ts";
import type { Hint } from "../../text/advice.ts";

export interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "wrong";
  /** For `wrong`: the kind of failure that another command would end with. */
  readonly kind?: FailureKind;
  readonly message: string;
  readonly hint?: Hint;
}

/** Tells a line of a check. A kind of failure makes it wrong. */
export type Tell = (result: "ok" | "note" | FailureKind, message: string, hint?: Hint) => void;

/** Does the work of a check, and gives its value; a `Failure` is a line, and has no value. */
export type Attempt = <T>(check: string, work: (tell: Tell) => T | Promise<T>) => Promise<T | undefined>;

/** A line for each diagnostic of a failure, which tells the place and the correction. */
export function tellFailure(tell: Tell, { details, kind, message }: Failure): void {
  const { diagnostics = [] } = details;
  if (diagnostics.length === 0) tell(kind, message, details.hint);
  for (const each of diagnostics)
    tell(kind, `${message} (line ${each.location.start.line}: ${each.message})`, each.hint);
}

export function createAttempt(findings: Finding[]): Attempt {
  const told = new Map<Failure, string>();
  return async (check, work) => {
    const tell: Tell = (result, message, hint) => {
      const isWrong = result !== "ok" && result !== "note";
      const found = isWrong ? ({ status: "wrong", kind: result } as const) : { status: result };
      findings.push({ check, ...found, message, ...(hint && { hint }) });
    };
    try {
      return await work(tell);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === "interrupted" || error.kind === "terminated")
        throw error;
      const earlier = told.get(error);
      if (earlier !== undefined) tell(error.kind, error.message, `correct the ${earlier}, as told above`);
      else tellFailure(tell, error);
      told.set(error, earlier ?? check);
      return undefined;
    }
  };
}
