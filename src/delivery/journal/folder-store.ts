// Files that appear whole and exactly once: the ground that the journal stands on. It hides temporary
// files, fsync, short writes and the suspicion with which a state directory must be read.
import { join } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context } from "../../platform/context.ts";
import { writeAll } from "../../platform/write-all.ts";
import { messageOf, StoreFailure, untrusted } from "./journal-errors.ts";

/** A flat set of small texts under names that this tool makes. */
export interface Store {
  /** Puts `text` under `name`, whole; false when the name is taken already. */
  put(name: string, text: string): boolean;
  /**
   * Puts the texts of all entries, one after the other, under the name of each; false for a name that is taken
   * already. A "listed" one is among `listed()` from before it appears until it is unlisted; the list may lose
   * names when the machine crashes, and keep some too long.
   */
  putTogether(entries: readonly Entry[]): boolean[];
  /** The listed names; with `before` (milliseconds since the epoch), those that were written before it. */
  listed(before?: number): string[];
  unlist(name: string): void;
  /** Puts `text` under `name` in the place of what is there. */
  replace(name: string, text: string): void;
  /** Undefined when there is nothing under `name`. Throws a `Failure` for what cannot be trusted. */
  get(name: string): string | undefined;
  /**
   * Gives what is under `name` another name as well, which a crash of the machine may take away; false when that
   * is taken.
   */
  alias(name: string, other: string): boolean;
  remove(name: string): void;
  /** All names that start with `prefix`, sorted. */
  names(prefix: string): string[];
  /** Removes what processes that died have left unfinished before `time` (milliseconds since the epoch). */
  sweep(time: number): void;
}

export interface Entry {
  readonly name: string;
  readonly text: string;
  readonly listing: "listed" | "unlisted";
}

/** Larger than any entry that is written here: a name, some updates and an answer of the service. */
const sizeLimit = 16 * 1024 * 1024;

const temporaryPrefix = ".tmp-";

/** A store in `folder`, which is made when the first text is put; `list` is the folder of what is listed. */
export function createFolderStore(
  context: Pick<Context, "files" | "random" | "user">,
  folder: string,
  list?: string,
): Store {
  const { files, random, user } = context;
  const path = (name: string) => join(folder, name);
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = files.constants;

  /** Writes a file of its own beside the others; nothing refers to it yet. */
  function writeTemporary(text: string): string {
    makeFolder(folder);
    const file = path(temporaryPrefix + random.guid());
    const descriptor = files.openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      const bytes = Buffer.from(text);
      writeAll(files, descriptor, bytes);
      files.fsyncSync(descriptor);
      // A full disk can take fewer bytes than it says.
      if (files.fstatSync(descriptor).size !== bytes.length) throw new Error("the file came out short");
    } catch (error) {
      removeFile(file);
      throw error;
    } finally {
      files.closeSync(descriptor);
    }
    return file;
  }

  function makeFolder(wanted: string): void {
    const stat = files.statSync(wanted, { throwIfNoEntry: false });
    if (stat === undefined) {
      files.mkdirSync(wanted, { recursive: true, mode: 0o700 });
      return;
    }
    if ((user !== undefined && stat.uid !== user) || (stat.mode & 0o022) !== 0) {
      throw new Failure(
        "usage",
        `the state directory ${wanted} belongs to others, or others may write to it`,
        {
          hint: `run chmod 700 ${wanted}, or name another with --state-dir`,
        },
      );
    }
  }

  function allNames(from: string): string[] {
    try {
      return files.readdirSync(from);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw untrusted(from, messageOf(error));
    }
  }

  /** In milliseconds since the epoch; what is gone was never written. */
  function writtenAt(file: string): number {
    return files.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  }

  /** Gives a file another name as well; false when the name is taken. */
  function link(file: string, to: string): boolean {
    try {
      files.linkSync(file, to);
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
  }

  function removeFile(file: string): void {
    try {
      files.unlinkSync(file);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }

  function syncFolder(): void {
    const descriptor = files.openSync(folder, O_RDONLY);
    try {
      files.fsyncSync(descriptor);
    } finally {
      files.closeSync(descriptor);
    }
  }

  function putEntries(entries: readonly Entry[]): boolean[] {
    // One file under many names: making a file, and waiting for the disk, takes far longer than naming it.
    const temporary = writeTemporary(entries.map(({ text }) => text).join(""));
    let isFree: boolean[];
    try {
      isFree = entries.map(({ name, listing }) => {
        if (listing === "listed" && list !== undefined) {
          makeFolder(list);
          link(temporary, join(list, name));
        }
        return link(temporary, path(name));
      });
    } finally {
      removeFile(temporary);
    }
    syncFolder();
    return isFree;
  }

  return {
    put: (name, text) => explain(folder, () => putEntries([{ name, text, listing: "unlisted" }]))[0] === true,
    putTogether: (entries) => explain(folder, () => putEntries(entries)),
    listed(before = Number.POSITIVE_INFINITY) {
      if (list === undefined) return [];
      return allNames(list)
        .filter((name) => writtenAt(join(list, name)) < before)
        .sort();
    },
    unlist(name) {
      try {
        if (list !== undefined) removeFile(join(list, name));
      } catch {
        // A name too many misleads nobody: whoever reads the list looks what became of it.
      }
    },
    alias: (name, other) => explain(folder, () => link(path(name), path(other))),
    replace(name, text) {
      explain(folder, () => {
        files.renameSync(writeTemporary(text), path(name));
        syncFolder();
      });
    },
    get(name) {
      let descriptor: number;
      try {
        // Most that is looked for is not there, and an error takes longer than a look.
        if (files.lstatSync(path(name), { throwIfNoEntry: false }) === undefined) return undefined;
        descriptor = files.openSync(path(name), O_RDONLY | O_NOFOLLOW);
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        const why = codeOf(error) === "ELOOP" ? "it is a symbolic link" : messageOf(error);
        throw untrusted(path(name), why);
      }
      try {
        const stat = files.fstatSync(descriptor);
        if (!stat.isFile()) throw untrusted(path(name), "it is not a regular file");
        if (user !== undefined && stat.uid !== user)
          throw untrusted(path(name), "it belongs to another user");
        if (stat.size > sizeLimit) throw untrusted(path(name), "it is larger than anything written here");
        const bytes = Buffer.alloc(stat.size);
        let read = 0;
        while (read < bytes.length) {
          const count = files.readSync(descriptor, bytes, read, bytes.length - read, null);
          if (count === 0) break;
          read += count;
        }
        return bytes.subarray(0, read).toString("utf8");
      } catch (error) {
        throw error instanceof Failure ? error : untrusted(path(name), messageOf(error));
      } finally {
        files.closeSync(descriptor);
      }
    },
    remove(name) {
      explain(folder, () => removeFile(path(name)));
    },
    names: (prefix) =>
      allNames(folder)
        .filter((name) => name.startsWith(prefix) && !name.startsWith(temporaryPrefix))
        .sort(),
    sweep(time) {
      for (const name of allNames(folder).filter((found) => found.startsWith(temporaryPrefix))) {
        if (writtenAt(path(name)) < time) removeFile(path(name));
      }
    },
  };
}

/** Turns what the system says into a failure that names the ways on. */
function explain<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new StoreFailure(folder, error);
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
