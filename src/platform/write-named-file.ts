// Writes a file that a pipeline or a flag names. Everyone who can open a pull request can put a link or a FIFO in its
// place: it must not change a file outside of the checkout, and it must not block.
import { Failure } from "../failure.ts";
import { codeOf } from "../thrown-value.ts";
import type { Files, System } from "./context.ts";
import { replaceFile } from "./replace-file.ts";
import { createLinkCheck } from "./repository.ts";
import { writeAll, writeNew } from "./write-all.ts";

interface WriteDeps {
  readonly files: Files;
  readonly system: Pick<System, "random">;
}

/** Replaces or creates the file atomically. Throws a `Failure` "usage", or the error of the system. */
export function replaceNamedFile(deps: WriteDeps, path: string, text: string): void {
  checkPlace(deps.files, path);
  replaceFile(deps, path, text, 0o644);
}

/** Appends to the file, or creates it. Throws a `Failure` "usage", or the error of the system. */
export function appendToNamedFile({ files }: Pick<WriteDeps, "files">, path: string, text: string): void {
  checkPlace(files, path);
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = files.constants;
  const descriptor = files.openSync(path, O_APPEND | O_CREAT | O_WRONLY | (O_NONBLOCK ?? 0), 0o644);
  try {
    // The path may have changed since it was checked.
    if (!files.fstatSync(descriptor).isFile()) throw notRegular(path);
    writeAll(files, descriptor, text);
  } finally {
    files.closeSync(descriptor);
  }
}

/** Writes a new file, and never replaces one. `path` is absolute; `file` is the name for messages. Throws a `Failure` "usage", also where the file exists. */
export function writeNewFile(files: Files, path: string, file: string, text: string, mode = 0o644): void {
  if (createLinkCheck(files)(path)) throw leadsOut(file, "choose another folder; nothing was written");
  writeOrFail(file, "check the folder and its permissions", () => {
    try {
      writeNew(files, path, text, mode);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      throw new Failure("usage", `${file} already exists`, {
        hint: "choose another name; the file is unchanged",
      });
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
  const leads = createLinkCheck(files);
  if (leads(path) || isDanglingLink(files, path))
    throw leadsOut(path, "remove the link; the file that it points to is unchanged");
  const stat = files.statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) throw notRegular(path);
}

/** Whether the path is a link to a missing file: writing would create that file, wherever it is. */
function isDanglingLink(files: Files, path: string): boolean {
  if (files.statSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  return files.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function leadsOut(file: string, hint: string): Failure {
  return new Failure("usage", `${file} leads out of the repository by a symbolic link`, { hint });
}

function notRegular(path: string): Failure {
  return new Failure("usage", `${path} is not a regular file`, { hint: "name a regular file, or a new one" });
}
