// The errors in a text as diagnostics: one for each broken line, at most twenty.
import { type Diagnostic, type DiagnosticCode, type DiagnosticMessage, errorAt } from "../../diagnostic.ts";
import { limited } from "../diagnostic-list.ts";
import type { LocateSpan, Span } from "../positions.ts";

export interface TextError {
  readonly code: DiagnosticCode;
  readonly span: Span;
  /** For the first errors alone: a hostile text has hundreds of thousands. */
  readonly explain: () => Explained;
}

export interface Explained extends DiagnosticMessage {
  /** Where the mistake is, if the text shows that better than the parser. */
  readonly span?: Span;
  /** The text that replaces the span. */
  readonly correction?: string;
  /** The end of the text in which further syntax errors follow from this one. */
  readonly until?: number;
}

export function errorIn(code: DiagnosticCode, span: Span, words: DiagnosticMessage): TextError {
  return { code, span, explain: () => words };
}

/** The most errors in the syntax of a text that are reported. */
const maxErrors = 20;

export function toDiagnostics(
  errors: readonly TextError[],
  text: string,
  locateSpan: LocateSpan,
): readonly Diagnostic[] {
  const sorted = [...errors].sort((a, b) => a.span[0] - b.span[0]);
  const end = text.trimEnd().length;
  let explainedUntil = 0;
  const diagnostics = onePerBrokenLine(sorted, text)
    .slice(0, maxErrors + 1)
    .flatMap(({ code, explain, span: found }): Diagnostic[] => {
      if (code === "yaml-syntax" && found[0] < explainedUntil) return [];
      const { span = found, until = 0, ...message } = explain();
      explainedUntil = Math.max(explainedUntil, until);
      const [from, to] = span;
      return [errorAt(code, message, locateSpan(Math.min(from, end), Math.min(to, end)))];
    });
  return limited(diagnostics, maxErrors);
}

/** Keeps the first syntax error of each line: the parser reports the same mistake several times. */
function onePerBrokenLine(sorted: readonly TextError[], text: string): readonly TextError[] {
  let last: number | undefined;
  return sorted.filter(({ code, span: [from] }) => {
    if (code !== "yaml-syntax") return true;
    const isNewLine = last === undefined || text.slice(last, from).includes("\n");
    last = from;
    return isNewLine;
  });
}
