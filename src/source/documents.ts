// Decodes a file, and parses every document of it.
import { type Diagnostic, type DiagnosticCode, type DiagnosticMessage, errorAt } from "../diagnostic.ts";
import { decodeUtf8 } from "../untrusted-data.ts";
import { createLocateSpan } from "./positions.ts";
import { maxFileSize, type Source } from "./read-source.ts";
import { type ParsedText, parseDocuments } from "./yaml/read.ts";

/** Decodes a file, and parses every document of it. The text has no byte order mark. Never throws. */
export function parseSource({ bytes, file, unread }: Source): ParsedText {
  const refused = (found: Diagnostic): ParsedText => ({ text: "", documents: [], diagnostics: [found] });
  if (unread !== undefined)
    return refused(diagnosticAt("unreadable", { message: unread, hint: unreadHint }, file));
  if (bytes.length > maxFileSize) return refused(diagnosticAt("file-too-large", tooLarge, file));
  const text = decodeUtf8(bytes);
  if (text !== undefined && !text.includes("\0")) return parseDocuments(text, file);
  // Each invalid byte becomes a replacement character. UTF-16 without a mark has a zero in each Latin character.
  const replaced = new TextDecoder().decode(bytes);
  return refused(diagnosticAt("not-utf8", notUtf8, file, replaced, replaced.search(/[\uFFFD\0]/)));
}

/** Whether a document of a file makes the file a template, also where its variables are missing or misspelled. */
export function isTemplate({ documents }: Pick<ParsedText, "documents">): boolean {
  return documents.some(({ value }) => {
    const has = (name: string) => Object.hasOwn(Object(value), name);
    return has("variables") || (["vars", "when", "dedupKey"].some(has) && !has("name"));
  });
}

export function diagnosticAt(
  code: DiagnosticCode,
  message: DiagnosticMessage,
  file: string,
  text = "",
  offset = 0,
): Diagnostic {
  return errorAt(code, message, createLocateSpan(text, file)(offset, offset));
}

const unreadHint = "put a file in its place that this user can read, or leave it out; - reads stdin";

const tooLarge: DiagnosticMessage = {
  message: `this file is larger than 1 MiB (${maxFileSize} bytes)`,
  hint: "split it into several files",
};

const notUtf8: DiagnosticMessage = {
  message: "this file is not UTF-8 from here on",
  hint: 'save it as "UTF-8" in your editor',
};
