// Writes the fixes of `validate --fix`: replaces each fixable file atomically.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context } from "../../platform/context.ts";
import { replaceFile, writeOrFail } from "../../platform/write-file.ts";
import { decodeText } from "../../source/documents.ts";
import { type Fix, fixText } from "../../source/fix.ts";
import type { Source } from "../../source/read-source.ts";

/** Fixes a source where possible, and returns its current content. */
export type Fixer = (source: Source, onFix: (fix: Fix) => void) => Source;

export function createFixer(context: Context, assignIds: boolean | undefined): Fixer {
  const replace = (file: string, bytes: Uint8Array) =>
    writeOrFail(file, unchanged, () => replaceFile(context, resolve(context.system.cwd, file), bytes, 0o644));
  const assignId = assignIds ? context.system.random.guid : undefined;
  return (source, onFix) => {
    if (source.file.startsWith("<")) {
      throw new Failure("usage", "--fix changes files and cannot change stdin", {
        hint: "save it to a file first, or remove --fix",
      });
    }
    const read = decodeText(source);
    if (!("text" in read)) return source;
    const { text, fixes } = fixText(read.text, source.file, assignId);
    if (fixes.length === 0) return source;
    const bytes = encodeLike(source.bytes, text);
    // The next command must be able to read it: ids can make a file too large.
    if ("diagnostic" in decodeText({ file: source.file, bytes })) return source;
    replace(source.file, bytes);
    for (const made of fixes) onFix(made);
    return { file: source.file, bytes };
  };
}

const unchanged = "check the permissions of its folder and the space on its disk; the file is unchanged";

/** Encodes the text, with a byte order mark if the original has one. */
function encodeLike(original: Uint8Array, text: string): Uint8Array {
  const hasMark = original[0] === 0xef && original[1] === 0xbb && original[2] === 0xbf;
  return Buffer.from(hasMark ? `\uFEFF${text}` : text);
}
