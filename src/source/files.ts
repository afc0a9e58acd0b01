// Finds and reads input files: files, directories, globs and stdin. Rejects anything but a regular file, and limits the
// size, so that a FIFO, a device or a huge file never blocks the tool or fills the memory.
import { constants } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../failure.ts";
import type { Files, Io, System } from "../platform/context.ts";
import { createLinkCheck } from "../platform/repository.ts";
import { countBelow, definitionName } from "./folders.ts";
import { exists, expandGlob, isGlob, isVisibleFolder } from "./glob.ts";

/** The maximum size of a file in bytes: 1 MiB. */
export const maxFileSize = 1024 * 1024;

export interface Source {
  /** The file's name as given, or `<stdin>`. */
  readonly file: string;
  /** The content; for a larger file, its first `maxFileSize` + 1 bytes. */
  readonly bytes: Uint8Array;
}

/** The groups of the context that reading a file takes. */
export interface FileDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd">;
}

/** The groups of the context that reading files and stdin takes. */
export interface SourceDeps extends FileDeps {
  readonly io: Pick<Io, "stdin">;
}

/** The files that match the patterns, found but not yet read. */
export interface Sources {
  readonly count: number;
  /** The number of definition files in the sub-folders of the folders, without `recurse`. Counts to a thousand. */
  readonly leftOut: number;
  /**
   * Reads one file after the other, so that only one is in memory. Throws a usage `Failure` at the end that names
   * every unreadable file.
   */
  read(): Iterable<Source>;
}

/** Reads all files that match the patterns. Throws like `Sources.read`. */
export async function readSources(
  deps: SourceDeps,
  patterns: readonly string[],
  options: { readonly recurse: boolean },
): Promise<readonly Source[]> {
  return [...(await findSources(deps, patterns, options)).read()];
}

/**
 * Finds the files that match the patterns, each file once, in the order of the patterns and sorted within a directory
 * or glob. Throws a usage `Failure` that names every missing or unreadable file.
 */
