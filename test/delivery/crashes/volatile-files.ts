// The files of this machine, of which a power failure leaves what was synced, and of the rest what is kept.
import * as fs from "node:fs";
import { join } from "node:path";
import type { Files } from "../../../src/platform/context.ts";

/** A part of the files that is not on the disk: a name that was added or removed, or the bytes of a file. */
export type Unsynced = "name" | "bytes";

/** The bytes of a file, or the entries of a folder. */
interface Content {
  readonly bytes: Buffer;
  readonly entries: ReadonlyMap<string, Inode>;
}

interface Inode {
  /** What it had when it was looked at last. */
  now: Content;
  /** What a power failure leaves. */
  durable: Content;
  stat: fs.Stats;
}

const nothing: Content = { bytes: Buffer.alloc(0), entries: new Map() };

export interface VolatileFiles {
  readonly files: Files;
  /** Everything is on the disk. */
  syncAll(): void;
  /** A power failure: of what was not synced, only what is kept is left. */
  losePower(isKept: (what: Unsynced) => boolean): void;
}

/** The files below the folder `root`. */
export function createVolatileFiles(root: string): VolatileFiles {
  /** By the number of the inode. */
  const inodes = new Map<number, Inode>();
  const opened = new Map<number, string>();

  const add = (stat: fs.Stats): Inode => {
    const inode = { now: nothing, durable: nothing, stat };
    inodes.set(stat.ino, inode);
    return inode;
  };
  const inodeOf = (path: string): Inode => {
    const stat = fs.lstatSync(path);
    return Object.assign(inodes.get(stat.ino) ?? add(stat), { stat });
  };
  const look = (path: string): Inode => {
    const inode = inodeOf(path);
    const names = inode.stat.isDirectory() ? fs.readdirSync(path) : [];
    const entries = new Map(names.map((name) => [name, inodeOf(join(path, name))]));
    inode.now = { bytes: inode.stat.isDirectory() ? nothing.bytes : fs.readFileSync(path), entries };
    return inode;
  };
  const lookAtAll = (path = root): Inode => {
    const inode = look(path);
    for (const name of inode.now.entries.keys()) lookAtAll(join(path, name));
    return inode;
  };
  const syncAll = (inode: Inode): void => {
    inode.durable = inode.now;
    for (const each of inode.now.entries.values()) syncAll(each);
  };

  function lose(inode: Inode, isKept: (what: Unsynced) => boolean): void {
    const { durable, now } = inode;
    const bytes = now.bytes.equals(durable.bytes) || isKept("bytes") ? now.bytes : durable.bytes;
    const entries = new Map(now.entries);
    for (const name of new Set([...durable.entries.keys(), ...now.entries.keys()])) {
      const old = durable.entries.get(name);
      if (entries.get(name) === old || isKept("name")) continue;
      if (old === undefined) entries.delete(name);
      else entries.set(name, old);
    }
    inode.now = { bytes, entries };
    inode.durable = inode.now;
    for (const each of entries.values()) lose(each, isKept);
  }

  /** Writes the entries of a folder anew. */
  function restore(folder: string, { now }: Inode, written: Map<Inode, string>): void {
    for (const [name, inode] of now.entries) {
      const path = join(folder, name);
      const other = written.get(inode);
      written.set(inode, path);
      const { atime, mode, mtime } = inode.stat;
      if (other !== undefined) fs.linkSync(other, path);
      else if (inode.stat.isDirectory()) fs.mkdirSync(path, { mode });
      else fs.writeFileSync(path, inode.now.bytes, { mode });
      restore(path, inode, written);
      fs.utimesSync(path, atime, mtime);
      inodes.set(fs.lstatSync(path).ino, inode);
    }
  }

  const isThere = (path: string) => fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  /** A file without a name may still have one on the disk. */
  const lookAtLast = (path: string) => {
    if (isThere(path)) look(path);
  };
  const files: Files = {
    ...fs,
    openSync(path, ...rest) {
      const wasThere = isThere(`${path}`);
      const descriptor = fs.openSync(path, ...rest);
      if (!wasThere) add(fs.fstatSync(descriptor));
      opened.set(descriptor, `${path}`);
      return descriptor;
    },
    mkdirSync(path, options) {
      fs.mkdirSync(path, options);
      add(fs.lstatSync(path));
    },
    fsyncSync(descriptor) {
      const inode = look(opened.get(descriptor) as string);
      inode.durable = inode.now;
    },
    unlinkSync(path) {
      lookAtLast(`${path}`);
      fs.unlinkSync(path);
    },
    renameSync(from, to) {
      lookAtLast(`${to}`);
      fs.renameSync(from, to);
    },
    rmSync(path, options) {
      lookAtLast(`${path}`);
      fs.rmSync(path, options);
    },
  };
  return {
    files,
    syncAll: () => syncAll(lookAtAll()),
    losePower(isKept) {
      const top = lookAtAll();
      lose(top, isKept);
      for (const name of fs.readdirSync(root)) fs.rmSync(join(root, name), { recursive: true });
      inodes.clear();
      restore(root, top, new Map());
      inodes.set(top.stat.ino, top);
    },
  };
}
