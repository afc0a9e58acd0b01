// The diagnostics of a file as a list: sorted, without duplicates, and bounded, so that a broken file never floods a
// terminal or a log. The errors in its text become diagnostics with lines and columns.
import { type Diagnostic, type DiagnosticCode, type DiagnosticMessage, errorAt } from "../diagnostic.ts";
import type { LocateSpan } from "./positions.ts";

/** The most diagnostics of a value or of a file. The limit keeps a hostile file from filling the memory. */
export const maxDiagnostics = 100;

/** The first diagnostics, and the number of the others. */
export function limited(sorted: readonly Diagnostic[], omitted: number): readonly Diagnostic[] {
  const reported = sorted.slice(0, maxDiagnostics);
  const last = reported.at(-1);
  const count = sorted.length - reported.length + omitted;
  return last === undefined || count === 0 ? reported : [...reported, { ...last, ...omittedMessage(count) }];
}

/** Drops the duplicates of an error in an aliased value: each use reports it, at the same location. */
export function withoutDuplicates(sorted: readonly Diagnostic[]): readonly Diagnostic[] {
  return sorted.filter((diagnostic, index) => {
    const before = sorted[index - 1];
    return (
      before === undefined ||
      before.message !== diagnostic.message ||
      before.code !== diagnostic.code ||
      byPosition(before, diagnostic) !== 0
    );
  });
}

export function byPosition(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.location.start, b.location.start];
  return one.line - other.line || one.column - other.column;
}

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

/** The most errors in the syntax of a file that are reported. */
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
    diagnostics.push(errorAt(error.code, message, location));
  }
  const next = sorted[maxErrors];
  if (next !== undefined) {
    const message = omittedMessage(sorted.length - maxErrors);
    diagnostics.push(errorAt(next.code, message, locateSpan(next.from, next.to)));
  }
  return diagnostics;
}

function omittedMessage(count: number): DiagnosticMessage {
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
