// The syntax errors of a text as diagnostics, one for each broken line, in the words of mistakes.ts instead of the parser's.
import type { YAMLError } from "yaml";
import { arranged, type Diagnostic, errorAt, maxDiagnostics, type Problem } from "../../diagnostic.ts";
import { looksLike } from "../../text/look-alikes.ts";
import { type LocateSpan, lineAt, lineStart, type Span } from "../positions.ts";
import { conflict, disorder, mistakes, oddSpaces } from "./mistakes.ts";

/** An error beside those of the parser, in the part `pos` of the text. */
export interface TextError extends Pick<Problem, "code" | "message" | "hint"> {
  readonly pos: Span;
  /** The end of the text in which further syntax errors follow from this one. */
  readonly until?: number;
}

export type AnyError = TextError | YAMLError;

/** Explains the first errors alone: a hostile text has hundreds of thousands. */
export function toDiagnostics(errors: readonly AnyError[], text: string, locateSpan: LocateSpan) {
  const end = text.trimEnd().length;
  const diagnostics: Diagnostic[] = [];
  let explainedUntil = 0;
  let last: number | undefined;
  for (const error of errors.toSorted((a, b) => a.pos[0] - b.pos[0])) {
    if (diagnostics.length > maxDiagnostics) break;
    if (isSyntax(error)) {
      const [start] = error.pos;
      // The parser reports the same mistake of a line several times.
      const isRepeated = last !== undefined && !text.slice(last, start).includes("\n");
      last = start;
      if (isRepeated || start < explainedUntil) continue;
    }
    const { code, pos, until = 0, ...words } = "hint" in error ? error : explain(error, text);
    explainedUntil = Math.max(explainedUntil, until);
    const [from, to] = pos;
    diagnostics.push(errorAt(code, words, locateSpan([Math.min(from, end), Math.min(to, end)])));
  }
  // A line with an odd start puts the lines around it in disorder.
  const isLeft = diagnostics.some(({ message }) => /^(?:a tab|this is U\+)/.test(message));
  const conflicts = diagnostics.filter(({ message }) => message === conflict.message);
  if (conflicts.length > 0) return conflicts;
  return arranged(diagnostics.filter(({ message }) => !isLeft || message !== disorder));
}

export function isTag({ code }: AnyError): boolean {
  return code === "TAG_RESOLVE_FAILED" || code === "BAD_COLLECTION_TYPE";
}

function isSyntax(error: AnyError): boolean {
  return "hint" in error ? error.code === "yaml-syntax" : !isTag(error);
}

/** The errors of a document that do not follow from others. */
export function causesOf(errors: readonly YAMLError[]): readonly YAMLError[] {
  // The parser often takes a broken list or mapping for a field name, and reports every token after an error in the structure.
  const structural = errors.filter(({ code }) => code !== "NON_STRING_KEY");
  const causes = structural.length > 0 ? structural : errors;
  return causes.filter(({ message }, index) => index === 0 || !message.includes("in YAML stream"));
}

export function markHint(mark: string): string {
  return `remove it; if the text begins with "${mark}", put the whole text in quotes`;
}

/** The most characters of a line, and of the lines above it, that are searched. */
const maxLength = 1000;

function explain(error: YAMLError, text: string): TextError {
  if (isTag(error)) {
    const [from, to] = error.pos;
    const message = `the tag ${text.slice(from, Math.min(to, from + 60))} does not apply here`;
    return { code: "unknown-tag", pos: error.pos, message, hint: markHint("!") };
  }
  const from = startOf(error, text);
  const start = lineStart(text, from);
  const written = lineAt(text, from).slice(0, maxLength);
  const line = isInBrackets(text.slice(0, start)) ? written.replaceAll("\t", " ") : written;
  const above = Math.max(0, start - maxLength);
  const parts = {
    line: { text: line, offset: start },
    lines: { text: text.slice(above, start) + line, offset: above },
    before: { text: text.slice(above, from), offset: above },
    after: { text: text.slice(from, from + maxLength), offset: from },
  };
  // A bracket of a plain text above opens nothing: a key that begins its line is in none.
  const isInside = /[[{:]/.test(text.slice(start, from + 1)) && isInBrackets(text.slice(0, from + 1));
  const told = `${error.code} ${from - start}: ${error.message}${isInside ? " in brackets" : ""}`;
  for (const { error: own, hides, pattern, within = "line", ...words } of mistakes) {
    if (!own.test(told)) continue;
    const part = parts[within];
    const match = pattern === undefined ? undefined : new RegExp(pattern, "du").exec(part.text);
    if (match === null) continue;
    const at = match?.indices?.groups?.at;
    const offset = at ? part.offset : 0;
    const [first, last] = at ?? [from, error.pos[1]];
    return {
      code: "yaml-syntax",
      ...("words" in words ? words.words(match?.groups?.at ?? "") : words),
      pos: [offset + first, offset + last],
      ...(hides && { until: hides === "rest" ? text.length : endOfBlock(text, start) }),
    };
  }
  const message = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  return { code: "yaml-syntax", message, pos: [from, error.pos[1]], hint: otherHint };
}

const otherHint =
  "put a text with special characters in single quotes; else check the indentation, the quotes and the brackets on this line and the one before";

/** Whether a bracket or brace of the text is open at its end: a tab is as good as a space there. */
function isInBrackets(text: string): boolean {
  const brackets = text.replace(/"[^"\n]*"?/g, "").match(/[[\]{}]/g) ?? [];
  return brackets.filter((bracket) => "[{".includes(bracket)).length > brackets.length / 2;
}

/** The parser reports a quote that is never closed at its end. */
function startOf({ message, pos: [from] }: YAMLError, text: string): number {
  const [, quote] = /^Missing closing (["'])quote/.exec(message) ?? [];
  if (quote === undefined) return from;
  const mark = quote === '"' ? "\\" : quote;
  let at = text.lastIndexOf(quote, from - 1);
  while (at > 0 && text[at - 1] === mark) at = text.lastIndexOf(quote, at - 2);
  return Math.max(0, at);
}

/** The end of the lines that are indented, at least as much as the one at `start`; of an entry, at most to the next one. */
function endOfBlock(text: string, start: number): number {
  const [, { length } = "", entry = ""] = /^( *)(- )?/.exec(lineAt(text, start)) ?? [];
  const next = entry && `| {${length}}- `;
  const outside = new RegExp(`\\n(?: {0,${Math.max(0, length - 1)}}\\S${next})`, "g");
  outside.lastIndex = start;
  return outside.exec(text)?.index ?? text.length;
}

const oddStart = new RegExp(`-?([${oddSpaces}]+)`, "y");

/** The error of such spaces where the plain text at `from` begins, in the indentation or after a dash. */
export function findOddStart(text: string, from: number): TextError | undefined {
  oddStart.lastIndex = from;
  const [start = "", odd = ""] = oddStart.exec(text) ?? [];
  // Only the text right before it is searched: a long line can have many plain texts.
  const before = text.slice(Math.max(0, from - 200), from);
  if (odd === "" || !/(?:^|\n) *(?:- +)*$/.test(before)) return undefined;
  const to = from + start.length;
  return { code: "yaml-syntax", pos: [to - odd.length, to], ...looksLike(odd) };
}
