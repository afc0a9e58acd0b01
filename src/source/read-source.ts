// Finds and reads input files: files, folders and stdin. Rejects anything but a regular file, and limits the size, so that
// a FIFO, a device or a huge file never blocks the tool or fills the memory.
import { join, resolve } from "node:path";
import { codeOf, Failure, tryTo } from "../failure.ts";
import type { Files, Io, System } from "../platform/context.ts";
import { readRegularFile } from "../platform/regular-file.ts";
import { createLinkCheck } from "../platform/repository.ts";

/** In bytes. */
export const maxFileSize = 1024 * 1024;

export interface Source {
  readonly file: string;
  /** The content; for a larger file, its first `maxFileSize` + 1 bytes. */
  readonly bytes: Uint8Array;
  /** Why the file cannot be read. */
  readonly unread?: string;
}

export interface FileDeps {
  readonly files: Files;
  readonly system: Pick<System, "cwd">;
}

type SourceDeps = FileDeps & { readonly io: Pick<Io, "stdin"> };

/** Reads one file, or stdin for `-`, and at most one byte more than `limit`. Throws a usage `Failure`. */
export async function readSourceOrStdin(deps: SourceDeps, file: string, limit = maxFileSize) {
  return file === "-" ? readStdin(deps.io, limit) : readSource(deps, file, limit);
}

export function readSource({ files, system }: FileDeps, file: string, limit = maxFileSize): Source {
  const path = resolve(system.cwd, file);
  if (createLinkCheck(files)(path)) throw unreadableFailure([outsideMessage(file)]);
  const source = readFile(files, path, file, limit);
  if (source.unread !== undefined) throw unreadableFailure([source.unread]);
  return source;
}

async function readStdin({ stdin }: SourceDeps["io"], limit = maxFileSize): Promise<Source> {
  if (stdin.isTerminal) throw unreadableFailure(["- reads stdin, and stdin is the terminal"]);
  return { file: "<stdin>", bytes: await stdin.read(limit) };
}

/** `file` is the name in messages. */
function readFile(files: Files, path: string, file: string, limit = maxFileSize): Source {
  const refused = (unread: string): Source => ({ file, bytes: new Uint8Array(), unread });
  try {
    const bytes = readRegularFile(files, path, limit)?.bytes;
    return bytes === undefined ? refused(`${file} is not a regular file`) : { file, bytes };
  } catch (error) {
    return refused(unreadable(file, error));
  }
}

function outsideMessage(file: string): string {
  return `${file} leads out of the repository by a symbolic link`;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["EACCES", "cannot be read: permission denied"],
  ["EPERM", "cannot be read: permission denied"],
  ["ELOOP", "is a symbolic link that leads to itself"],
]);

/** The message for a system error. Throws any other error again: it is a bug. */
export function unreadable(file: string, error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return `${file} ${reasons.get(code) ?? `cannot be read (${code})`}`;
}

function unreadableFailure(errors: readonly string[]): Failure {
  const message = errors.length === 1 ? `${errors[0]}` : `nothing was read: ${errors.join("; ")}`;
  const [, hint = ""] = hints.find(([pattern]) => pattern.test(message)) ?? [];
  return new Failure("usage", message, { hint });
}

const hints = [
  [/^- reads stdin/, "pipe text into the command, or name a file instead of -"],
  [/[*?]/, "only a shell expands a pattern: leave out the quotes, or name the folder (-R: with sub-folders)"],
  [/(?:^| )[–—]/, 'begin a flag with the "-" of the keyboard: a chat or a document writes another one'],
  [/:\/\//, "an address is not read: write - in its place, and pipe the file, as in curl URL | incident …"],
  [/^(?!nothing was).* has no \./, "name another folder; incident new FILE starts a definition"],
  [/^[^./]+ [^./]+ does/, "check the name: a file, a folder, or - for stdin; a headline follows --name"],
  [/^/, "check the name: a file, a folder, or - for stdin"],
] as const;

/** Finds the named files, each once, and those of a folder sorted. Throws a usage `Failure` that names every missing file. */
export async function findSources(deps: SourceDeps, named: readonly string[], recurse = false) {
  const { files } = deps;
  const { cwd } = deps.system;
  const errors: string[] = [];
  /** Without `recurse`, the sub-folders with definition files. */
  const leftOut: string[] = [];
  const leavesRepository = createLinkCheck(files);
  const place = recurse ? "in or below it" : "directly in it, and -R looks into sub-folders as well";
  const stdin = named.includes("-") ? await readStdin(deps.io) : undefined;
  const fileOfPath = new Map<string, string>();
  const add = (path: string, file: string) => fileOfPath.set(path, fileOfPath.get(path) ?? file);

  function findPath(file: string): void {
    const path = file === "-" ? file : resolve(cwd, file);
    try {
      if (file === "-") add(path, file);
      else if (leavesRepository(path)) errors.push(outsideMessage(file));
      else if (!files.statSync(path).isDirectory()) add(path, file);
      else if (findInFolder(file) === 0) errors.push(`${file} has no .yaml, .yml or .json file ${place}`);
    } catch (error) {
      errors.push(unreadable(file, error));
    }
  }

  function findInFolder(directory: string): number {
    const folder = resolve(cwd, directory);
    const entries = files.readdirSync(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    // Joined once for the folder: `join` takes long for thousands of files.
    const [prefix, pathPrefix] = [directory, folder].map((each) => join(each, "_").slice(0, -1));
    let count = 0;
    for (const entry of entries) {
      const [file, path] = [`${prefix}${entry.name}`, `${pathPrefix}${entry.name}`];
      // Skips a directory behind a symbolic link: the link could lead back here.
      if (entry.isDirectory()) {
        if (/^\.|^node_modules$/.test(entry.name)) continue;
        if (recurse) count += findInFolder(file);
        else if (hasDefinition(files, path)) leftOut.push(file);
      } else if (definitionName.test(entry.name)) {
        if (entry.isSymbolicLink() && leavesRepository(path)) errors.push(outsideMessage(file));
        else {
          count += 1;
          add(path, file);
        }
      }
    }
    return count;
  }

  /** One file after the other, so that only one is in memory. */
  function* read(): Iterable<Source> {
    for (const [path, file] of fileOfPath) yield (path === "-" && stdin) || readFile(files, path, file);
  }

  for (const name of named) findPath(name);
  if (errors.length > 0) throw unreadableFailure(errors);
  return { includesStdin: fileOfPath.has("-"), leftOut, read };
}

/** The names of definition files in a folder. Excludes the schema files that editors use. */
const definitionName = /^[^.].*(?<!\.(?:schema|contract))\.(?:ya?ml|json)$/is;

/** Whether a folder has a definition file directly in it; false for one that cannot be read. */
function hasDefinition(files: Files, folder: string): boolean {
  const entries = tryTo(() => files.readdirSync(folder, { withFileTypes: true }));
  return entries?.some(({ name }) => definitionName.test(name)) ?? false;
}
