// Writes files: whole or not at all, and never through a link that leads out of the repository. A pull request can put a
// link or a FIFO in the place of a file that a pipeline or a flag names.
import { basename, dirname, join, resolve } from "node:path";
import { callSystem, Failure } from "../failure.ts";
import { shell } from "../text/advice.ts";
import type { Files, System } from "./context.ts";
import { makeFolders } from "./folders.ts";
import { createLinkCheck } from "./repository.ts";

interface WriteDeps {
  readonly files: Files;
  readonly system: Pick<System, "random">;
}

/** Makes a file, and removes it where its content cannot be written. `isDurable`: the content is on the disk. */
export function writeNewFile(
  files: Files,
  file: string,
  content: Uint8Array | string,
  mode: number,
  { isDurable = true } = {},
): void {
  const bytes = Buffer.from(content);
  const descriptor = files.openSync(file, "wx", mode);
  try {
    // On a full disk, one call can write a part without an error; the next call then throws.
    for (let written = 0; written < bytes.length; ) written += files.writeSync(descriptor, bytes, written);
    if (isDurable) files.fsyncSync(descriptor);
    // It can also take fewer bytes than it reports.
    if (files.fstatSync(descriptor).size !== bytes.length) throw new Error("the file came out short");
  } catch (error) {
    files.rmSync(file, { force: true });
    throw error;
  } finally {
    files.closeSync(descriptor);
  }
}

/**
 * Replaces or creates `file`. Throws where it is something else than a regular file. A link stays a link, and a file keeps its
 * mode. `isPrivate`: only this user can read it, and the folders above it are made. `isDurable`: the content is on the disk
 * before it has the name.
 */
export function replaceFile(
  { files, system: { random } }: WriteDeps,
  file: string,
  content: Uint8Array | string,
  { isPrivate = false, isDurable = true } = {},
): void {
  if (isPrivate) makeFolders(files, dirname(file));
  const stat = files.statSync(file, { throwIfNoEntry: false });
  // A link can lead to a device: as root, the rename would put a file in its place.
  if (stat !== undefined && !stat.isFile())
    throw Object.assign(new Error(`${file} is not a regular file`), { code: "not a regular file" });
  const target = stat === undefined ? file : files.realpathSync(file);
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}-${random.guid()}.tmp`);
  // The mode is set before the first byte is written, so that no other user can read a private file.
  const mode = stat === undefined ? 0o644 : stat.mode & 0o7777;
  writeNewFile(files, temporary, content, isPrivate ? 0o600 : mode, { isDurable });
  try {
    // The umask may have taken bits of it.
    if (stat !== undefined && !isPrivate) files.chmodSync(temporary, mode);
    files.renameSync(temporary, target);
  } catch (error) {
    files.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes a file that a person or a project names, from the working directory. Throws a `Failure` "usage". */
export function writeNamedFile(
  { files, system }: WriteDeps & { readonly system: Pick<System, "cwd"> },
  file: string,
  content: Uint8Array | string,
  { isNew = false } = {},
): void {
  const path = resolve(system.cwd, file);
  const refuse = (problem: string, hint: string) => new Failure("usage", `${file} ${problem}`, { hint });
  const stat = files.statSync(path, { throwIfNoEntry: false });
  const isThere = files.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isNew && isThere) throw refuse("already exists", "choose another name; the file is unchanged");
  // The file that a dangling link names can be anywhere.
  if ((stat === undefined && isThere) || createLinkCheck(files)(path))
    throw refuse("leads out of the repository by a symbolic link", "remove the link; nothing was written");
  if (stat !== undefined && !stat.isFile())
    throw refuse("is not a regular file", "name a regular file, or a new one");
  const hint = `check that its folder exists (${shell`mkdir -p ${dirname(path)}`}) and can be written, and has space; nothing was changed`;
  callSystem(`${file} could not be written`, hint, () => replaceFile({ files, system }, path, content));
}
