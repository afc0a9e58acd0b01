// A finding of a check of `incident doctor`, and the conversion of a failure to a finding.
import { Failure, type FailureKind } from "../../failure.ts";

export interface Finding {
  readonly check: string;
  readonly status: "ok" | "note" | "wrong" | "skipped";
  readonly message: string;
  readonly hint?: string;
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
    return { ok: false, finding: wrong(check, error) };
  }
}

export function wrong(
  check: string,
  { kind, message, hint, diagnostics = [] }: Pick<Failure, "kind" | "message" | "hint" | "diagnostics">,
): Finding {
  const [first] = diagnostics;
  const at = first === undefined ? "" : ` (line ${first.location.start.line}: ${first.message})`;
  return { check, status: "wrong", kind, message: message + at, hint: first?.hint ?? hint };
}

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message };
}

export function skipped(check: string, message: string): Finding {
  return { check, status: "skipped", message };
}

export function note(check: string, message: string, hint: string): Finding {
  return { check, status: "note", message, hint };
}
