// Finds and reads the files that a person names: files, directories, globs and stdin. It hides what kinds of
// things a path can be, so that a FIFO, a device or a huge file never makes the tool wait or grow.
import { constants } from "node:fs";
import { join, resolve } from "node:path";
import { Failure } from "../failure.ts";
import type { Context, Files } from "../platform/context.ts";
import { createLinkCheck } from "../platform/repository.ts";
import { exists, expandGlob, isGlob, isVisibleFolder } from "./glob.ts";

/** The most bytes that a file may have: 1 MiB. */
export const largestFile = 1024 * 1024;

/** What a folder's files are called that hold definitions. The schema that editors want beside them is none. */
const definitionName = /^[^.].*(?<!\.schema)\.(?:ya?ml|json)$/i;

export interface Source {
  /** The file's name as the person gave it, or `<stdin>`. */
  readonly file: string;
  /** Its bytes; `largestFile` + 1 of them where it has more than it may. */
  readonly bytes: Uint8Array;
}

/** The files that patterns name, found but not yet read. */
export interface Sources {
  readonly count: number;
  /**
   * Reads one file after the other, so that however many there are, one is in memory. Throws a usage Failure at
   * its end that names every file that cannot be read.
   */
  read(): Iterable<Source>;
}

/** Reads everything that the patterns name. Throws as `Sources.read` does. */
export async function readSources(
  context: Pick<Context, "files" | "cwd" | "stdin">,
  patterns: readonly string[],
  options: { readonly recurse: boolean },
): Promise<readonly Source[]> {
  return [...(await findSources(context, patterns, options)).read()];
}

/**
 * Finds what the patterns name, each file once, in the order of the patterns and sorted within a directory or
 * glob. Throws a usage Failure that names everything that is not there or cannot be read.
 */
export async function findSources(
  context: Pick<Context, "files" | "cwd" | "stdin">,
  patterns: readonly string[],
  options: { readonly recurse: boolean },
): Promise<Sources> {
  const { files, cwd, stdin } = context;
  const problems: string[] = [];
  const leadsOut = createLinkCheck({ files: context.files, system: context });
  /** By absolute path, the name as the person gave it, or what stdin held. */
  const found = new Map<string, string | Source>();
  /** Those that their folder says are regular files. */
  const regular = new Set<string>();

  async function readStdin(): Promise<void> {
    if (found.has("-")) return;
    if (stdin.isTerminal) problems.push("- reads stdin, and stdin is the terminal");
    else found.set("-", { file: "<stdin>", bytes: await stdin.read(largestFile) });
  }

  function findPath(file: string): void {
    const path = resolve(cwd, file);
    try {
      if (leadsOut(path)) problems.push(outside(file));
      else if (files.statSync(path).isDirectory()) {
        if (findIn(file) === 0) problems.push(emptyDirectory(file, options.recurse));
      } else if (!found.has(path)) found.set(path, file);
    } catch (error) {
      problems.push(unreadable(file, error));
    }
  }

  /** Takes up the definitions of a folder, and says how many there are. */
  function findIn(directory: string): number {
    const folder = resolve(cwd, directory);
    const entries = files.readdirSync(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    let count = 0;
    for (const entry of entries) {
      const file = join(directory, entry.name);
      // A directory behind a symbolic link is not entered: it could lead back here.
      if (entry.isDirectory()) count += options.recurse && isVisibleFolder(entry.name) ? findIn(file) : 0;
      else if (definitionName.test(entry.name)) {
        const path = join(folder, entry.name);
        if (entry.isSymbolicLink() && leadsOut(path)) problems.push(outside(file));
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
    if (problems.length > 0) throw unreadableFailure(problems);
  }

  function readFile(readBounded: ReadBounded, path: string, file: string): Uint8Array | undefined {
    try {
      const bytes = readBounded(path, regular.has(path));
      if (bytes === undefined) problems.push(`${file} is not a regular file`);
      return bytes;
    } catch (error) {
      problems.push(unreadable(file, error));
      return undefined;
    }
  }

  for (const pattern of patterns) {
    if (pattern === "-") await readStdin();
    else if (isGlob(pattern) && !exists(files, resolve(cwd, pattern))) {
      const matches = expandGlob(files, cwd, pattern);
      if (matches.length === 0) problems.push(`no file matches ${pattern}`);
      for (const match of matches) findPath(match);
    } else findPath(pattern);
  }
  // Whatever else cannot be read is told in the same breath.
  if (problems.length > 0) for (const _ of read());
  return { count: found.size, read };
}

/** Reads one file that stands by itself, such as a project's. Throws a usage Failure. */
export function readSource(context: Pick<Context, "files" | "cwd">, file: string): Source {
  const path = resolve(context.cwd, file);
  if (createLinkCheck({ files: context.files, system: context })(path))
    throw unreadableFailure([outside(file)]);
  let problem = `${file} is not a regular file`;
  try {
    const bytes = createReader(context.files)(path);
    if (bytes !== undefined) return { file, bytes };
  } catch (error) {
    problem = unreadable(file, error);
  }
  throw unreadableFailure([problem]);
}

/** The file's bytes, or `undefined` where it is not a regular file. Of one that is known to be, that is not asked. */
type ReadBounded = (path: string, isRegular?: boolean) => Uint8Array | undefined;

/** One buffer serves every file. */
function createReader(files: Files): ReadBounded {
  const buffer = new Uint8Array(largestFile + 1);
  return (path, isRegular = false) => {
    if (!isRegular && !files.statSync(path).isFile()) return undefined;
    // What stands there may have changed since: without waiting for a FIFO's writer, look again.
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

function outside(file: string): string {
  return `${file} leads out of the repository by a symbolic link`;
}

function emptyDirectory(directory: string, recurse: boolean): string {
  const where = recurse ? "in or below it" : "directly in it";
  return `${directory} has no .yaml, .yml or .json file ${where}`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "cannot be read: permission denied",
  EPERM: "cannot be read: permission denied",
  ELOOP: "is a symbolic link that leads to itself",
  ENXIO: "is not a regular file",
};

/** A system error as a sentence; what is no system error is a fault of ours, and goes on. */
function unreadable(file: string, error: unknown): string {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
  return `${file} ${reasons[error.code] ?? `cannot be read (${error.code})`}`;
}

function unreadableFailure(problems: readonly string[]): Failure {
  const message = problems.length === 1 ? `${problems[0]}` : `nothing was read: ${problems.join("; ")}`;
  const hint = problems.every((problem) => problem.startsWith("- reads stdin"))
    ? "pipe a definition into the command, or name a file instead of -"
    : "check the names; a definition is a regular file, a directory of them, or - for stdin";
  return new Failure("usage", message, { hint });
}
