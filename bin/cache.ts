// The code cache: compiled code and its sources in one file, written by earlier runs. Compiling takes longer than most
// commands, and opening fifty files takes longer than opening one. The first run of a command only lists the files that
// it loads, because serializing their code takes longer than `validate` and a disk may be thrown away; the second run
// compiles the list as one script, and keeps its code. The cache is private to the user and optional: a run ignores a
// file that is missing, damaged or of another build.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { findCodeCache } from "../src/platform/folders/code-cache.ts";
import { makeFolders } from "../src/platform/folders/make-folders.ts";

/** The build replaces this with a digest of all files, because V8 compares only the length of a source. */
const buildId = "BUILD_ID";

/** Files that an earlier run loaded together, which are compiled as one script. */
export interface Group {
  readonly names: readonly string[];
  /** Missing until the second run. */
  readonly compiled?: Compiled | undefined;
}

export interface Compiled {
  /** The source that V8 compiled, one byte a character, so that a run opens no file but the cache. */
  readonly source: Buffer;
  readonly code: Buffer;
}

/** V8 copies code that does not start at a multiple of this, in bytes. */
const alignment = 8;

/** The size of one comparison, in bytes. Reused memory is faster than new memory. */
const pieceLength = 64 * 1024;

/** The cache file of one command; each command uses other functions. Undefined without a suitable folder. */
export function cacheFile(command: string | undefined): string | undefined {
  const folder = findCodeCache({ lstatSync, realpathSync, statSync }, process);
  const name = /^[a-z-]+$/.test(command ?? "") ? command : "other";
  return folder && join(folder, `node-${process.versions.node}-${process.arch}-${name}.bin`);
}

/** Empty if `file` is missing, damaged, of another build, or open to other users. */
export function readCache(file: string): readonly Group[] {
  try {
    if (!isPrivate(lstatSync(dirname(file)))) return [];
    // Opening a FIFO without O_NONBLOCK waits for its writer. Windows has neither flag.
    const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
    const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stat = fstatSync(descriptor);
      const bytes = stat.isFile() && isPrivate(stat) ? readVerified(descriptor, stat.size) : undefined;
      return bytes === undefined ? [] : parse(bytes);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
}

/** Reads a file that contains its content twice. Undefined if the copies differ. */
function readVerified(descriptor: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(Math.floor(length / 2));
  if (readSync(descriptor, bytes) !== bytes.length) return undefined;
  const piece = Buffer.allocUnsafe(pieceLength);
  for (let at = 0; at < bytes.length; ) {
    const count = readSync(descriptor, piece);
    const again = piece.subarray(0, count);
    if (count === 0 || !again.equals(bytes.subarray(at, at + count))) return undefined;
    at += count;
  }
  return bytes;
}

/** Replaces the file atomically. After a failure the next run compiles again. */
export function writeCache(file: string, groups: readonly Group[]): void {
  const folder = dirname(file);
  const temporary = `${file}.${process.pid}`;
  try {
    makeFolders({ mkdirSync, statSync }, folder, 0o700);
    if (!isPrivate(lstatSync(folder))) return;
    try {
      writeFileSync(temporary, render(groups), { mode: 0o600, flag: "wx" });
      renameSync(temporary, file);
    } finally {
      rmSync(temporary, { force: true });
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

/** A length, an index and each group, all of it twice, because V8 would run damaged code. */
function render(groups: readonly Group[]): Buffer {
  const list = groups.map(({ names, compiled }) => [
    names,
    ...(compiled === undefined ? [] : [compiled.source.length, compiled.code.length]),
  ]);
  const index = Buffer.from(JSON.stringify({ buildId, groups: list }));
  const length = Buffer.alloc(alignment);
  length.writeUInt32LE(index.length);
  const parts = groups.flatMap(({ compiled }) =>
    compiled === undefined ? [] : [compiled.source, compiled.code],
  );
  const half = Buffer.concat([length, index, ...parts].map(aligned));
  return Buffer.concat([half, half]);
}

function parse(bytes: Buffer): readonly Group[] {
  const indexLength = bytes.readUInt32LE(0);
  const index: { buildId: string; groups: [string[], number?, number?][] } = JSON.parse(
    bytes.toString("utf8", alignment, alignment + indexLength),
  );
  if (index.buildId !== buildId) return [];
  let at = alignment + alignedLength(indexLength);
  const take = (length: number) => {
    const part = bytes.subarray(at, at + length);
    at += alignedLength(length);
    return part;
  };
  return index.groups.map(([names, sourceLength, codeLength]) =>
    sourceLength === undefined || codeLength === undefined
      ? { names }
      : { names, compiled: { source: take(sourceLength), code: take(codeLength) } },
  );
}

function aligned(bytes: Buffer): Buffer {
  return Buffer.concat([bytes], alignedLength(bytes.length));
}

function alignedLength(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}
