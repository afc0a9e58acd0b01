// Draws tables, with columns that align for characters of any width.
import { joinSafe, type SafePart, type SafeText, safe, spaces } from "../../platform/terminal/safe-text.ts";
import type { Style } from "./style.ts";

/** The minimum width of the last column for wrapping inside the column, in cells. */
const minLastColumn = 20;

/**
 * Draws columns under headings; nothing without rows. In a narrow terminal, each row breaks before the same columns and
 * goes on below, indented. With `isText`, each row breaks where it must, and the headings, which would align with
 * nothing, are left out.
 */
export function renderTable<const H extends string>(
  style: Style,
  headings: readonly SafePart<H>[],
  rows: readonly (readonly SafeText[])[],
  { isText = false } = {},
): SafeText {
  if (rows.length === 0) return safe``;
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, style.measure(row[column] ?? "")), heading.length),
  );
  const lastColumn = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const last = Math.min(minLastColumn, widths.at(-1) ?? 0);
  const fits = !style.isTerminal || lastColumn + last <= style.width;
  const draw = (cells: readonly SafeText[]) => {
    const filled = cells.filter((cell) => cell !== "");
    if (!fits && isText) return flow(style, filled, safe`  `, 0);
    const row = cells.map((cell, column) => style.pad(cell, widths[column] ?? 0));
    if (fits) return style.indent(joinSafe(row, "  ").trimEnd(), lastColumn);
    const lines = breakColumns(widths, style.width).map(({ from, indent, to }) =>
      style.indent(safe`${spaces(indent)}${joinSafe(row.slice(from, to), "  ").trimEnd()}`, 4),
    );
    return joinSafe(lines.filter((line) => line.trim() !== ""));
  };
  const head = headings.map((heading) => safe`${heading}`);
  const heads = fits || !isText ? [style.color.dim(draw(head))] : [];
  return safe`${joinSafe([...heads, ...rows.map(draw)])}\n`;
}

/** The columns of each line of a row, as many as fit: the first line at 0, and further lines at 4. */
function breakColumns(widths: readonly number[], most: number) {
  const lines: { readonly from: number; readonly indent: number; to: number; end: number }[] = [];
  for (const [column, width] of widths.entries()) {
    const line = lines.at(-1);
    if (line !== undefined && line.end + 2 + width <= most) {
      line.to = column + 1;
      line.end += 2 + width;
      continue;
    }
    const indent = line === undefined ? 0 : 4;
    lines.push({ from: column, indent, to: column + 1, end: indent + width });
  }
  return lines;
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
