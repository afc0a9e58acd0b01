// A file's bytes to its text, or to the reason why they are none: too many, or not UTF-8. Everything that is
// written as YAML comes through here.
import type { Diagnostic, DiagnosticCode } from "../diagnostic.ts";
import { largestFile, type Source } from "./files.ts";
import { createPlaces } from "./positions.ts";
import type { Wording } from "./text-errors.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The text without its byte order mark. */
export function readText({
  file,
  bytes,
}: Source): { readonly text: string } | { readonly refused: Diagnostic } {
  if (bytes.length > largestFile) return { refused: refuse("file-too-large", tooLarge, "", file, 0) };
  const text = decode(bytes);
  if (text !== undefined) return { text };
  const { lenient, offset } = firstFlaw(bytes);
  return { refused: refuse("not-utf8", notUtf8(bytes), lenient, file, offset) };
}

/** What is wrong with a text as a whole, from `offset` on. */
export function refuse(
  code: DiagnosticCode,
  wording: Wording,
  text: string,
  file: string,
  offset: number,
): Diagnostic {
  return { code, level: "error", ...wording, location: createPlaces(text, file)(offset, offset) };
}

/** The text of UTF-8 bytes without their byte order mark, or `undefined` where they are no UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Where bytes stop being UTF-8: encoding what could be read gives the same bytes up to there. */
function firstFlaw(bytes: Uint8Array): { readonly lenient: string; readonly offset: number } {
  const decoder = new TextDecoder("utf-8");
  const encoded = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const difference = encoded.findIndex((byte, index) => byte !== bytes[index]);
  const before = decoder.decode(bytes.subarray(0, difference)).replace(/\uFFFD$/, "");
  return { lenient: decoder.decode(bytes), offset: before.length };
}

const tooLarge: Wording = {
  message: `this file is larger than 1 MiB (${largestFile} bytes)`,
  hint: "split it: several documents can stand in several files",
};

function notUtf8(bytes: Uint8Array): Wording {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const isUtf16 = mark === 0xfffe || mark === 0xfeff;
  return {
    message: isUtf16 ? "this file is encoded as UTF-16, not UTF-8" : "this file is not UTF-8 from here on",
    hint: 'save it as "UTF-8" in your editor',
  };
}
