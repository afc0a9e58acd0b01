// Columns that align, whatever the width of the characters in them.
import type { Style } from "./style.ts";

/** Room that the last column must have to be wrapped within itself, in cells. */
const narrowest = 20;

/** Columns under headings; cells are already escaped. Where a window is too narrow, rows go on below, indented. */
export function renderTable(style: Style, headings: readonly string[], rows: readonly string[][]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => style.measure(row[column] ?? ""))),
  );
  const lastColumn = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const indent = lastColumn + narrowest <= style.width ? lastColumn : 4;
  const draw = (cells: readonly string[]) => {
    const row = cells.map((cell, column) => style.pad(cell, widths[column] ?? 0)).join("  ");
    return style.indent(row.trimEnd(), indent);
  };
  return `${[style.color.dim(draw(headings)), ...rows.map(draw)].join("\n")}\n`;
}
