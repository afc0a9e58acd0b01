// Draws tables, with columns that align for characters of any width.
import { joinSafe, type SafePart, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import type { Style } from "./style.ts";

/** The minimum width of the last column for wrapping inside the column, in cells. */
const minLastColumn = 20;

/** Columns under headings. In a narrow terminal, rows continue below, indented. */
export function renderTable<const H extends string>(
  style: Style,
  headings: readonly SafePart<H>[],
  rows: readonly (readonly SafeText[])[],
): SafeText {
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, style.measure(row[column] ?? "")), heading.length),
  );
  const lastColumn = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const indent = lastColumn + minLastColumn <= style.width ? lastColumn : 4;
  const draw = (cells: readonly SafeText[]) => {
    const row = cells.map((cell, column) => style.pad(cell, widths[column] ?? 0));
    return style.indent(joinSafe(row, "  ").trimEnd(), indent);
  };
  const head = headings.map((heading) => safe`${heading}`);
  return safe`${joinSafe([style.color.dim(draw(head)), ...rows.map(draw)])}\n`;
}
