// Mends what has one right answer, by changing only those characters: comments, order and quoting stay as they
// are. What it writes is read again first, and must say the same but for what was mended.
import type { Diagnostic, Location, Position } from "../diagnostic.ts";
import { definitionSchema, severities, statuses } from "../incident/definition.ts";
import { checkValue } from "./check.ts";
import { parseDocuments, type SourceDocument } from "./documents.ts";
import { lineAt, lineStarts } from "./positions.ts";

/** A line of the file, and what has become of it. */
export interface Fix {
  readonly file: string;
  /** From 1, in the text as it was. */
  readonly line: number;
  /** Absent where it is as it was, and lines were put before it. */
  readonly before?: string;
  readonly after: readonly string[];
}

export interface Fixed {
  readonly text: string;
  readonly fixes: readonly Fix[];
}

interface Edit {
  /** Offsets into the text. */
  readonly from: number;
  readonly to: number;
  /** The line of `from`, from 1. */
  readonly line: number;
  readonly insert: string;
}

/** The offsets of a place, whose columns are code points. */
type Offsets = (location: Location) => readonly [number, number];

/**
 * `text` with the letter case of severities and statuses mended, and with an id from `assignId` in each definition
 * that has none.
 */
export function fixText(text: string, file: string, assignId: (() => string) | undefined): Fixed {
  const { documents } = parseDocuments(text, file);
  const offsets = createOffsets(text);
  const found = documents.flatMap((document) => [
    ...caseEdits(text, document, offsets),
    ...(assignId === undefined ? [] : idEdits(text, document, offsets, assignId)),
  ]);
  // What an alias repeats is found wherever it is used, and mended once.
  const edits = [...new Map(found.map((edit) => [edit.from, edit])).values()].sort((a, b) => a.from - b.from);
  const mended = applyAll(text, edits);
  if (saying(mended, file) !== saying(text, file)) return { text, fixes: [] };
  return { text: mended, fixes: describe(text, file, edits) };
}

/** Values that are right but for their letter case. */
function caseEdits(text: string, { value, locate }: SourceDocument, offsets: Offsets): Edit[] {
  const { diagnostics } = checkValue(definitionSchema, value, locate);
  return diagnostics.flatMap(({ code, location }: Diagnostic) => {
    const allowed = code === "unknown-severity" ? severities : code === "unknown-status" ? statuses : [];
    const [start, end] = offsets(location);
    const written = text.slice(start, end);
    const [, quote = "", word = ""] = /^(["']?)(\w+)\1$/.exec(written) ?? [];
    const right = allowed.find((candidate) => candidate.toLowerCase() === word.toLowerCase());
    const from = start + quote.length;
    return right === undefined
      ? []
      : [{ from, to: from + word.length, line: location.start.line, insert: right }];
  });
}

/** An id before the first field of a definition that has none. */
function idEdits(
  text: string,
  { value, locate }: SourceDocument,
  offsets: Offsets,
  assignId: () => string,
): Edit[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "id" in value) return [];
  const first = Object.keys(value)[0];
  if (first === undefined) return [];
  const place = locate([first], "key");
  const [from] = offsets(place);
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const indentation = text.slice(lineStart, from);
  const name = text[from] === '"' ? '"id"' : "id";
  const id = name === "id" ? assignId() : `"${assignId()}"`;
  const isBlock = indentation.trim() === "" && !isInBraces(text, from);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const insert = isBlock ? `${name}: ${id}${lineEnd}${indentation}` : `${name}: ${id}, `;
  return [{ from, to: from, line: place.start.line, insert }];
}

/** Whether the last thing before `offset`, but for spaces and line ends, is an opening brace. */
function isInBraces(text: string, offset: number): boolean {
  return text.slice(0, offset).trimEnd().endsWith("{");
}

/** What a text says, but for letter case and the ids of its definitions. */
function saying(text: string, file: string): string {
  const { documents, count, diagnostics } = parseDocuments(text, file);
  const values = documents.map(({ value }) => ({ ...(value as object), id: undefined }));
  const plain = (_: string, part: unknown) => (typeof part === "bigint" ? String(part) : part);
  return JSON.stringify([count, diagnostics.length, values], plain).toLowerCase();
}

function applyAll(text: string, edits: readonly Edit[]): string {
  let at = 0;
  const parts = edits.map(({ from, to, insert }) => {
    const part = text.slice(at, from) + insert;
    at = to;
    return part;
  });
  return parts.join("") + text.slice(at);
}

/** Each line that the edits change, once. */
function describe(text: string, file: string, edits: readonly Edit[]): Fix[] {
  const lines = new Map(edits.map(({ line, from }) => [line, from]));
  return [...lines].map(([line, offset]) => {
    const start = text.lastIndexOf("\n", offset - 1) + 1;
    const before = lineAt(text, start);
    const own = edits.filter((edit) => edit.line === line);
    const moved = own.map((edit) => ({ ...edit, from: edit.from - start, to: edit.to - start }));
    const after = applyAll(before, moved).split(/\r?\n/);
    return after.length > 1 && after.at(-1) === before
      ? { file, line, after: after.slice(0, -1) }
      : { file, line, before, after };
  });
}

function createOffsets(text: string): Offsets {
  const starts = lineStarts(text);
  const offsetOf = ({ line, column }: Position) => {
    let offset = starts[line - 1] ?? 0;
    for (let at = 1; at < column; at += 1) offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
    return offset;
  };
  return ({ start, end }) => [offsetOf(start), offsetOf(end)];
}
