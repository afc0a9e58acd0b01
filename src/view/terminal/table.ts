// Draws tables, with columns that align for characters of any width.
import { joinSafe, type SafePart, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import type { Style } from "./style.ts";

/**
 * Draws columns under headings; nothing without rows. Where a row is wider than the terminal, its last cell is on a line of
 * its own.
 */
export function renderTable<const H extends string>(
  style: Style,
  headings: readonly SafePart<H>[],
  rows: readonly (readonly SafeText[])[],
): SafeText {
  if (rows.length === 0) return safe``;
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, style.measure(row[column] ?? "")), heading.length),
  );
  const draw = (cells: readonly SafeText[]) => {
    const padded = cells.map((cell, column) => style.pad(cell, widths[column] ?? 0));
    const row = joinSafe(padded, "  ").trimEnd();
    if (!style.isTerminal || style.measure(row) <= style.width) return row;
    return safe`${joinSafe(padded.slice(0, -1), "  ").trimEnd()}\n  ${padded.at(-1) ?? ""}`.trimEnd();
  };
  const head = style.color.dim(draw(headings.map((heading) => safe`${heading}`)));
  return safe`${joinSafe([head, ...rows.map(draw)])}\n`;
}
