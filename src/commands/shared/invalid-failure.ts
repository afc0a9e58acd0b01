// Diagnostics for a person: all of a run as one failure, and a warning as one line.
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { Hint } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";

/** `omitted` is the number of problems beside the diagnostics. */
export function invalidFailure(diagnostics: readonly Diagnostic[], hint: Hint, omitted = 0): Failure {
  const files = new Set(diagnostics.map(({ location }) => location.file)).size;
  const message = `${countOf(diagnostics.length, "problem")} in ${countOf(files, "file")}`;
  const more = omitted === 0 ? "" : `, and ${omitted} more that are not shown`;
  return new Failure("invalid", message + more, { hint, diagnostics });
}

/** A warning about a definition as one line. */
export function warningLine({ code, message, hint, location: { file, start } }: Diagnostic): string {
  return `${file}:${start.line}:${start.column}: ${message} [${code}]; ${hint}`;
}
