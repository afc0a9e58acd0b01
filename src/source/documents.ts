// Decodes a file, and parses every document of it.
import { type Diagnostic, type DiagnosticCode, type DiagnosticMessage, errorAt } from "../diagnostic.ts";
import { decodeUtf8 } from "../untrusted-data.ts";
import { createLocateSpan } from "./positions.ts";
import { maxFileSize, type Source } from "./read-source.ts";
import { type ParsedText, parseDocuments } from "./yaml/read.ts";

/** Decodes a file, and parses every document of it. Never throws. */
export function parseSource(source: Source): ParsedText {
  const decoded = decodeText(source);
  if ("text" in decoded) return parseDocuments(decoded.text, source.file);
  return { text: "", documents: [], diagnostics: [decoded.diagnostic] };
}

/** Whether the first document of a file makes the file a template, also where its variables are missing or misspelled. */
export function isTemplate(value: unknown): boolean {
  const has = (name: string) => Object.hasOwn(Object(value), name);
  return has("variables") || (["vars", "when", "dedupKey"].some(has) && !has("name"));
}

/** The text without its byte order mark. */
export function decodeText({
  file,
  bytes,
  unread,
}: Source): { readonly text: string } | { readonly diagnostic: Diagnostic } {
  if (unread !== undefined)
    return { diagnostic: diagnosticAt("unreadable", { message: unread, hint: unreadHint }, "", file, 0) };
  if (bytes.length > maxFileSize) {
    return { diagnostic: diagnosticAt("file-too-large", tooLarge, "", file, 0) };
  }
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text };
  // Each invalid byte becomes a replacement character.
  const replaced = new TextDecoder().decode(bytes);
  const offset = replaced.indexOf("\uFFFD");
  return { diagnostic: diagnosticAt("not-utf8", notUtf8, replaced, file, offset) };
}

export function diagnosticAt(
  code: DiagnosticCode,
  message: DiagnosticMessage,
  text: string,
  file: string,
  offset: number,
): Diagnostic {
  return errorAt(code, message, createLocateSpan(text, file)(offset, offset));
}

const unreadHint = "repair it, or take it out of the folder";

const tooLarge: DiagnosticMessage = {
  message: `this file is larger than 1 MiB (${maxFileSize} bytes)`,
  hint: "split it into several files",
};

const notUtf8: DiagnosticMessage = {
  message: "this file is not UTF-8 from here on",
  hint: 'save it as "UTF-8" in your editor',
};
