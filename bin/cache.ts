// The code cache: compiled code and its sources in one file, written by an earlier run. Compiling takes longer than
// most commands, and opening fifty files takes longer than opening one. The cache is private to the user and optional:
// a run ignores a file that is missing, damaged or of another build.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** The build replaces this with a digest of all files, because V8 compares only the length of a source. */
const buildId = "BUILD_ID";

/** The cache's entry for one file. */
export interface Compiled {
  /** The source that V8 compiled, one byte a character, so that a run opens no file but the cache. */
  readonly source: Buffer;
  readonly code: Buffer;
}

/** By the names of the files. */
export type CompiledFiles = ReadonlyMap<string, Compiled>;

/** V8 copies code that does not start at a multiple of this, in bytes. */
const alignment = 8;

/** The size of one comparison, in bytes. Reused memory is faster than new memory. */
const pieceLength = 64 * 1024;

/** The cache file of one command; each command uses other functions. Undefined without a suitable folder. */
export function cacheFile(command: string | undefined): string | undefined {
  const base = ownFolder();
  // A file in a repository can come from anyone who can propose a change to it.
  if (base === undefined || isInRepository(base)) return undefined;
  const name = /^[a-z-]+$/.test(command ?? "") ? command : "other";
  return join(base, "incident-cli", `node-${process.versions.node}-${process.arch}-${name}.bin`);
}

function ownFolder(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  const base = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && join(HOME, ".cache"));
  return base && isAbsolute(base) ? base : undefined;
}

function isInRepository(folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, ".git")) || (above !== folder && isInRepository(above));
}

/** Empty if `file` is missing, damaged, of another build, or open to other users. */
export function readCache(file: string): CompiledFiles {
  try {
    if (!isPrivate(lstatSync(dirname(file)))) return new Map();
    // Opening a FIFO would wait for a writer.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(descriptor);
      const bytes = stat.isFile() && isPrivate(stat) ? readVerified(descriptor, stat.size) : undefined;
      return bytes === undefined ? new Map() : parse(bytes);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return new Map();
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
export function writeCache(file: string, compiled: CompiledFiles): void {
  const folder = dirname(file);
  const temporary = `${file}.${process.pid}`;
  try {
    makeFolder(folder);
    if (!isPrivate(lstatSync(folder))) return;
    try {
      writeFileSync(temporary, render(compiled), { mode: 0o600, flag: "wx" });
      renameSync(temporary, file);
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch {
    return;
  }
}

/** Creates nothing in another user's home, as with sudo: the user could not replace files that root creates there. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  if (isOwn(statSync(above))) mkdirSync(folder, { mode: 0o700 });
}

function isOwn(stat: Stats): boolean {
  return process.getuid === undefined || stat.uid === process.getuid();
}

/** Anyone who can write this file can run code as this user. */
function isPrivate(stat: Stats): boolean {
  return isOwn(stat) && !stat.isSymbolicLink() && (process.getuid === undefined || (stat.mode & 0o077) === 0);
}

/** A length, an index and each file, all of it twice, because V8 would run damaged code. */
function render(compiled: CompiledFiles): Buffer {
  const files = [...compiled].map(([name, { source, code }]) => [name, source.length, code.length] as const);
  const index = Buffer.from(JSON.stringify({ buildId, files }));
  const length = Buffer.alloc(alignment);
  length.writeUInt32LE(index.length);
  const parts = [...compiled.values()].flatMap(({ source, code }) => [source, code]);
  const half = Buffer.concat([length, index, ...parts].map(aligned));
  return Buffer.concat([half, half]);
}

function parse(bytes: Buffer): CompiledFiles {
  const compiled = new Map<string, Compiled>();
  const indexLength = bytes.readUInt32LE(0);
  const index = JSON.parse(bytes.toString("utf8", alignment, alignment + indexLength));
  if (index.buildId !== buildId) return compiled;
  let at = alignment + alignedLength(indexLength);
  const take = (length: number) => {
    const part = bytes.subarray(at, at + length);
    at += alignedLength(length);
    return part;
  };
  for (const [name, sourceLength, codeLength] of index.files) {
    compiled.set(name, { source: take(sourceLength), code: take(codeLength) });
  }
  return compiled;
}

function aligned(bytes: Buffer): Buffer {
  return Buffer.concat([bytes], alignedLength(bytes.length));
}

function alignedLength(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}
