// Replaces a file atomically: after any failure the old or the new content is there, complete.
import { basename, dirname, join } from "node:path";
import type { Files, System } from "./context.ts";
import { readRegularFile } from "./regular-file.ts";
import { writeAll } from "./write-all.ts";

/** Replaces or creates `file`. Throws where it is something else than a regular file. A link stays a link. An existing file keeps its mode, unless `mode` is for it as well. */
export function replaceFile(
  { files, system: { random } }: { readonly files: Files; readonly system: Pick<System, "random"> },
  file: string,
  content: Uint8Array | string,
  mode: number,
  { keepsMode = true } = {},
): void {
  const stat = files.statSync(file, { throwIfNoEntry: false });
  // A link can lead to a device: as root, the rename would put a file in its place.
  if (stat !== undefined && !stat.isFile())
    throw Object.assign(new Error(`${file} is not a regular file`), { code: "not a regular file" });
  const target = stat === undefined ? file : files.realpathSync(file);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}-${random.guid()}.tmp`);
  const descriptor = files.openSync(temporary, "wx", mode);
  try {
    try {
      if (stat !== undefined && keepsMode) files.fchmodSync(descriptor, stat.mode & 0o7777);
      writeAll(files, descriptor, content);
      files.fsyncSync(descriptor);
      checkContent(files, temporary, content);
    } finally {
      files.closeSync(descriptor);
    }
    files.renameSync(temporary, target);
  } catch (error) {
    files.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Reads the new file back before it replaces the old one: a full disk can take fewer bytes than it reports. */
function checkContent(files: Files, file: string, content: Uint8Array | string): void {
  const expected = Buffer.from(content);
  const read = readRegularFile(files, file, expected.length);
  if (read !== undefined && expected.equals(read.bytes)) return;
  throw Object.assign(new Error(`${file} does not have the content that was written`), { code: "EIO" });
}
