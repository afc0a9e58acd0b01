// Draws tables, with columns that align for characters of any width.
import { joinSafe, type SafePart, type SafeText, safe, spaces } from "../../platform/terminal/safe-text.ts";
import type { Style } from "./style.ts";

/** The minimum width of the last column for wrapping inside the column, in cells. */
const minLastColumn = 20;

/**
 * Draws columns under headings; nothing without rows. In a terminal that is too narrow, each row breaks between its
 * cells, and the headings, which would align with nothing, are left out.
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
  const lastColumn = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const fits = !style.isTerminal || lastColumn + Math.min(minLastColumn, widths.at(-1) ?? 0) <= style.width;
  const draw = (cells: readonly SafeText[]) => {
    if (!fits) {
      const filled = cells.filter((cell) => cell !== "");
      return flow(style, filled, safe`  `, 0);
    }
    const row = cells.map((cell, column) => style.pad(cell, widths[column] ?? 0));
    return style.indent(joinSafe(row, "  ").trimEnd(), lastColumn);
  };
  const heads = fits ? [style.color.dim(draw(headings.map((heading) => safe`${heading}`)))] : [];
  return safe`${joinSafe([...heads, ...rows.map(draw)])}
`;
}

/**
 * Puts as many parts on each line as fit, the first at `indent` and further lines at 4. A line breaks inside a part only
 * if the part is wider than the terminal.
 */
export function flow(
  style: Style,
  parts: readonly SafeText[],
  separator: SafeText,
  indent: number,
): SafeText {
  const lines: SafeText[] = [];
  for (const part of parts) {
    const line = lines.at(-1);
    const longer = line && safe`${line}${separator}${part}`;
    if (longer !== undefined && style.measure(longer) <= style.width) lines[lines.length - 1] = longer;
    else lines.push(safe`${spaces(line === undefined ? indent : 4)}${part}`);
  }
  return joinSafe(lines.map((line) => style.indent(line, 4)));
}
