// Draws tables, with columns that align for characters of any width.
import { joinSafe, type SafePart, type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import type { Style } from "./style.ts";

/** Nothing without rows. A row that is wider than the terminal goes on in further lines. */
export function renderTable<const H extends string>(
  style: Style,
  headings: readonly SafePart<H>[],
  rows: readonly (readonly SafeText[])[],
): SafeText {
  if (rows.length === 0) return safe``;
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, style.measure(row[column] ?? "")), heading.length),
  );
  const fits = (line: string) => !style.isTerminal || style.measure(line) <= style.width;
  const draw = (cells: readonly SafeText[]) => {
    const lines: SafeText[] = [];
    for (const [column, cell] of cells.entries()) {
      const padded = style.pad(cell, widths[column] ?? 0);
      const longer = safe`${lines.at(-1) ?? ""}  ${padded}`;
      if (column === 0) lines.push(padded);
      else if (fits(column === cells.length - 1 ? longer.trimEnd() : longer)) lines.splice(-1, 1, longer);
      else lines.push(safe`  ${padded}`);
    }
    return joinSafe(lines.map((line) => line.trimEnd()).filter((line) => line !== ""));
  };
  const head = style.color.dim(draw(headings.map((heading) => safe`${heading}`)));
  return safe`${joinSafe([head, ...rows.map(draw)])}\n`;
}
