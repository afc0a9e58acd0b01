// Fixes the errors with exactly one correction, and keeps comments, order and quoting. Parses the fixed text again: it
// must have the same content except for the fixes.
import type { Diagnostic, Location, Position } from "../diagnostic.ts";
import { definitionSchema } from "../incident/schemas.ts";
import { isTemplate } from "../incident/template.ts";
import { checkValue } from "./check.ts";
import { type ParsedText, parseDocuments, type SourceDocument } from "./yaml/read.ts";

export interface Fix {
  readonly file: string;
  /** The number of the line in the original text, from 1. */
  readonly line: number;
  /** The old line; a fix that only inserts lines before it has none. */
  readonly before?: string;
  readonly after: readonly string[];
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly insert: string;
}

/** Converts a location, whose columns are code points, to offsets. */
type ToOffsets = (location: Location) => readonly [number, number];

/** Corrects the letter case of values, and adds an id from `assignId` to each definition without an id. */
export function fixText(original: string, file: string, assignId: (() => string) | undefined) {
  const before = parseDocuments(original, file);
  const problems = before.documents.flatMap(
    ({ locate, value }) => checkValue(definitionSchema, value, locate).diagnostics,
  );
  const text = applyEdits(original, correctionEdits(original, problems));
  const parsed = parseDocuments(text, file);
  const toOffsets = createToOffsets(text);
  const edits =
    assignId === undefined || isTemplate(parsed.documents[0]?.value)
      ? []
      : parsed.documents.flatMap((document) => idEdits(text, document, toOffsets, assignId));
  const fixed = applyEdits(text, edits);
  const isSame = edits.length === 0 || contentOf(parseDocuments(fixed, file)) === contentOf(parsed);
  return isSame
    ? { text: fixed, fixes: describe(original, fixed, edits, file) }
    : { text, fixes: describe(original, text, [], file) };
}

/** The quotes around a value stay. */
function correctionEdits(text: string, diagnostics: readonly Diagnostic[]): readonly Edit[] {
  const toOffsets = createToOffsets(text);
  const edits = diagnostics.flatMap(({ correction, location }): Edit[] => {
    if (correction === undefined) return [];
    const [start, end] = toOffsets(location);
    const [, quote = ""] = /^(["']).*\1$/s.exec(text.slice(start, end)) ?? [];
    return [
      { from: start + quote.length, to: end - quote.length, line: location.start.line, insert: correction },
    ];
  });
  // The check reports an aliased value once for each use; correct it once.
  return [...new Map(edits.map((edit) => [edit.from, edit])).values()].sort((a, b) => a.from - b.from);
}

function idEdits(
  text: string,
  { value, locate }: SourceDocument,
  toOffsets: ToOffsets,
  assignId: () => string,
): Edit[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "id" in value) return [];
  const first = Object.keys(value)[0];
  if (first === undefined) return [];
  const location = locate([first], "key");
  const [from] = toOffsets(location);
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const indentation = text.slice(lineStart, from);
  const name = text[from] === '"' ? '"id"' : "id";
  const id = name === "id" ? assignId() : `"${assignId()}"`;
  const isInBraces = text.slice(0, from).trimEnd().endsWith("{");
  const isBlock = indentation.trim() === "" && !isInBraces;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const insert = isBlock ? `${name}: ${id}${lineEnd}${indentation}` : `${name}: ${id}, `;
  return [{ from, to: from, line: location.start.line, insert }];
}

/** A correction keeps its line; an id may insert one before the line of its edit. */
function describe(original: string, fixed: string, ids: readonly Edit[], file: string): readonly Fix[] {
  const inserted = new Set(ids.filter(({ insert }) => insert.includes("\n")).map(({ line }) => line));
  const after = fixed.split(/\r?\n/);
  let at = 0;
  return original.split(/\r?\n/).flatMap((before, index) => {
    const line = index + 1;
    const added = inserted.has(line) ? [{ file, line, after: [after[at++] ?? ""] }] : [];
    const own = after[at++] ?? "";
    return own === before ? added : [...added, { file, line, before, after: [own] }];
  });
}

/** The content without the ids of definitions, for comparison. */
function contentOf({ documents, count, diagnostics }: ParsedText): string {
  const values = documents.map(({ value }) => ({ ...(value as object), id: undefined }));
  return JSON.stringify([count, diagnostics.length, values]);
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let at = 0;
  const parts = edits.map(({ from, to, insert }) => {
    const part = text.slice(at, from) + insert;
    at = to;
    return part;
  });
  return parts.join("") + text.slice(at);
}

function createToOffsets(text: string): ToOffsets {
  const starts = [0];
  for (const line of text.split("\n")) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const offsetOf = ({ line, column }: Position) => {
    let offset = starts[line - 1] ?? 0;
    for (let at = 1; at < column; at += 1) offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
    return offset;
  };
  return ({ start, end }) => [offsetOf(start), offsetOf(end)];
}
