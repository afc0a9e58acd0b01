// Diagnostics for a person: all of a run as one failure, and a warning as one line.
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";

export function invalidFailure(diagnostics: readonly Diagnostic[], hint: string): Failure {
  const files = new Set(diagnostics.map(({ location }) => location.file)).size;
  const problems = diagnostics.length === 1 ? "1 problem" : `${diagnostics.length} problems`;
  return new Failure("invalid", `${problems} in ${files === 1 ? "1 file" : `${files} files`}`, {
    hint,
    diagnostics,
  });
}

/** A warning about a definition as one line. */
export function warningLine({ code, message, hint, location: { file, start } }: Diagnostic): string {
  return `${file}:${start.line}:${start.column}: ${message} [${code}]; ${hint}`;
}
