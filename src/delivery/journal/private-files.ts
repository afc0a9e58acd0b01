// Small private files that appear whole: written beside their place, synced to the disk, then linked or renamed into
// it. It hides temporary files, short writes, and the checks that a state directory needs.
import { join } from "node:path";
import { Failure } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import { writeAll } from "../../platform/write-all.ts";
import { codeOf, messageOf, untrusted, unwritable, withoutHardLinks } from "./journal-errors.ts";
import { makePrivateFolder } from "./make-private-folder.ts";

export interface FileDeps {
  readonly files: Files;
  readonly system: Pick<System, "random" | "user">;
}

/** Larger than any entry that is written here, in bytes. */
const sizeLimit = 16 * 1024 * 1024;

const temporaryPrefix = ".tmp-";

/** The answers of file systems without hard links, such as FAT and some network shares. */
const noHardLinks: ReadonlySet<string | undefined> = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
]);

export interface PrivateFolder {
  readonly path: string;
  /** Makes the folder where it is missing. */
  make(): void;
  /**
   * Writes a file with a name of its own, gives its path to `place`, then removes that name. The content is on the
   * disk before `place` is called, and the folder's names after it; with `isDeferred`, after the next write.
   */
  write<T>(text: string, place: (temporary: string) => T, options?: { readonly isDeferred: boolean }): T;
  /** Replaces the file `name`. */
  replace(name: string, text: string): void;
  /** Undefined where nothing is under `name`. Throws a `Failure` for a file that cannot be trusted. */
  read(name: string): string | undefined;
  exists(name: string): boolean;
  /** Gives a file another path as well; false where that is taken. */
  link(file: string, path: string): boolean;
  /** Whether `name` is a name of a file. */
  isLinked(file: string, name: string): boolean;
  remove(name: string): void;
  names(): readonly string[];
  /** Milliseconds since the epoch; undefined where nothing is under `name`. */
  writtenAt(name: string): number | undefined;
  /** Removes temporary files that were left before `time` (milliseconds since the epoch). */
  sweep(time: number): void;
}

/**
 * `folder` is made, with `root` above it, when the first file is written. Without `isDurable`, nothing waits for the
 * disk: a power failure may leave a file as it was, or torn.
 */
export function openPrivateFolder(
  { files, system }: FileDeps,
  root: string,
  folder: string,
  { isDurable } = { isDurable: true },
): PrivateFolder {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK = 0, O_RDONLY, O_WRONLY } = files.constants;
  const pathOf = (name: string) => join(folder, name);

  let isMade = false;
  const make = () => {
    if (!isMade) for (const each of new Set([root, folder])) makePrivateFolder({ files, system }, each);
    isMade = true;
  };

  function openTemporary(file: string): number {
    const open = () => files.openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    make();
    try {
      return open();
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      // The folder was removed since it was made.
      isMade = false;
      make();
      return open();
    }
  }

  function writeTemporary(text: string): string {
    const file = pathOf(temporaryPrefix + system.random.guid());
    const descriptor = openTemporary(file);
    try {
      const bytes = Buffer.from(text);
      writeAll(files, descriptor, bytes);
      if (isDurable) files.fsyncSync(descriptor);
      // A full disk can take fewer bytes than it reports.
      if (files.fstatSync(descriptor).size !== bytes.length) throw new Error("the file came out short");
    } catch (error) {
      removeFile(file);
      throw error;
    } finally {
      files.closeSync(descriptor);
    }
    return file;
  }

  function removeFile(file: string): void {
    try {
      files.unlinkSync(file);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }

  function syncFolder(): void {
    // Windows cannot open a folder, and NTFS keeps the order of names by itself.
    if (!isDurable || system.user === undefined) return;
    const descriptor = files.openSync(folder, O_RDONLY);
    try {
      files.fsyncSync(descriptor);
    } finally {
      files.closeSync(descriptor);
    }
  }

  function readDescriptor(descriptor: number, path: string): string {
    const stat = files.fstatSync(descriptor);
    if (!stat.isFile()) throw untrusted(path, "it is not a regular file");
    if (system.user !== undefined && stat.uid !== system.user)
      throw untrusted(path, "it belongs to another user");
    if (stat.size > sizeLimit) throw untrusted(path, "it is larger than anything written here");
    const bytes = Buffer.alloc(stat.size);
    let read = 0;
    while (read < bytes.length) {
      const count = files.readSync(descriptor, bytes, read, bytes.length - read, null);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read).toString("utf8");
  }

  /** Turns an error of the system into a failure that names the next action. */
  function explain<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof Failure ? error : unwritable(folder, error);
    }
  }

  const stat = (name: string) => files.lstatSync(pathOf(name), { throwIfNoEntry: false });

  return {
    path: folder,
    make: () => explain(make),
    write: (text, place, { isDeferred } = { isDeferred: false }) =>
      explain(() => {
        const temporary = writeTemporary(text);
        try {
          return place(temporary);
        } finally {
          removeFile(temporary);
          if (!isDeferred) syncFolder();
        }
      }),
    replace: (name, text) =>
      explain(() => {
        files.renameSync(writeTemporary(text), pathOf(name));
        syncFolder();
      }),
    read(name) {
      let descriptor: number;
      try {
        // Most names that are looked up do not exist, and an error takes longer than a look.
        if (stat(name) === undefined) return undefined;
        descriptor = files.openSync(pathOf(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        throw untrusted(pathOf(name), codeOf(error) === "ELOOP" ? "it is a symbolic link" : messageOf(error));
      }
      try {
        return readDescriptor(descriptor, pathOf(name));
      } catch (error) {
        throw error instanceof Failure ? error : untrusted(pathOf(name), messageOf(error));
      } finally {
        files.closeSync(descriptor);
      }
    },
    exists: (name) => stat(name) !== undefined,
    link(file, path) {
      try {
        files.linkSync(file, path);
        return true;
      } catch (error) {
        const code = codeOf(error);
        if (code === "EEXIST") return false;
        throw noHardLinks.has(code) ? withoutHardLinks(folder, code) : error;
      }
    },
    isLinked(file, name) {
      const { dev, ino } = files.lstatSync(file);
      const found = stat(name);
      return found?.ino === ino && found.dev === dev;
    },
    remove: (name) => explain(() => removeFile(pathOf(name))),
    names() {
      try {
        return files.readdirSync(folder).filter((name) => !name.startsWith(temporaryPrefix));
      } catch (error) {
        if (codeOf(error) === "ENOENT") return [];
        throw untrusted(folder, messageOf(error));
      }
    },
    writtenAt: (name) => stat(name)?.mtimeMs,
    sweep(time) {
      if (stat("") === undefined) return;
      for (const name of files.readdirSync(folder).filter((found) => found.startsWith(temporaryPrefix))) {
        if ((stat(name)?.mtimeMs ?? time) < time) removeFile(pathOf(name));
      }
    },
  };
}
