// A page of the manual in the language of man(7).
import { type NoteBlock, parseNotes, wrap } from "../help/layout.ts";

export interface ManualEdition {
  readonly version: string;
  /** An ISO 8601 date. */
  readonly date: string;
}

export interface ManualPage {
  readonly name: string;
  readonly summary: string;
  readonly synopsis: string;
  /** The notes of each section by its title. An empty section is left out. */
  readonly sections: Readonly<Record<string, string>>;
  readonly seeAlso: readonly string[];
}

/** The longest line of the source, in characters. */
export const width = 78;

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
    ...Object.entries(page.sections).flatMap(([title, notes]) =>
      notes === "" ? [] : [`.SH ${title.toUpperCase()}`, ...parseNotes(notes).flatMap(renderBlock)],
    ),
    ".SH SEE ALSO",
    page.seeAlso.map((name) => `${bold(literal(manName(name)))}(1)`).join(",\n"),
  ].join("\n")}\n`;
}

function renderBlock(block: NoteBlock, index: number, blocks: readonly NoteBlock[]): readonly string[] {
  switch (block.kind) {
    case "blank":
      return blocks[index + 1]?.kind === "paragraph" ? [".PP"] : [];
    case "paragraph":
      return text(prose(block.text));
    case "item":
      return [".IP \\(bu 3", ...text(prose(block.text))];
    case "row":
      return [".TP", bold(literal(block.term)), ...text(prose(block.summary))];
    case "code":
      // A macro for a paragraph may not follow the title of a section.
      return [...(index > 0 ? [".PP"] : []), ...renderCode(block.lines)];
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
