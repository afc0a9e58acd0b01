// Finds and reads input files: files, folders and stdin.
import { join, resolve } from "node:path";
import type { Files } from "../platform/context.ts";
import { createLinkCheck } from "../platform/repository.ts";
import { firstOf } from "../text/lengths.ts";
import {
  outsideMessage,
  readFile,
  readStdin,
  type Source,
  type SourceDeps,
  unreadable,
  unreadableFailure,
} from "./read-source.ts";

export type Sources = Awaited<ReturnType<typeof findSources>>;

/**
 * Finds the files that are named, each file once, in this order and sorted within a folder. Throws a usage `Failure`
 * that names every missing or unreadable file.
 */
export async function findSources(
  deps: SourceDeps,
  named: readonly string[],
  options: { readonly recurse: boolean },
) {
  const { files } = deps;
  const { cwd } = deps.system;
  const errors: string[] = [];
  /** The sub-folders directly below that have definition files, without `recurse`. */
  const leftOut: string[] = [];
  const leavesRepository = createLinkCheck(files);
  const stdin = named.includes("-") ? await readStdin(deps.io) : "";
  /** The files by their absolute paths. */
  const found = new Map<string, { readonly file: string; readonly isNamed: boolean }>();
  const add = (path: string, file: string, isNamed: boolean) => {
    if (!found.has(path)) found.set(path, { file, isNamed });
  };

  function findPath(file: string): void {
    const path = file === "-" ? file : resolve(cwd, file);
    try {
      if (file === "-") add(path, file, true);
      else if (leavesRepository(path)) errors.push(outsideMessage(file));
      else if (!files.statSync(path).isDirectory()) add(path, file, true);
      else {
        const before = leftOut.length;
        if (findInFolder(file) === 0)
          errors.push(emptyDirectory(file, options.recurse, leftOut.slice(before)));
      }
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
        if (!isVisibleFolder(entry.name)) continue;
        if (options.recurse) count += findInFolder(file);
        else if (hasDefinition(files, path)) leftOut.push(file);
      } else if (definitionName.test(entry.name)) {
        if (entry.isSymbolicLink() && leavesRepository(path)) errors.push(outsideMessage(file));
        else {
          count += 1;
          add(path, file, false);
        }
      }
    }
    return count;
  }

  /**
   * Reads one file after the other, so that only one is in memory. Throws a usage `Failure` at the end that names
   * every file that was named and cannot be read; one that stands in a folder hides no other.
   */
  function* read(): Iterable<Source> {
    for (const [path, { file, isNamed }] of found) {
      const source = path === "-" ? stdin : readFile(files, path, file);
      if (typeof source !== "string") yield source;
      else if (isNamed) errors.push(source);
      else yield { file, bytes: new Uint8Array(), unread: source };
    }
    if (errors.length > 0) throw unreadableFailure(errors);
  }

  for (const name of named) findPath(name);
  // Reading adds the unreadable files to the same failure.
  if (errors.length > 0) for (const _ of read());
  // Whether stdin is one of them, which can be read only once.
  return { includesStdin: found.has("-"), leftOut, read };
}

function emptyDirectory(directory: string, recurse: boolean, below: readonly string[]): string {
  if (recurse) return `${directory} has no .yaml, .yml or .json file in or below it`;
  const further = below.length === 0 ? "" : `, but ${firstOf(below)} has; -R looks into sub-folders as well`;
  return `${directory} has no .yaml, .yml or .json file directly in it${further}`;
}

/** The names of definition files in a folder. Excludes the schema files that editors use. */
const definitionName = /^[^.].*(?<!\.(?:schema|contract))\.(?:ya?ml|json)$/i;

/** Whether a folder has a definition file directly in it; false for one that cannot be read. */
function hasDefinition(files: Files, folder: string): boolean {
  try {
    return files.readdirSync(folder, { withFileTypes: true }).some(({ name }) => definitionName.test(name));
  } catch {
    return false;
  }
}

function isVisibleFolder(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}
