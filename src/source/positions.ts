// Turns offsets into a file's text into places a person can go to. It hides how lines end and that text is
// stored in UTF-16 units; nothing is counted before the first place is asked for.
import type { Location, Position } from "../diagnostic.ts";

/** Places in one text. `from` and `to` are offsets in UTF-16 units, `to` just past the last. */
export type Places = (from: number, to: number) => Location;

export function createPlaces(text: string, file: string): Places {
  let starts: readonly number[] | undefined;

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
    let column = 1;
    for (const _ of text.slice(lineStart, offset)) column += 1;
    return { line, column, lineStart };
  }

  return (from, to) => {
    const { lineStart, ...start } = positionOf(from);
    const { lineStart: _, ...end } = positionOf(Math.max(from, to));
    return { file, start, end, source: lineAt(text, lineStart) };
  };
}

/** The line that `offset` is on, without its ending. */
export function lineAt(text: string, offset: number): string {
  const start = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", start);
  const line = end === -1 ? text.slice(start) : text.slice(start, end);
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** The offset at which each line starts. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
