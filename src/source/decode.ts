// Decodes the bytes of a file as UTF-8, or returns the diagnostic: too large, or not UTF-8. Every YAML file is
// decoded here.

import type { Diagnostic, DiagnosticCode, DiagnosticMessage } from "../diagnostic.ts";
import { decodeUtf8 } from "../own-value.ts";
import { createLocateSpan } from "./positions.ts";
import { maxFileSize, type Source } from "./read-source.ts";

/** The text without its byte order mark. */
export function decodeText({
  file,
  bytes,
}: Source): { readonly text: string } | { readonly diagnostic: Diagnostic } {
  if (bytes.length > maxFileSize) {
    return { diagnostic: diagnosticAt("file-too-large", tooLarge, "", file, 0) };
  }
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text };
  const { replaced, offset } = firstInvalidByte(bytes);
  return { diagnostic: diagnosticAt("not-utf8", notUtf8(bytes), replaced, file, offset) };
}

export function diagnosticAt(
  code: DiagnosticCode,
  message: DiagnosticMessage,
  text: string,
  file: string,
  offset: number,
): Diagnostic {
  return { code, level: "error", ...message, location: createLocateSpan(text, file)(offset, offset) };
}

/** The text with replacement characters, and the offset of the first invalid byte in it. */
function firstInvalidByte(bytes: Uint8Array): { readonly replaced: string; readonly offset: number } {
  const decoder = new TextDecoder("utf-8");
  // Encoding the decoded text restores every byte before the first invalid one.
  const encoded = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const difference = encoded.findIndex((byte, index) => byte !== bytes[index]);
  const before = decoder.decode(bytes.subarray(0, difference)).replace(/\uFFFD$/, "");
  return { replaced: decoder.decode(bytes), offset: before.length };
}

const tooLarge: DiagnosticMessage = {
  message: `this file is larger than 1 MiB (${maxFileSize} bytes)`,
  hint: "split it into several files",
};

function notUtf8(bytes: Uint8Array): DiagnosticMessage {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const isUtf16 = mark === 0xfffe || mark === 0xfeff;
  return {
    message: isUtf16 ? "this file is encoded as UTF-16, not UTF-8" : "this file is not UTF-8 from here on",
    hint: 'save it as "UTF-8" in your editor',
  };
}
