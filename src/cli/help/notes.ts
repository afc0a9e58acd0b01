// Parses the notes of a command: paragraphs, items of lists (`- …`), rows of two columns, and code, which is
// indented, or stands between two lines "~~~" where a reader copies it as it is.

export type NoteBlock =
  | { readonly kind: "paragraph" | "item" | "code"; readonly text: string }
  /** A row of two columns. `width` is that of the first one, with the gap after it. */
  | { readonly kind: "row"; readonly term: string; readonly summary: string; readonly width: number }
  | { readonly kind: "blank" };

export function parseNotes(text: string): readonly NoteBlock[] {
  const blocks: NoteBlock[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", text: paragraph.join(" ") });
    paragraph = [];
  };
  let isFenced = false;
  for (const line of text.split("\n")) {
    if (line === "~~~") {
      endParagraph();
      isFenced = !isFenced;
      continue;
    }
    if (isFenced) {
      blocks.push({ kind: "code", text: line });
      continue;
    }
    const isPlain = /^(?!- )\S/.test(line);
    if (!isPlain) endParagraph();
    const [, start = "", term, summary] = /^(\s+(\S.*?)\s{2,})(\S.*)$/.exec(line) ?? [];
    if (isPlain) paragraph.push(line);
    else if (term !== undefined && summary !== undefined)
      blocks.push({ kind: "row", term, summary, width: start.length });
    else if (line.startsWith("- ")) blocks.push({ kind: "item", text: line.slice(2) });
    else blocks.push(line === "" ? { kind: "blank" } : { kind: "code", text: line });
    if (isPlain && line.endsWith(":")) endParagraph();
  }
  endParagraph();
  return blocks;
}
