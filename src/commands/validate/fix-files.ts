// The writing half of `validate --fix`: gives each file that can be mended its new text, in one step.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context } from "../../platform/context.ts";
import { replaceFile } from "../../platform/replace-file.ts";
import type { Source } from "../../source/files.ts";
import type { Fix } from "../../source/fix.ts";

/** Mends a source where it can, and gives it as it now is. */
export type Fixer = (source: Source, tell: (fix: Fix) => void) => Source;

export async function createFixer(
  context: Context,
  { fix = false, assignIds = false }: { readonly fix?: boolean; readonly assignIds?: boolean },
): Promise<Fixer> {
  if (assignIds && !fix) {
    throw new Failure("usage", "--assign-ids changes files, which only --fix does", {
      hint: "write --fix --assign-ids",
    });
  }
  if (!fix) return (source) => source;
  const { fixText } = await import("../../source/fix.ts");
  const { decodeText } = await import("../../source/decode.ts");
  const assignId = assignIds ? context.random.guid : undefined;
  return (source, tell) => {
    if (source.file.startsWith("<")) {
      throw new Failure("usage", "--fix writes to files, and stdin is none", {
        hint: "save it to a file first, or leave --fix out",
      });
    }
    const read = decodeText(source);
    if (!("text" in read)) return source;
    const { text, fixes } = fixText(read.text, source.file, assignId);
    if (fixes.length === 0) return source;
    const bytes = withMark(text, source.bytes);
    write(context, source.file, bytes);
    for (const made of fixes) tell(made);
    return { file: source.file, bytes };
  };
}

/** The text as bytes, with the byte order mark that it had. */
function withMark(text: string, before: Uint8Array): Uint8Array {
  return Buffer.from(before[0] === 0xef && before[1] === 0xbb && before[2] === 0xbf ? `\uFEFF${text}` : text);
}

function write(context: Context, file: string, bytes: Uint8Array): void {
  try {
    replaceFile(context, resolve(context.cwd, file), bytes, 0o644);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new Failure("usage", `${file} could not be written (${error.code})`, {
      hint: "check the permissions of its folder and the space on its disk; it is as it was",
      cause: error,
    });
  }
}
