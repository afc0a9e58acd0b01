// Fixes the errors with exactly one correction, and keeps comments, order and quoting. Parses the fixed text again: it
// must have the same content except for the fixes.
import { definitionSchema } from "../incident/schemas.ts";
import { isTemplate } from "../incident/template.ts";
import { parseValue } from "../rules/violations.ts";
import { correctionOf } from "./check.ts";
import { maxDiagnostics } from "./diagnostic-list.ts";
import { lineStart } from "./positions.ts";
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
  readonly insert: string;
}

/** Corrects the letter case of values, and adds an id from `assignId` to each definition without an id. */
export function fixText(original: string, file: string, assignId: (() => string) | undefined) {
  const before = parseDocuments(original, file);
  const corrections = before.documents.flatMap((document) => correctionEdits(original, document));
  // An aliased value has a violation for each use; correct it once.
  const once = [...new Map(corrections.map((edit) => [edit.from, edit])).values()];
  const text = applyEdits(
    original,
    once.sort((a, b) => a.from - b.from),
  );
  const parsed = parseDocuments(text, file);
  const edits =
    assignId === undefined || isTemplate(parsed.documents[0]?.value)
      ? []
      : parsed.documents.flatMap((document) => idEdits(text, document, assignId));
  const fixed = applyEdits(text, edits);
  const isSame = edits.length === 0 || contentOf(parseDocuments(fixed, file)) === contentOf(parsed);
  if (!isSame) return { text, fixes: describe(original, text, new Set(), file) };
  const inserted = edits.filter(({ insert }) => insert.includes("\n"));
  const lines = new Set(inserted.map(({ from }) => text.slice(0, from).split("\n").length));
  return { text: fixed, fixes: describe(original, fixed, lines, file) };
}

/** The quotes around a value stay. */
function correctionEdits(text: string, { spanOf, value }: SourceDocument): readonly Edit[] {
  return parseValue(definitionSchema(), value, maxDiagnostics).violations.flatMap((violation): Edit[] => {
    const insert = correctionOf(violation);
    if (insert === undefined) return [];
    const [from, to] = spanOf(violation.path);
    const [, { length } = ""] = /^(["']).*\1$/s.exec(text.slice(from, to)) ?? [];
    return [{ from: from + length, to: to - length, insert }];
  });
}

function idEdits(text: string, { spanOf, value }: SourceDocument, assignId: () => string): Edit[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "id" in value) return [];
  const first = Object.keys(value)[0];
  if (first === undefined) return [];
  const [from] = spanOf([first], "key");
  const indentation = text.slice(lineStart(text, from), from);
  const name = text[from] === '"' ? '"id"' : "id";
  const id = name === "id" ? assignId() : `"${assignId()}"`;
  const isInBraces = text.slice(0, from).trimEnd().endsWith("{");
  const isBlock = indentation.trim() === "" && !isInBraces;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const insert = isBlock ? `${name}: ${id}${lineEnd}${indentation}` : `${name}: ${id}, `;
  return [{ from, to: from, insert }];
}

/** A correction keeps its line; an id may insert one before the line of its edit. */
function describe(
  original: string,
  fixed: string,
  inserted: ReadonlySet<number>,
  file: string,
): readonly Fix[] {
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
