// Draws the explanation of a diagnostic code.
import type { Explanation } from "../incident/explanations.ts";
import type { Style } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

type ExplainedCode = Explanation & { readonly code: string };

/** The maximum length of a line in an example; longer lines are cut. */
const maxLineLength = 72;

const source = ' ("spec" is the specification of the API)';

export function renderExplanation(style: Style, explained: ExplainedCode): string {
  const example = (label: string, text: string) => [
    "",
    `  ${style.color.bold(label)}`,
    ...text.split("\n").map((line) => `    ${style.line(cut(line))}`),
  ];
  const lines = [
    style.indent(`${style.color.bold(explained.code)}: ${style.line(explained.title)}`, 2),
    "",
    style.block(explained.meaning, 2),
    ...example("wrong", explained.wrong),
    ...example("right", explained.right),
    "",
    style.block(`based on: ${explained.basis}${/\bspec \d/.test(explained.basis) ? source : ""}`, 2),
  ];
  return `${lines.join("\n")}\n`;
}

export function renderCodes(style: Style, codes: readonly ExplainedCode[]): string {
  const rows = codes.map(({ code, title }) => [style.line(code), style.line(title)]);
  return renderTable(style, ["CODE", "MEANING"], rows);
}

function cut(line: string): string {
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength - 1)}…` : line;
}
