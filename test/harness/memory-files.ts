// A file system in memory behind the type of the Context, for tests that need thousands of them: folders, files, hard
// links, descriptors, and the errors of Linux.

import type * as fs from "node:fs";
import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Files } from "../../src/platform/context.ts";

interface Inode {
  readonly number: number;
  readonly isFolder: boolean;
  mode: number;
  mtimeMs: number;
  links: number;
  /** Replaced by each write, and never changed. */
  bytes: Buffer;
  entries: Map<string, Inode>;
  /** What a power failure leaves. */
  durable: { readonly bytes: Buffer; readonly entries: ReadonlyMap<string, Inode> };
}

interface Descriptor {
  readonly inode: Inode;
  readonly flags: number;
  position: number;
}

const { O_ACCMODE, O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_TRUNC } = { O_ACCMODE: 3, ...constants };

const flagsByName: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  w: constants.O_WRONLY | O_CREAT | O_TRUNC,
  wx: constants.O_WRONLY | O_CREAT | O_EXCL,
  a: constants.O_WRONLY | O_CREAT | O_APPEND,
};

function fail(code: string, call: string, path?: string): never {
  const place = path === undefined ? "" : ` '${path}'`;
  // No code reads the stack, which takes a twelfth of the time of a test that looks for many files.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: ${call}${place}`), { code });
  Error.stackTraceLimit = stackTraceLimit;
  throw error;
}

type Path = Parameters<Files["openSync"]>[0];
interface Options {
  readonly recursive?: boolean;
  readonly force?: boolean;
  readonly mode?: number;
  readonly encoding?: BufferEncoding | null;
  readonly withFileTypes?: boolean;
  readonly throwIfNoEntry?: boolean;
}

/** The functions of a disk that a test uses to prepare and to look, beside those of the tool. */
export type Disk = Files & Pick<typeof fs, "appendFileSync" | "mkdirSync" | "readFileSync" | "writeFileSync">;

/** A part of the files that is not on the disk: a name that was added or removed, or the bytes of a file. */
export type Unsynced = "name" | "bytes";

export interface VolatileFiles {
  readonly disk: Disk;
  /** Everything is on the disk. */
  syncAll(): void;
  /** A power failure: of what was not synced, only what is kept is left. */
  losePower(isKept: (what: Unsynced) => boolean): void;
}

export const createMemoryFiles = (root: string): Disk => createVolatileFiles(root).disk;

