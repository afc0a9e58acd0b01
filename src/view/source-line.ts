// Parts of a source line, which can be as long as its file.
import type { Diagnostic } from "../diagnostic.ts";

/** The longest source line that JSON repeats, in UTF-16 units. */
const longestLine = 1000;

/** The part of a longer line: this many code points before the location, and as many UTF-16 units after it. */
const margin = 200;

/** The diagnostics for JSON. Of a long source line, each has the part around its location. */
export function withShortLines(diagnostics: readonly Diagnostic[]) {
  return diagnostics.map((diagnostic) => {
    const { location } = diagnostic;
    const { source, start } = location;
    if (source.length <= longestLine) return diagnostic;
    const from = offsetOf(source, Math.max(0, start.column - 1 - margin));
    const end = from + 2 * margin;
    const part = `${from > 0 ? "…" : ""}${source.slice(from, end)}${end < source.length ? "…" : ""}`;
    return { ...diagnostic, location: { ...location, source: part } };
  });
}

export function offsetOf(text: string, count: number): number {
  if (count === 0 || !/[\ud800-\udbff]/.test(text)) return Math.min(count, text.length);
  let offset = 0;
  let left = count;
  for (const character of text) {
    if (left === 0) break;
    offset += character.length;
    left -= 1;
  }
  return offset;
}
