// Errors in a text by offset, and their conversion to diagnostics with lines and columns. Limits the number of
// diagnostics of a file, so that a broken file never floods a terminal or a log.
import type { Diagnostic, DiagnosticCode, DiagnosticMessage } from "../diagnostic.ts";
import type { LocateSpan } from "./positions.ts";

export interface TextError {
  readonly code: DiagnosticCode;
  /** Offsets into the text; `to` is just past the last character. */
  readonly from: number;
  readonly to: number;
  readonly explain: () => ExplainedError;
}

/** A message, and where the mistake is if the text shows that better than the parser. */
export interface ExplainedError extends DiagnosticMessage {
  readonly span?: { readonly from: number; readonly to: number };
  /** The text that replaces the span. */
  readonly correction?: string;
  /** The end of the text in which further syntax errors follow from this one. */
  readonly until?: number;
}

const maxErrors = 20;

/** The errors as diagnostics, in the order of the text: one for each broken line, at most twenty. */
export function toDiagnostics(
  errors: readonly TextError[],
  text: string,
  locateSpan: LocateSpan,
): Diagnostic[] {
  const sorted = onePerBrokenLine(
    [...errors].sort((a, b) => a.from - b.from),
    text,
  );
  const end = text.trimEnd().length;
  const diagnostics: Diagnostic[] = [];
  let explainedUntil = 0;
  for (const error of sorted.slice(0, maxErrors)) {
    if (error.code === "yaml-syntax" && error.from < explainedUntil) continue;
    const { span = error, until = 0, ...message } = error.explain();
    explainedUntil = Math.max(explainedUntil, until);
    const location = locateSpan(Math.min(span.from, end), Math.min(span.to, end));
    diagnostics.push({ code: error.code, level: "error", ...message, location });
  }
  const next = sorted[maxErrors];
  if (next !== undefined) {
    const location = locateSpan(next.from, next.to);
    const message = omittedMessage(sorted.length - maxErrors);
    diagnostics.push({ code: next.code, level: "error", ...message, location });
  }
  return diagnostics;
}

export function omittedMessage(count: number): DiagnosticMessage {
  const problems = count === 1 ? "1 more problem" : `${count} more problems`;
  return { message: `${problems} in this file not shown`, hint: "correct the ones above, then check again" };
}

/** Keeps the first syntax error of each line: the parser reports the same mistake several times. */
function onePerBrokenLine(sorted: readonly TextError[], text: string): TextError[] {
  let last: number | undefined;
  return sorted.filter((error) => {
    if (error.code !== "yaml-syntax") return true;
    const isNewLine = last === undefined || text.slice(last, error.from).includes("\n");
    last = error.from;
    return isNewLine;
  });
}