export async function findSources(
  deps: SourceDeps,
  patterns: readonly string[],
  options: { readonly recurse: boolean },
): Promise<Sources> {
  const { files } = deps;
  const [{ cwd }, { stdin }] = [deps.system, deps.io];
  const errors: string[] = [];
  let leftOut = 0;
  const leavesRepository = createLinkCheck(files);
  /** By absolute path, the file's name as given, or the content of stdin. */
  const found = new Map<string, string | Source>();
  /** The paths that the folder lists as regular files. */
  const regular = new Set<string>();

  async function readStdin(): Promise<void> {
    if (found.has("-")) return;
    if (stdin.isTerminal) errors.push("- reads stdin, and stdin is the terminal");
    else found.set("-", { file: "<stdin>", bytes: await stdin.read(maxFileSize) });
  }

  function findPath(file: string): void {
    const path = resolve(cwd, file);
    try {
      if (leavesRepository(path)) errors.push(outsideMessage(file));
      else if (files.statSync(path).isDirectory()) {
        if (findInFolder(file) === 0) errors.push(emptyDirectory(file, options.recurse));
      } else if (!found.has(path)) found.set(path, file);
    } catch (error) {
      errors.push(unreadable(file, error));
    }
  }

  /** Adds the definition files of a folder and returns their number. */
  function findInFolder(directory: string): number {
    const folder = resolve(cwd, directory);
    const entries = files.readdirSync(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    let count = 0;
    for (const entry of entries) {
      const file = join(directory, entry.name);
      // Skips a directory behind a symbolic link: the link could lead back here.
      if (entry.isDirectory()) {
        if (!isVisibleFolder(entry.name)) continue;
        if (options.recurse) count += findInFolder(file);
        else leftOut += countBelow(files, join(folder, entry.name));
      } else if (definitionName.test(entry.name)) {
        const path = join(folder, entry.name);
        if (entry.isSymbolicLink() && leavesRepository(path)) errors.push(outsideMessage(file));
        else {
          count += 1;
          if (!found.has(path)) found.set(path, file);
          if (entry.isFile()) regular.add(path);
        }
      }
    }
    return count;
  }

  function* read(): Iterable<Source> {
    const readBounded = createReader(files);
    for (const [path, entry] of found) {
      if (typeof entry !== "string") yield entry;
      else {
        const bytes = readFile(readBounded, path, entry);
        if (bytes !== undefined) yield { file: entry, bytes };
      }
    }
    if (errors.length > 0) throw unreadableFailure(errors);
  }

  function readFile(readBounded: ReadBounded, path: string, file: string): Uint8Array | undefined {
    try {
      const bytes = readBounded(path, regular.has(path));
      if (bytes === undefined) errors.push(`${file} is not a regular file`);
      return bytes;
    } catch (error) {
      errors.push(unreadable(file, error));
      return undefined;
    }
  }

  for (const pattern of patterns) {
    if (pattern === "-") await readStdin();
    else if (isGlob(pattern) && !exists(files, resolve(cwd, pattern))) {
      const matches = expandGlob(files, cwd, pattern);
      if (matches.length === 0) errors.push(`no file matches ${pattern}`);
      for (const match of matches) findPath(match);
    } else findPath(pattern);
  }
  // Reading adds the unreadable files to the same failure.
  if (errors.length > 0) for (const _ of read());
  return { count: found.size, leftOut, read };
}

/** Reads one file, such as the project file. Throws a usage `Failure`. */
export function readSource({ files, system }: FileDeps, file: string): Source {
  const path = resolve(system.cwd, file);
  if (createLinkCheck(files)(path)) throw unreadableFailure([outsideMessage(file)]);
  let error = `${file} is not a regular file`;
  try {
    const bytes = createReader(files)(path);
    if (bytes !== undefined) return { file, bytes };
  } catch (cause) {
    error = unreadable(file, cause);
  }
  throw unreadableFailure([error]);
}

/** The content of a file; `undefined` unless it is a regular file. `isRegular` skips that check. */
type ReadBounded = (path: string, isRegular?: boolean) => Uint8Array | undefined;

/** Creates the function that reads files, all into one buffer. */
function createReader(files: Files): ReadBounded {
  const buffer = new Uint8Array(maxFileSize + 1);
  return (path, isRegular = false) => {
    if (!isRegular && !files.statSync(path).isFile()) return undefined;
    // The path may have changed since: check again, without waiting for the writer of a FIFO.
    const descriptor = files.openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!isRegular && !files.fstatSync(descriptor).isFile()) return undefined;
      let length = 0;
      for (;;) {
        const read = files.readSync(descriptor, buffer, length, buffer.length - length, null);
        length += read;
        if (read === 0 || length === buffer.length) return buffer.slice(0, length);
      }
    } finally {
      files.closeSync(descriptor);
    }
  };
}

function outsideMessage(file: string): string {
  return `${file} leads out of the repository by a symbolic link`;
}

function emptyDirectory(directory: string, recurse: boolean): string {
  const where = recurse ? "in or below it" : "directly in it";
  return `${directory} has no .yaml, .yml or .json file ${where}`;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["EACCES", "cannot be read: permission denied"],
  ["EPERM", "cannot be read: permission denied"],
  ["ELOOP", "is a symbolic link that leads to itself"],
  ["ENXIO", "is not a regular file"],
]);

/** The message for a system error. Throws any other error again: it is a bug. */
function unreadable(file: string, error: unknown): string {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
  return `${file} ${reasons.get(error.code) ?? `cannot be read (${error.code})`}`;
}

function unreadableFailure(errors: readonly string[]): Failure {
  const message = errors.length === 1 ? `${errors[0]}` : `nothing was read: ${errors.join("; ")}`;
  const hint = errors.every((error) => error.startsWith("- reads stdin"))
    ? "pipe a definition into the command, or name a file instead of -"
    : "check the name; a definition is a regular file, a directory, or - for stdin";
  return new Failure("usage", message, { hint });
}
