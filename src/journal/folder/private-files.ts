// Small private files that appear whole: written beside their place, synced to the disk, then linked or renamed into
// it. It hides temporary files, short writes, and the checks that a state directory needs.
import { dirname, join } from "node:path";
import { codeOf, Failure, messageOf } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import { makeFolders, syncFolder } from "../../platform/folders.ts";
import { writeAll } from "../../platform/write-file.ts";
import { acceptedInContainer, isShared } from "../check-state.ts";
import { othersMayWrite, untrusted, unwritable, withoutHardLinks } from "../journal-errors.ts";
import { readPrivateFile, sizeLimit } from "./read-private-file.ts";

export interface FileDeps {
  readonly files: Files;
  readonly system: Pick<System, "random" | "user"> & Partial<Pick<System, "env">>;
}

const temporaryPrefix = ".tmp-";
const isTemporary = (name: string) => name.startsWith(temporaryPrefix);

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
  /**
   * Writes a file with a name of its own, gives its path to `place`, then removes that name. The content is on the
   * disk before `place` is called, and the folder's names after it.
   */
  write<T>(text: string, place: (temporary: string) => T): T;
  /** Replaces the file `name`. */
  replace(name: string, text: string): void;
  /** Undefined where nothing is under `name`. Throws a `Failure` for a file that cannot be trusted. */
  read(name: string): string | undefined;
  /** Whether anything is under `name`. */
  exists(name: string): boolean;
  /** Gives a file another path as well; false where that is taken. */
  link(file: string, path: string): boolean;
  /** Whether `name` is a name of a file. */
  isLinked(file: string, name: string): boolean;
  /** Waits until the names of the folder are on the disk. */
  sync(): void;
  /** Removes the file `name`, where it exists. */
  remove(name: string): void;
  /** The names of the files, without temporary ones. */
  names(): readonly string[];
}

/** `folder` is made, with `root` above it, when the first file is written. */
export function openPrivateFolder({ files, system }: FileDeps, root: string, folder: string): PrivateFolder {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = files.constants;
  const sync = (path: string) => syncFolder({ files, system }, path);
  const pathOf = (name: string) => join(folder, name);

  let isMade = false;
  const make = () => {
    if (!isMade) for (const each of new Set([root, folder])) makePrivate(each);
    isMade = true;
  };

  function makePrivate(path: string): void {
    const found = files.statSync(path, { throwIfNoEntry: false });
    // Without the names of the folders above it, a power failure takes a file that was synced.
    if (found === undefined) makeFolders(files, path, 0o700, (made) => sync(dirname(made)));
    else if (
      isShared(found, system) &&
      (path !== root || acceptedInContainer({ files, system }) === undefined)
    )
      throw othersMayWrite(path);
  }

  function openTemporary(file: string): number {
    const open = () => files.openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    make();
    try {
      return open();
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      // The folder was removed since it was made: with this entry, no later run sends in the dark.
      isMade = false;
      make();
      return open();
    }
  }

  function writeTemporary(text: string): string {
    const bytes = Buffer.from(text);
    if (bytes.length > sizeLimit) throw new Error("the entry is larger than any that is read");
    const file = pathOf(temporaryPrefix + system.random.guid());
    const descriptor = openTemporary(file);
    try {
      writeAll(files, descriptor, bytes);
      files.fsyncSync(descriptor);
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
    write: (text, place) =>
      explain(() => {
        const temporary = writeTemporary(text);
        try {
          return place(temporary);
        } finally {
          removeFile(temporary);
          sync(folder);
        }
      }),
    replace: (name, text) =>
      explain(() => {
        files.renameSync(writeTemporary(text), pathOf(name));
        sync(folder);
      }),
    read: (name) => readPrivateFile({ files, system }, pathOf(name)),
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
    sync: () => explain(() => sync(folder)),
    remove: (name) => explain(() => removeFile(pathOf(name))),
    names() {
      try {
        return files.readdirSync(folder).filter((name) => !isTemporary(name));
      } catch (error) {
        if (codeOf(error) === "ENOENT") return [];
        throw untrusted(folder, messageOf(error));
      }
    },
  };
}
