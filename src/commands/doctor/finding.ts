// A finding of a check of `incident doctor`, and the conversion of a failure to a finding.
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

export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly finding: Finding };

/** The result of `run`; a `Failure` becomes a finding. */
export async function attempt<T>(check: string, run: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "interrupted" || error.kind === "terminated")
      throw error;
    return { ok: false, finding: failed(check, error) };
  }
}

/** The finding that a failure is. The first diagnostic tells the place and the correction. */
export function failed(check: string, { details, kind, message }: Failure): Finding {
  const [first] = details.diagnostics ?? [];
  const at = first === undefined ? "" : ` (line ${first.location.start.line}: ${first.message})`;
  return wrong(check, kind, message + at, first?.hint ?? details.hint);
}

export function wrong(check: string, kind: FailureKind, message: string, hint: Hint): Finding {
  return { check, status: "wrong", kind, message, hint };
}

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message };
}

export function skipped(check: string, message: string): Finding {
  return { check, status: "skipped", message };
}

export function note(check: string, message: string, hint: Hint): Finding {
  return { check, status: "note", message, hint };
}
