// Lays out the help at any width: rows of a term and its summary, examples below their comments, and notes.
import type { CommandSpec } from "../../kit/define-command.ts";
import { wrapCommand, wrapText } from "../../view/terminal/wrap.ts";

export type TermRow = readonly [term: string, summary: string];

/** A summary that would be narrower than this moves below its term. */
const narrowestSummary = 24;

const measure = (text: string) => text.length;

export function wrap(text: string, columns: number, indent = 0): string[] {
  const [first = "", ...others] = wrapText(text, { width: columns, indent, measure });
  // The wrapped line keeps one of the two spaces that separate the entries of a list.
  return [first, ...others.map((line) => " ".repeat(indent) + line.trimStart())];
}

/** Draws terms and their summaries in two columns, wrapped at the width; on a narrow screen, one below the other. */
export function renderRows(rows: readonly TermRow[], columns: number): string {
  const termWidth = Math.max(...rows.map(([term]) => term.length));
  return rows.map((row) => renderRow(row, termWidth, columns)).join("\n");
}

export function renderRow([term, summary]: TermRow, termWidth: number, columns: number): string {
  const indent = termWidth + 4;
  if (summary === "") return `  ${term}`;
  if (columns - indent >= narrowestSummary)
    return wrap(`  ${term.padEnd(termWidth)}  ${summary}`, columns, indent).join("\n");
  const below = wrap(summary, columns - 6).map((line) => `      ${line}`);
  return [...wrap(`  ${term}`, columns, 4), ...below].join("\n");
}

/** Draws a command to copy. A long one goes on after a backslash. */
export function renderCommand(command: string, columns: number): string {
  return wrapCommand(command, columns, 2).join("\n");
}

export function renderExamples(examples: CommandSpec["examples"], columns: number): string {
  return Object.entries(examples)
    .map(([command, summary]) => {
      const comment = wrap(summary, columns - 4).map((line) => `  # ${line}`);
      return [...comment, renderCommand(command, columns)].join("\n");
    })
    .join("\n\n");
}

/**
 * The notes of a command: paragraphs, items of lists (`- …`), rows of two columns, and code, which is indented, or
 * stands between two lines "~~~" where a reader copies it as it is.
 */
type NoteBlock =
  | { readonly kind: "paragraph" | "item"; readonly text: string }
  | { readonly kind: "code"; readonly lines: string[] }
  /** A row of two columns. `width` is that of the first one, with the gap after it. */
  | { readonly kind: "row"; readonly term: string; readonly summary: string; readonly width: number }
  | { readonly kind: "blank" };

function parseNotes(text: string): readonly NoteBlock[] {
  const blocks: NoteBlock[] = [];
  let isFenced = false;
  let isOpen = false;
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    const isPlain = !isFenced && /^(?!- |~~~$)\S/.test(line);
    const [, start = "", term, summary] = (!isFenced && /^(\s+(\S.*?)\s{2,})(\S.*)$/.exec(line)) || [];
    if (line === "~~~") isFenced = !isFenced;
    else if (isPlain && isOpen && last?.kind === "paragraph")
      blocks.splice(-1, 1, { kind: "paragraph", text: `${last.text} ${line}` });
    else if (isPlain) blocks.push({ kind: "paragraph", text: line });
    else if (term !== undefined && summary !== undefined)
      blocks.push({ kind: "row", term, summary, width: start.length });
    else if (!isFenced && line.startsWith("- ")) blocks.push({ kind: "item", text: line.slice(2) });
    else if (!isFenced && line === "") blocks.push({ kind: "blank" });
    else if (last?.kind === "code") last.lines.push(line);
    else blocks.push({ kind: "code", lines: [line] });
    isOpen = isPlain && !line.endsWith(":");
  }
  return blocks;
}

export function reflow(text: string, columns: number): string {
  return parseNotes(text)
    .flatMap((block) => renderBlock(block, columns))
    .join("\n");
}

function renderBlock(block: NoteBlock, columns: number): readonly string[] {
  switch (block.kind) {
    case "blank":
      return [""];
    case "paragraph":
      return wrap(block.text, columns);
    case "item":
      return wrap(`- ${block.text}`, columns, 2);
    case "row":
      return [renderRow([block.term, block.summary], block.width - 4, columns)];
    case "code":
      return block.lines.map((line) => (line.length <= columns ? line : renderCommand(line.trim(), columns)));
  }
}
