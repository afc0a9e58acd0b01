// Fixes the errors with exactly one correction, and keeps comments, order and quoting. The fixed text is parsed again, and refused
// where anything else has changed.

import { definitionSchema } from "../incident/schemas.ts";
import { findOversize } from "../incident/values.ts";
import { parseValue } from "../rules/messages.ts";
import { isMapping } from "../untrusted-data.ts";
import { correctionOf } from "./check.ts";
import { lineStart } from "./positions.ts";
import type { Source } from "./read-source.ts";
import { isTemplate, type ParsedText, parseSource, type SourceDocument } from "./yaml/read.ts";

/** `line`: its number in the original text, from 1. `written`: the text that stands there now. */
export type Fix = ReturnType<typeof fixSource>["fixes"][number];

/** Corrects letter case, and adds an id from `assignId` where a definition has none. Returns the source itself if nothing is fixed. */
export function fixSource(source: Source, assignId: (() => string) | undefined) {
  const { bytes, file } = source;
  const parsed = parseSource(source);
  const { documents, text } = parsed;
  const assign = isTemplate(parsed) ? undefined : assignId;
  const found = documents.flatMap((each) => [...correctionEdits(text, each), ...idEdits(text, each, assign)]);
  // An aliased value has a violation for each use; correct it once.
  const once = [...new Map(found.map((edit) => [edit.from, edit])).values()];
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const edits = once.sort((one, other) => one.from - other.from);
  const parts = edits.map(({ insert, to }, at) => insert + text.slice(to, edits[at + 1]?.from));
  const written = text.slice(0, edits[0]?.from) + parts.join("");
  const fixed = { file, bytes: Buffer.from((hasMark ? "\uFEFF" : "") + written) };
  const fixes = edits.map(({ insert, line }) => ({ file, line, written: insert.trim() }));
  const isFixed = edits.length > 0 && contentOf(parseSource(fixed)) === contentOf(parsed);
  return isFixed ? { source: fixed, fixes } : { source, fixes: [] };
}

/** The quotes around a value stay. A value on several lines gets no correction. */
function correctionEdits(text: string, { locate, spanOf, value }: SourceDocument) {
  return parseValue(definitionSchema(), value).violations.flatMap((violation) => {
    const insert = correctionOf(violation);
    const { start, end } = locate(violation.path);
    if (insert === undefined || start.line !== end.line) return [];
    const [from, to] = spanOf(violation.path);
    const [, { length } = ""] = /^(["']).*\1$/s.exec(text.slice(from, to)) ?? [];
    return [{ line: start.line, from: from + length, to: to - length, insert }];
  });
}

function idEdits(text: string, { locate, spanOf, value }: SourceDocument, assignId?: () => string) {
  if (assignId === undefined || !isMapping(value) || "id" in value) return [];
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
  return [{ line: locate([first], "key").start.line, from, to: from, insert }];
}

/** The content without the parts that a fix changes: the ids of definitions, letter case and spaces. */
function contentOf({ documents, diagnostics }: ParsedText): string {
  const values = documents
    .filter(({ value }) => findOversize(value) === undefined)
    .map(({ value }) => ({ ...(value as object), id: undefined }));
  return JSON.stringify([diagnostics.length, values]).toUpperCase().replace(/\s/g, "");
}
