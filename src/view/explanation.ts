// Draws the explanation of a diagnostic code.
import type { Explanation } from "../incident/explanations.ts";
import { joinSafe, type SafeText, safe } from "../platform/terminal/safe-text.ts";
import type { Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

type ExplainedCode = Explanation & { readonly code: string };

/** The maximum length of a line in an example; longer lines are cut. */
const maxLineLength = 72;

const source = ' ("spec" is the specification of the API)';

export function renderExplanation(style: Style, explained: ExplainedCode): SafeText {
  const example = (label: "wrong" | "right", text: string) => [
    safe``,
    safe`  ${style.color.bold(label)}`,
    ...text.split("\n").map((line) => safe`    ${style.line(cut(line))}`),
  ];
  const lines = [
    style.indent(safe`${style.color.bold(style.line(explained.code))}: ${style.line(explained.title)}`, 2),
    safe``,
    style.block(explained.meaning, 2),
    ...example("wrong", explained.wrong),
    ...example("right", explained.right),
    safe``,
    style.block(`based on: ${explained.basis}${/\bspec \d/.test(explained.basis) ? source : ""}`, 2),
  ];
  return safe`${joinSafe(lines)}\n`;
}

export function renderCodes(style: Style, codes: readonly ExplainedCode[]): SafeText {
  const rows = codes.map(({ code, title }) => [style.line(code), style.line(title)]);
  return renderTable(style, ["CODE", "MEANING"], rows);
}

function cut(line: string): string {
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength - 1)}…` : line;
}
