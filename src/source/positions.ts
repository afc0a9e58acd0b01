// Offsets into a text as lines and columns, which count code points.
import { LineCounter } from "yaml";
import type { Location, Position } from "../diagnostic.ts";
import { once } from "../once.ts";

/** The offsets of a part of a text, in UTF-16 code units: the second is just past its last character. */
export type Span = readonly [from: number, to: number];

export type LocateSpan = (span: Span, within?: string) => Location;

/** Counts the lines with the first location: most files need none. */
export function createLocateSpan(text: string, file: string): LocateSpan {
  const lines = once(() => {
    const starts = Array.from(text.matchAll(/\n/g), ({ index }) => index + 1);
    return Object.assign(new LineCounter(), { lineStarts: [0, ...starts] });
  });
  const positionOf = (offset: number): Position => {
    const { col, line } = lines().linePos(offset);
    const pairs = text.slice(offset - col + 1, offset).match(/[\ud800-\udbff][\udc00-\udfff]/g);
    return { line, column: col - (pairs?.length ?? 0) };
  };
  return (span, within = "") => {
    // The first occurrence of the text in the span, else the span.
    const found = within === "" ? -1 : text.slice(...span).indexOf(within);
    const from = span[0] + Math.max(0, found);
    const end = positionOf(found < 0 ? Math.max(...span) : from + within.length);
    return { file, start: positionOf(from), end, source: lineAt(text, from) };
  };
}

export function lineAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? undefined : end).replace(/\r$/, "");
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** The comment right after a plain text, without a space after its "#"; else empty. */
export function commentAfter(text: string, [from, to]: Span): Span {
  const rest = /\s*(#[^\s#].*)?/y;
  rest.lastIndex = to;
  const [, comment = ""] = /["'|>[{]/.test(text.charAt(from)) ? [] : (rest.exec(text) ?? []);
  return comment === "" ? [0, 0] : [rest.lastIndex - comment.length, rest.lastIndex];
}
