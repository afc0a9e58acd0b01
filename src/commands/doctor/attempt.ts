// A check of `incident doctor`, and the lines that it tells.
import { Failure, type FailureKind } from "../../failure.ts";
import type { Hint } from "../../text/advice.ts";

export interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "wrong" | "skipped";
  readonly message: string;
  readonly hint?: Hint;
  /** For `wrong`: the kind of failure that another command would end with. */
  readonly kind?: FailureKind;
}

/** Tells the lines of one check. */
export interface Tell {
  ok(message: string): void;
  note(message: string, hint: Hint): void;
  wrong(kind: FailureKind, message: string, hint: Hint): void;
  skipped(message: string): void;
  /** The first diagnostic of a failure tells the place and the correction. */
  failed(failure: Failure): void;
}

/** Does the work of a check, and gives its value; a `Failure` is a line, and has no value. */
export type Attempt = <T>(check: string, work: (tell: Tell) => T | Promise<T>) => Promise<T | undefined>;

export function createAttempt(findings: Finding[]): Attempt {
  return async (check, work) => {
    const wrong = (kind: FailureKind, message: string, hint: Hint) =>
      void findings.push({ check, status: "wrong", kind, message, hint });
    const tell: Tell = {
      ok: (message) => void findings.push({ check, status: "ok", message }),
      note: (message, hint) => void findings.push({ check, status: "note", message, hint }),
      skipped: (message) => void findings.push({ check, status: "skipped", message }),
      wrong,
      failed: ({ details, kind, message }) => {
        const [first] = details.diagnostics ?? [];
        const at = first === undefined ? "" : ` (line ${first.location.start.line}: ${first.message})`;
        wrong(kind, message + at, first?.hint ?? details.hint);
      },
    };
    try {
      return await work(tell);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === "interrupted" || error.kind === "terminated")
        throw error;
      tell.failed(error);
      return undefined;
    }
  };
}
