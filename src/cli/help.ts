// The layout of the help at any width, and the page of `incident --help`, which loads nothing else.
import { wrapCommand, wrapText } from "../view/terminal/wrap.ts";
import { rows } from "./registry.ts";

export type TermRow = readonly [term: string, summary: string];

/** A summary that would be narrower than this moves below its term. */
const narrowestSummary = 24;

export function wrap(text: string, columns: number, indent = 0): string[] {
  const [first = "", ...others] = wrapText(text, { width: columns, indent });
  // The wrapped line keeps one of the two spaces that separate the entries of a list.
  return [first, ...others.map((line) => " ".repeat(indent) + line.trimStart())];
}

/** Draws terms and their summaries in two columns, wrapped at the width; on a narrow screen, one below the other. */
export function renderRows(rows: readonly TermRow[], columns: number, narrowestTerm = 0): string {
  const termWidth = Math.max(narrowestTerm, ...rows.map(([term]) => term.length));
  const indent = termWidth + 4;
  const lines = rows.flatMap(([term, summary]) => {
    if (summary === "") return [`  ${term}`];
    if (columns - indent >= narrowestSummary)
      return wrap(`  ${term.padEnd(termWidth)}  ${summary}`, columns, indent);
    const below = wrap(summary, columns - 6).map((line) => `      ${line}`);
    return [...wrap(`  ${term}`, columns, 4), ...below];
  });
  return lines.join("\n");
}

/**
 * Draws notes: paragraphs and items of lists (`- …`) are wrapped; a line that is indented, or stands between two lines
 * "~~~", stays as it is.
 */
export function reflow(text: string, columns: number): string {
  const lines: string[] = [];
  let paragraph = "";
  let isFenced = false;
  const endParagraph = () => {
    if (paragraph !== "") lines.push(...wrap(paragraph, columns, paragraph.startsWith("- ") ? 2 : 0));
    paragraph = "";
  };
  for (const line of text.split("\n")) {
    const isText = !isFenced && /^\S/.test(line) && line !== "~~~";
    const goesOn = isText && paragraph !== "" && !/:$|^- /.test(paragraph) && !line.startsWith("- ");
    if (!goesOn) endParagraph();
    if (isText) paragraph += goesOn ? ` ${line}` : line;
    else if (line === "~~~") isFenced = !isFenced;
    else lines.push(...(line.length <= columns ? [line] : wrapCommand(line.trim(), columns, 2)));
  }
  endParagraph();
  return lines.join("\n");
}

const firstSteps: readonly TermRow[] = [
  ["incident create", "declare an incident: asks, or takes -f FILE"],
  ["incident update ID", "post an update; incident resolve ID ends it"],
  ["incident get ID --watch", "follow an incident as it changes"],
  ["incident apply -f FOLDER", "make sure that the incident of every file exists"],
];

const furtherHelp: readonly TermRow[] = [
  ["incident COMMAND --help", "how a command is used, with examples"],
  ["incident help commands", "every command, one line each"],
  ["incident help options", "the options of every command"],
  ["incident help TOPIC", "exit-codes, environment, files, drills"],
];

/** The page of `incident --help`: one screen that starts with the most frequent tasks. */
export function renderOverview(columns: number): string {
  const themes = [...new Set(rows.map(({ theme }) => theme))].map((theme): TermRow => {
    const words = rows.filter((row) => row.theme === theme).map(({ name }) => name.split(" ")[0]);
    return [theme, [...new Set(words)].join("  ")];
  });
  return [
    "Usage: incident <command> [options]",
    renderRows(firstSteps, columns),
    renderRows(themes, columns),
    renderRows(furtherHelp, columns),
    reflow("To try it without a service: incident sandbox -- sh", columns),
    `${reflow(
      "Lists and updates need a service whose own document describes them: incident doctor says it. Delete an incident in the service's web application.",
      columns,
    )}\n`,
  ].join("\n\n");
}
