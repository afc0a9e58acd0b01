// Gives a file new content in one step: whatever happens on the way, the old or the new is there, whole.
import { basename, dirname, join } from "node:path";
import type { Context, Files } from "./context.ts";

/** Replaces `file`, or makes it. A link stays a link. `mode` is for a new file; one that is there keeps its own. */
export function replaceFile(
  { files, random }: Pick<Context, "files" | "random">,
  file: string,
  content: Uint8Array | string,
  mode: number,
): void {
  const stat = files.statSync(file, { throwIfNoEntry: false });
  const target = stat === undefined ? file : files.realpathSync(file);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}-${random.guid()}.tmp`);
  const descriptor = files.openSync(temporary, "wx", mode);
  try {
    try {
      if (stat !== undefined) files.fchmodSync(descriptor, stat.mode & 0o7777);
      writeAll(files, descriptor, content);
      files.fsyncSync(descriptor);
    } finally {
      files.closeSync(descriptor);
    }
    files.renameSync(temporary, target);
  } catch (error) {
    files.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes all of it: on a disk that fills up, one call writes a part and says nothing. */
export function writeAll(
  files: Pick<Files, "writeSync">,
  descriptor: number,
  content: Uint8Array | string,
): void {
  const bytes = Buffer.from(content);
  for (let written = 0; written < bytes.length; ) {
    written += files.writeSync(descriptor, bytes, written);
  }
}
