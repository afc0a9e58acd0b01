// The code cache: compiled code and its sources in one file, written by earlier runs, because compiling takes longer than
// most commands. The first run of a command only lists the files that it loads, because a disk may be thrown away; the
// second run compiles the list as one script, and keeps its code. The cache is private to the user and optional: a run
// ignores a file that is missing, damaged or of another build.
import type { Stats } from "node:fs";
import { dirname, join } from "node:path";
import { findCacheFolder } from "../src/platform/cache-folder.ts";
import { makeFolders } from "../src/platform/folders.ts";

/** Not imported whole, which would copy every function at each start. */
const fs = process.getBuiltinModule("fs");

/** The build replaces this with a digest of all files, because V8 compares only the length of a source. */
const buildId = "BUILD_ID";

/** Files that an earlier run loaded together, which are compiled as one script. */
export interface Group {
  readonly names: readonly string[];
  /** The code of V8, and its source. Missing until the second run. */
  readonly compiled?: readonly [code: Buffer, source: string] | undefined;
}

/** The cache file of one command; each command uses other functions. Undefined without a suitable folder. */
export function cacheFile(command: string | undefined): string | undefined {
  const folder = findCacheFolder(fs, process);
  const name = /^[a-z-]+$/.test(command ?? "") ? command : "other";
  return folder && join(folder, `node-${process.versions.node}-${process.arch}-${name}.bin`);
}

/** Empty if `file` is missing, damaged, of another build, or open to other users. */
export function readCache(file: string): readonly Group[] {
  try {
    if (!isPrivate(fs.lstatSync(dirname(file)))) return [];
    // Opening a FIFO without O_NONBLOCK waits for its writer. Windows has neither flag.
    const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants;
    const descriptor = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stat = fs.fstatSync(descriptor);
      return stat.isFile() && isPrivate(stat) ? parse(descriptor) : [];
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return [];
  }
}

/** Replaces the file atomically. After a failure the next run compiles again. */
export function writeCache(file: string, groups: readonly Group[]): void {
  const folder = dirname(file);
  const temporary = `${file}.${process.pid}`;
  try {
    makeFolders(fs, folder);
    if (!isPrivate(fs.lstatSync(folder))) return;
    try {
      // V8 would run the code of a file that a power failure cut or emptied. A list of names is ignored then.
      const flush = groups.some(({ compiled }) => compiled !== undefined);
      fs.writeFileSync(temporary, render(groups), { mode: 0o600, flag: "wx", flush });
      fs.renameSync(temporary, file);
    } finally {
      fs.rmSync(temporary, { force: true });
    }
  } catch {
    return;
  }
}

/** Anyone who can write this file can run code as this user. */
function isPrivate(stat: Stats): boolean {
  if (stat.isSymbolicLink()) return false;
  return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
}

/** The length of the index, the index in JSON, and the source and the code of each group, one byte a character. */
function render(groups: readonly Group[]): Buffer {
  const list = groups.map(({ names, compiled = [] }) => [names, ...compiled.map(({ length }) => length)]);
  const index = JSON.stringify({ buildId, list });
  const ofGroups = groups.flatMap(({ compiled: [code = "", source = ""] = [] }) => [source, code]);
  const parts = [index.length.toString().padStart(8), index, ...ofGroups];
  return Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
}

function parse(descriptor: number): readonly Group[] {
  const take = (length: number, memory = Buffer.allocUnsafeSlow(length)) => {
    if (fs.readSync(descriptor, memory, 0, length, null) < length) throw new Error("the file is cut");
    return memory.subarray(0, length);
  };
  const index: { buildId: string; list: [string[], number?, number?][] } = JSON.parse(
    take(Number(take(8))).toString(),
  );
  if (index.buildId !== buildId) return [];
  return index.list.map(([names, code, source]): Group => {
    if (code === undefined || source === undefined) return { names };
    // For speed: the code takes the memory of the source, which has become a string.
    const memory = Buffer.allocUnsafeSlow(Math.max(code, source));
    const text = take(source, memory).toString("latin1");
    return { names, compiled: [take(code, memory), text] };
  });
}
