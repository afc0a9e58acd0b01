// Draws tables, with columns that align for characters of any width.
import type { Style } from "./style.ts";

/** The minimum width of the last column for wrapping inside the column, in cells. */
const minLastColumn = 20;

/** Columns under headings; the caller escapes the cells. In a narrow terminal, rows continue below, indented. */
export function renderTable(style: Style, headings: readonly string[], rows: readonly string[][]): string {
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, style.measure(row[column] ?? "")), heading.length),
  );
  const lastColumn = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const indent = lastColumn + minLastColumn <= style.width ? lastColumn : 4;
  const draw = (cells: readonly string[]) => {
    const row = cells.map((cell, column) => style.pad(cell, widths[column] ?? 0)).join("  ");
    return style.indent(row.trimEnd(), indent);
  };
  return `${[style.color.dim(draw(headings)), ...rows.map(draw)].join("\n")}\n`;
}
