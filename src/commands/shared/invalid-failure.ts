// Diagnostics for a person: all of a run as one failure, and a warning as one line.
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { Hint } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";

export function invalidFailure(diagnostics: readonly Diagnostic[], hint: Hint): Failure {
  const files = new Set(diagnostics.map(({ location }) => location.file)).size;
  const message = `${countOf(diagnostics.length, "problem")} in ${countOf(files, "file")}`;
  return new Failure("invalid", message, { hint, diagnostics });
}

/** A warning about a definition as one line. */
export function warningLine({ code, message, hint, location: { file, start } }: Diagnostic): string {
  return `${file}:${start.line}:${start.column}: ${message} [${code}]; ${hint}`;
}
