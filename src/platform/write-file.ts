// Writes files: whole or not at all, and never through a link that leads out of the repository. A pull request can put a
// link or a FIFO in the place of a file that a pipeline or a flag names.
import { basename, dirname, join } from "node:path";
import { codeOf, Failure } from "../failure.ts";
import type { Files, System } from "./context.ts";
import { createLinkCheck } from "./repository.ts";

interface WriteDeps {
  readonly files: Files;
  readonly system: Pick<System, "random">;
}

/**
 * Writes all of `content`. On a full disk, one call of writeSync can write a part without an error; the next call then
 * throws. `onWritten` gets the number of bytes written so far.
 */
export function writeAll(
  files: Pick<Files, "writeSync">,
  descriptor: number,
  content: Uint8Array | string,
  onWritten?: (count: number) => void,
): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let written = 0; written < bytes.length; ) {
    written += files.writeSync(descriptor, bytes, written);
    onWritten?.(written);
  }
}

/** Replaces or creates `file`. Throws where it is something else than a regular file. A link stays a link. An existing file keeps its mode, unless `mode` is for it as well. */
export function replaceFile(
  { files, system: { random } }: WriteDeps,
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
    } finally {
      files.closeSync(descriptor);
    }
    files.renameSync(temporary, target);
  } catch (error) {
    files.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Replaces or creates the file atomically. Throws a `Failure` "usage", or the error of the system. */
export function replaceNamedFile(deps: WriteDeps, path: string, text: string): void {
  checkPlace(deps.files, path);
  replaceFile(deps, path, text, 0o644);
}

/** Writes a new file, and never replaces one. `path` is absolute; `file` is the name for messages. Throws a `Failure` "usage", also where the file exists. */
export function writeNewFile(files: Files, path: string, file: string, text: string): void {
  if (createLinkCheck(files)(path)) throw leadsOut(file, "choose another folder; nothing was written");
  writeOrFail(file, "check that the folder exists and can be written", () => {
    let descriptor: number | undefined;
    try {
      descriptor = files.openSync(path, "wx", 0o644);
      writeAll(files, descriptor, text);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      throw new Failure("usage", `${file} already exists`, {
        hint: "choose another name; the file is unchanged",
      });
    } finally {
      if (descriptor !== undefined) files.closeSync(descriptor);
    }
  });
}

/** Does `write`. Throws a `Failure` "usage" for an error of the system. */
export function writeOrFail(file: string, hint: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new Failure("usage", `${file} could not be written (${code})`, { hint, cause: error });
  }
}

function checkPlace(files: Files, path: string): void {
  const stat = files.statSync(path, { throwIfNoEntry: false });
  // Writing through a link to a missing file would create that file, wherever it is.
  const isDangling = stat === undefined && files.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isDangling || createLinkCheck(files)(path))
    throw leadsOut(path, "remove the link; the file that it points to is unchanged");
  if (stat !== undefined && !stat.isFile()) throw notRegular(path);
}

function leadsOut(file: string, hint: string): Failure {
  return new Failure("usage", `${file} leads out of the repository by a symbolic link`, { hint });
}

function notRegular(path: string): Failure {
  return new Failure("usage", `${path} is not a regular file`, { hint: "name a regular file, or a new one" });
}
