// How a person sees what a code of a diagnostic means.
import type { Explanation } from "../incident/explanations.ts";
import type { Paper } from "./terminal/style.ts";
import { renderTable } from "./terminal/table.ts";

type Explained = Explanation & { readonly code: string };

/** Examples that make their point by their length are cut. */
const longestLine = 72;

const source = ' ("spec" is the specification of the API)';

export function renderExplanation(paper: Paper, explained: Explained): string {
  const example = (label: string, text: string) => [
    "",
    `  ${paper.ink.bold(label)}`,
    ...text.split("\n").map((line) => `    ${paper.line(cut(line))}`),
  ];
  const lines = [
    `${paper.ink.bold(explained.code)}: ${paper.line(explained.title)}`,
    "",
    paper.block(explained.meaning, 2),
    ...example("wrong", explained.wrong),
    ...example("right", explained.right),
    "",
    paper.block(`rests on: ${explained.basis}${/\bspec \d/.test(explained.basis) ? source : ""}`, 2),
  ];
  return `${lines.join("\n")}\n`;
}

export function renderCodes(paper: Paper, codes: readonly Explained[]): string {
  const rows = codes.map(({ code, title }) => [paper.line(code), paper.line(title)]);
  return renderTable(paper, ["CODE", "MEANING"], rows);
}

function cut(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line;
}
