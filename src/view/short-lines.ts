// The source lines of diagnostics for JSON, because a line can be as long as its file.
import type { Diagnostic } from "../diagnostic.ts";
import { cutText } from "../text/lengths.ts";

export function withShortLines(diagnostics: readonly Diagnostic[]) {
  return diagnostics.map((diagnostic) => {
    const { location } = diagnostic;
    return { ...diagnostic, location: { ...location, source: cutText(location.source, 1000) } };
  });
}
