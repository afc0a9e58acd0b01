// Parts of a source line, which can be as long as its file.
import type { Diagnostic } from "../diagnostic.ts";

/** The part of a longer line: this many code points before the location, and as many UTF-16 units after it. */
const margin = 200;

/** The diagnostics for JSON. Of a source line over 1000 UTF-16 units, each has the part around its location. */
export function withShortLines(diagnostics: readonly Diagnostic[]) {
  return diagnostics.map((diagnostic) => {
    const { location } = diagnostic;
    const { source, start } = location;
    if (source.length <= 1000) return diagnostic;
    const from = offsetOf(source, Math.max(0, start.column - 1 - margin));
    const end = from + 2 * margin;
    const part = `${from > 0 ? "…" : ""}${source.slice(from, end)}${end < source.length ? "…" : ""}`;
    return { ...diagnostic, location: { ...location, source: part } };
  });
}

/** The length of the first `count` code points, in UTF-16 units. */
export function offsetOf(text: string, count: number): number {
  let offset = 0;
  for (let left = count; left > 0 && offset < text.length; left -= 1)
    offset += Number(text.codePointAt(offset)) > 0xffff ? 2 : 1;
  return offset;
}
