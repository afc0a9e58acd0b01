// A page of the manual in the language of man(7).
import { type NoteBlock, renderCommand, type TermRow, wrap } from "../help/layout.ts";

export interface ManualEdition {
  readonly version: string;
  /** An ISO 8601 date. */
  readonly date: string;
}

export interface ManualPage {
  readonly name: string;
  readonly summary: string;
  readonly synopsis: string;
  /** The lines of each section by its title. An empty section is left out. */
  readonly sections: Readonly<Record<string, readonly string[]>>;
}

/** The longest line of the source, in characters. */
const width = 78;

/** The name of a page: `incident-journal-list` for `incident journal list`. */
export const manName = (name: string) => name.replaceAll(" ", "-");

export function renderManPage(page: ManualPage, { version, date }: ManualEdition): string {
  const name = manName(page.name);
  return `${[
    `.TH ${name.toUpperCase()} 1 ${date} "incident ${version}" "Manual of incident"`,
    ".SH NAME",
    ...text(`${literal(name)} \\- ${prose(page.summary)}`),
    ".SH SYNOPSIS",
    ".nf",
    line(literal(page.synopsis)),
    ".fi",
    ...Object.entries(page.sections).flatMap(([title, lines]) =>
      lines.length === 0 ? [] : [`.SH ${title.toUpperCase()}`, ...lines],
    ),
  ].join("\n")}\n`;
}

export function renderLinks(pages: readonly string[]): readonly string[] {
  return [pages.map((name) => `${bold(literal(manName(name)))}(1)`).join(",\n")];
}

export function renderExamples(examples: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(examples).flatMap(([command, summary], index) => [
    ...(index > 0 ? [".PP"] : []),
    ...text(prose(`${summary}:`)),
    ".PP",
    ...renderCode([renderCommand(command, width).trimStart()]),
  ]);
}

export function renderRows(rows: readonly TermRow[]): readonly string[] {
  return rows.flatMap(([term, summary]) => [".TP", bold(literal(term)), ...text(prose(summary))]);
}

export function renderNotes(blocks: readonly NoteBlock[]): readonly string[] {
  return blocks.flatMap((block, index) => renderBlock(block, blocks[index + 1]));
}

function renderBlock(block: NoteBlock, next: NoteBlock | undefined): readonly string[] {
  switch (block.kind) {
    case "blank":
      return next?.kind === "paragraph" ? [".PP"] : [];
    case "paragraph":
      return text(prose(block.text));
    case "item":
      return [".IP \\(bu 3", ...text(prose(block.text))];
    case "row":
      return renderRows([[block.term, block.summary]]);
    case "code":
      return [".PP", ...renderCode(block.lines)];
  }
}

function renderCode(lines: readonly string[]): readonly string[] {
  return [
    ".RS 4",
    ".nf",
    ...lines.flatMap((each) => each.split("\n")).map((each) => line(literal(each))),
    ".fi",
    ".RE",
  ];
}

const bold = (escaped: string) => `\\fB${escaped}\\fR`;

/** Writes a dash as `\-`, which can be copied; `-` alone becomes a hyphen. */
const literal = (plain: string) => prose(plain).replaceAll("-", "\\-");

const prose = (plain: string) =>
  plain
    .replaceAll("\\", "\\e")
    .replace(
      /[^\n\x20-\x7e]/gu,
      (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    );

/** Lines of a text: a new one for each sentence, so that the program that draws it finds the ends. */
const text = (escaped: string) =>
  escaped
    .split(/(?<=[.?!:]) (?=[A-Z])/)
    .flatMap((sentence) => wrap(sentence, width))
    .map(line);

/** Escapes `.` and `'` at the start of a line, where they would begin a request. */
const line = (escaped: string) => escaped.replace(/^[.']/, "\\&$&");
