// Converts offsets into a text to lines and columns. Handles line endings and UTF-16 code units; indexes the lines
// with the first conversion.
import type { Locate, Location, Path, Position } from "../diagnostic.ts";

/** The location of a span. `from` and `to` are offsets in UTF-16 code units; `to` is just past the last. */
export type LocateSpan = (from: number, to: number) => Location;

export function createLocateSpan(text: string, file: string): LocateSpan {
  let starts: readonly number[] | undefined;
  /** The last position, from which the next one in the same line is counted: a line can have a million characters. */
  let last = { lineStart: 0, offset: 0, column: 1 };

  function positionOf(offset: number): Position & { readonly lineStart: number } {
    starts ??= lineStarts(text);
    let line = 1;
    let beyond = starts.length;
    while (line < beyond) {
      const middle = (line + beyond + 1) >> 1;
      if ((starts[middle - 1] ?? 0) <= offset) line = middle;
      else beyond = middle - 1;
    }
    const lineStart = starts[line - 1] ?? 0;
    const isAfterLast = last.lineStart === lineStart && last.offset <= offset;
    let { column } = isAfterLast ? last : { column: 1 };
    for (const _ of text.slice(isAfterLast ? last.offset : lineStart, offset)) column += 1;
    last = { lineStart, offset, column };
    return { line, column, lineStart };
  }

  return (from, to) => {
    const { lineStart, ...start } = positionOf(from);
    const { lineStart: _, ...end } = positionOf(Math.max(from, to));
    return { file, start, end, source: lineAt(text, lineStart) };
  };
}

/** The offsets of a part of the text: the second is just past its last character. */
export type Span = readonly [from: number, to: number];

/** Gives the span of a path of the value, or of the nearest ancestor that the value has. */
export type SpanOf = (path: Path, part: "key" | "value") => Span;

export interface Origins {
  readonly locate: Locate;
  /** The text of a scalar as the file spells it. */
  readonly textOf: (path: Path) => string;
}

export function createOrigins(spanOf: SpanOf, locateSpan: LocateSpan, text: string): Origins {
  return {
    locate: (path, part = "value", within = undefined) => {
      const [from, to] = spanOf(path, part);
      const found = within === undefined ? -1 : text.slice(from, to).indexOf(within);
      return found === -1
        ? locateSpan(from, to)
        : locateSpan(from + found, from + found + (within ?? "").length);
    },
    textOf: (path) => text.slice(...spanOf(path, "value")),
  };
}

export function lineAt(text: string, offset: number): string {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", start);
  const line = end === -1 ? text.slice(start) : text.slice(start, end);
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
