// The code cache: compiled code that an earlier run left behind with its sources, since compiling takes longer than
// most commands, and opening fifty files longer than one.
// It is this user's alone, never needed, and passed over wherever it does not fit.
import {
  closeSync,
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

/** Replaced by a digest of all files when they are built: V8 itself compares no more of a source than its length. */
const buildId = "BUILD_ID";

/** What is kept of one file. */
export interface Compiled {
  /** As V8 compiled it. One byte is one character, so that no file needs to be opened but the cache. */
  readonly source: Buffer;
  readonly code: Buffer;
}

/** By the names of the files. */
export type CompiledFiles = ReadonlyMap<string, Compiled>;

/** V8 copies what does not start at a multiple of this, in bytes. */
const alignment = 8;

/** How much is compared at a time, in bytes: memory that is used again is faster than memory that is new. */
const pieceLength = 64 * 1024;

/** Where the code of one command is kept; commands differ in the functions they use. Undefined: there is no place. */
export function cacheFile(command: string | undefined): string | undefined {
  const base = ownFolder();
  // What lies in a repository may come from whoever can propose a change to it.
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

/** What is kept in `file`; nothing where it is missing, damaged, of another build, or open to other users. */
export function readCache(file: string): CompiledFiles {
  try {
    if (!isPrivate(lstatSync(dirname(file)))) return new Map();
    const descriptor = openSync(file, "r");
    try {
      const stat = fstatSync(descriptor);
      const bytes = isPrivate(stat) ? readSound(descriptor, stat.size) : undefined;
      return bytes === undefined ? new Map() : parse(bytes);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return new Map();
  }
}

/** What a file holds twice; undefined where the second time it is another. */
function readSound(descriptor: number, length: number): Buffer | undefined {
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

/** Puts a whole new file in the place of the old one. Where that cannot be, the next run compiles again. */
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

/** Nothing is made in the home of another user, as with sudo: what root leaves there, the user could not replace. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  if (isOwn(statSync(above))) mkdirSync(folder, { mode: 0o700 });
}

function isOwn(stat: Stats): boolean {
  return process.getuid === undefined || stat.uid === process.getuid();
}

/** Whoever could write what is run here could act as this user. */
function isPrivate(stat: Stats): boolean {
  return isOwn(stat) && !stat.isSymbolicLink() && (process.getuid === undefined || (stat.mode & 0o077) === 0);
}

/** A length, an index and each file; and all of it once more, since V8 would run damaged code. */
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
