// Parts of a source line, which can be as long as its file.
import type { Diagnostic } from "../diagnostic.ts";
import { cutText } from "../text/lengths.ts";

/** The longest source line that JSON repeats, in UTF-16 units. */
const longestLine = 1000;

/** The diagnostics for JSON: the end of a long source line is left out. */
export function withShortLines(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map(({ location, ...diagnostic }) => {
    return { ...diagnostic, location: { ...location, source: cutText(location.source, longestLine) } };
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