/** Empty but for the folder `root`. */
export function createVolatileFiles(root: string): VolatileFiles {
  let created = 0;
  const makeInode = (isFolder: boolean, mode: number): Inode => ({
    number: ++created,
    isFolder,
    mode,
    mtimeMs: Date.now(),
    links: 1,
    bytes: Buffer.alloc(0),
    entries: new Map(),
    durable: { bytes: Buffer.alloc(0), entries: new Map() },
  });
  const top = makeInode(true, 0o755);
  const descriptors = new Map<number, Descriptor>();
  let lastDescriptor = 100;

  /** The inode of a path; undefined where its last part is missing. */
  function find(call: string, path: Path): Inode | undefined {
    let inode = top;
    const parts = String(path).split("/").filter(Boolean);
    for (const [index, part] of parts.entries()) {
      if (!inode.isFolder) fail("ENOTDIR", call, String(path));
      const next = inode.entries.get(part);
      if (next === undefined && index < parts.length - 1) fail("ENOENT", call, String(path));
      if (next === undefined) return undefined;
      inode = next;
    }
    return inode;
  }
  const get = (call: string, path: Path): Inode => find(call, path) ?? fail("ENOENT", call, String(path));
  const parentOf = (call: string, path: Path): Inode => {
    const parent = get(call, dirname(String(path)));
    return parent.isFolder ? parent : fail("ENOTDIR", call, String(path));
  };
  const opened = (call: string, descriptor: number): Descriptor =>
    descriptors.get(descriptor) ?? fail("EBADF", call);
  const openedForReading = (descriptor: number): Descriptor => {
    const open = opened("read", descriptor);
    if (open.inode.isFolder) fail("EISDIR", "read");
    return (open.flags & O_ACCMODE) === constants.O_WRONLY ? fail("EBADF", "read") : open;
  };
  const attach = (parent: Inode, path: Path, inode: Inode) => {
    parent.entries.set(basename(String(path)), inode);
    parent.mtimeMs = Date.now();
  };

  const statOf = ({ isFolder, number, mode, mtimeMs, links, bytes }: Inode) => ({
    ino: number,
    uid: process.getuid?.() ?? 0,
    mode: mode | (isFolder ? constants.S_IFDIR : constants.S_IFREG),
    nlink: links,
    size: bytes.length,
    mtimeMs,
    isFile: () => !isFolder,
    isDirectory: () => isFolder,
    isSymbolicLink: () => false,
  });
  const stat = (call: string) => (path: Path, options?: Options) => {
    try {
      return statOf(get(call, path));
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      if (isMissing && options?.throwIfNoEntry === false) return undefined;
      throw error;
    }
  };

  function openSync(path: Path, named: string | number = "r", mode = 0o666): number {
    const flags = typeof named === "number" ? named : (flagsByName[named] ?? fail("EINVAL", "open"));
    let inode = find("open", path);
    if (inode === undefined) {
      if ((flags & O_CREAT) === 0) fail("ENOENT", "open", String(path));
      const parent = parentOf("open", path);
      inode = makeInode(false, mode & ~0o022);
      attach(parent, path, inode);
    } else if ((flags & O_CREAT) !== 0 && (flags & O_EXCL) !== 0) fail("EEXIST", "open", String(path));
    else if (inode.isFolder && (flags & O_ACCMODE) !== O_RDONLY) fail("EISDIR", "open", String(path));
    if ((flags & O_TRUNC) !== 0) inode.bytes = Buffer.alloc(0);
    descriptors.set(++lastDescriptor, { inode, flags, position: 0 });
    return lastDescriptor;
  }

  function closeSync(descriptor: number): void {
    if (!descriptors.delete(descriptor)) fail("EBADF", "close");
  }

  function readSync(
    descriptor: number,
    buffer: Uint8Array,
    offset = 0,
    length = buffer.length,
    at: number | null = null,
  ) {
    const open = openedForReading(descriptor);
    const start = at ?? open.position;
    const count = open.inode.bytes.copy(buffer, offset, start, start + length);
    if (at === null) open.position += count;
    return count;
  }

  function writeSync(
    descriptor: number,
    content: Uint8Array | string,
    offset?: number,
    length?: number,
  ): number {
    const open = opened("write", descriptor);
    if ((open.flags & O_ACCMODE) === O_RDONLY) fail("EBADF", "write");
    const all = Buffer.from(content);
    const start = offset ?? 0;
    const bytes = all.subarray(start, length === undefined ? undefined : start + length);
    const { inode } = open;
    const position = (open.flags & O_APPEND) !== 0 ? inode.bytes.length : open.position;
    const grown = Buffer.alloc(Math.max(inode.bytes.length, position + bytes.length));
    inode.bytes.copy(grown);
    bytes.copy(grown, position);
    inode.bytes = grown;
    inode.mtimeMs = Date.now();
    open.position = position + bytes.length;
    return bytes.length;
  }

  function put(path: Path, content: Uint8Array | string, flag: string, mode?: number): void {
    const descriptor = openSync(path, flag, mode);
    writeSync(descriptor, content);
    closeSync(descriptor);
  }

  function readFileSync(file: Path | number, options?: Options | BufferEncoding | null): Buffer | string {
    const descriptor = typeof file === "number" ? file : openSync(file);
    const open = openedForReading(descriptor);
    const bytes = Buffer.from(open.inode.bytes.subarray(open.position));
    if (typeof file !== "number") closeSync(descriptor);
    else open.position += bytes.length;
    const encoding = typeof options === "string" ? options : options?.encoding;
    return encoding ? bytes.toString(encoding) : bytes;
  }

  function mkdirSync(path: Path, options: Options = {}): string | undefined {
    const found = options.recursive ? undefined : find("mkdir", path);
    if (found !== undefined) fail("EEXIST", "mkdir", String(path));
    if (options.recursive) {
      let made: string | undefined;
      const parts = String(path).split("/").filter(Boolean);
      for (const [index] of parts.entries()) {
        const each = `/${parts.slice(0, index + 1).join("/")}`;
        const inode = find("mkdir", each);
        if (inode !== undefined && !inode.isFolder) {
          fail(index === parts.length - 1 ? "EEXIST" : "ENOTDIR", "mkdir", each);
        }
        if (inode !== undefined) continue;
        mkdirSync(each, { ...options, recursive: false });
        made ??= each;
      }
      return made;
    }
    attach(parentOf("mkdir", path), path, makeInode(true, (options.mode ?? 0o777) & ~0o022));
    return undefined;
  }

  function unlinkSync(path: Path): void {
    const inode = get("unlink", path);
    if (inode.isFolder) fail("EISDIR", "unlink", String(path));
    inode.links -= 1;
    parentOf("unlink", path).entries.delete(basename(String(path)));
  }

  function linkSync(from: Path, to: Path): void {
    const inode = get("link", from);
    const parent = parentOf("link", to);
    if (find("link", to) !== undefined) fail("EEXIST", "link", String(to));
    if (inode.isFolder) fail("EPERM", "link", String(from));
    inode.links += 1;
    attach(parent, to, inode);
  }

  function renameSync(from: Path, to: Path): void {
    const source = parentOf("rename", from);
    const parent = parentOf("rename", to);
    const inode = get("rename", from);
    if (`${to}`.startsWith(`${from}/`)) fail("EINVAL", "rename", String(to));
    const old = find("rename", to);
    if (`${from}`.startsWith(`${to}/`)) fail("ENOTEMPTY", "rename", String(to));
    if (old === inode) return;
    if (old?.isFolder && !inode.isFolder) fail("EISDIR", "rename", String(to));
    if (old !== undefined && !old.isFolder && inode.isFolder) fail("ENOTDIR", "rename", String(to));
    if (old !== undefined && old.entries.size > 0) fail("ENOTEMPTY", "rename", String(to));
    if (old !== undefined) old.links -= 1;
    source.entries.delete(basename(String(from)));
    attach(parent, to, inode);
  }

  function realpath(path: Path): string {
    get("realpath", path);
    return String(path);
  }

  function readdirSync(path: Path, options: Options = {}) {
    const inode = get("scandir", path);
    if (!inode.isFolder) fail("ENOTDIR", "scandir", String(path));
    const names = [...inode.entries.keys()].sort();
    if (!options.withFileTypes) return names;
    return names.map((name) => ({
      ...statOf(inode.entries.get(name) as Inode),
      name,
      parentPath: String(path),
    }));
  }

  function rmSync(path: Path, { force = false, recursive = false }: Options = {}): void {
    const inode =
      force && stat("lstat")(path, { throwIfNoEntry: false }) === undefined ? undefined : get("rm", path);
    if (inode === undefined) return;
    if (inode.isFolder && !recursive) fail("ERR_FS_EISDIR", "rm", String(path));
    inode.links -= 1;
    parentOf("rm", path).entries.delete(basename(String(path)));
  }

  function sync(inode: Inode): void {
    inode.durable = { bytes: inode.bytes, entries: new Map(inode.entries) };
  }

  function syncAll(inode = top): void {
    sync(inode);
    for (const each of inode.entries.values()) syncAll(each);
  }

  function losePower(isKept: (what: Unsynced) => boolean, inode = top): void {
    const { bytes, entries } = inode.durable;
    if (!inode.bytes.equals(bytes) && !isKept("bytes")) inode.bytes = bytes;
    for (const name of new Set([...entries.keys(), ...inode.entries.keys()])) {
      const old = entries.get(name);
      if (inode.entries.get(name) === old || isKept("name")) continue;
      if (old === undefined) inode.entries.delete(name);
      else inode.entries.set(name, old);
    }
    sync(inode);
    for (const each of inode.entries.values()) losePower(isKept, each);
  }

  mkdirSync(root, { recursive: true });
  const files = {
    constants,
    openSync,
    closeSync,
    readSync,
    writeSync,
    readFileSync,
    mkdirSync,
    unlinkSync,
    linkSync,
    renameSync,
    readdirSync,
    rmSync,
    statSync: stat("stat"),
    // ext4
    statfsSync: () => ({ type: 0xef53 }),
    lstatSync: stat("lstat"),
    fstatSync: (descriptor: number) => statOf(opened("fstat", descriptor).inode),
    fsyncSync: (descriptor: number) => sync(opened("fsync", descriptor).inode),
    fchmodSync: (descriptor: number, mode: number) => {
      opened("fchmod", descriptor).inode.mode = mode;
    },
    realpathSync: Object.assign(realpath, { native: realpath }),
    appendFileSync: (path: Path, content: Uint8Array | string) => put(path, content, "a"),
    writeFileSync: (path: Path, content: Uint8Array | string, { mode }: Options = {}) =>
      put(path, content, "w", mode),
    mkdtempSync: (prefix: string) => {
      const path = `${prefix}${String(++created).padStart(6, "0")}`;
      mkdirSync(path, { mode: 0o700 });
      return join(path);
    },
  };
  // The real functions have overloads for options that the tool never gives.
  const disk = files as unknown as Disk;
  return { disk, syncAll: () => syncAll(), losePower: (isKept) => losePower(isKept) };
}
