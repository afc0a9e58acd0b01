// Small private files that appear whole: written beside their place, synced to the disk, then linked into it. They decide
// whether a create is sent, so only a regular file of this user is read.
import { dirname, join } from "node:path";
import { codeOf, Failure } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import { makeFolders } from "../../platform/folders.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { writeNewFile } from "../../platform/write-file.ts";
import { untrusted, unusable } from "../journal-errors.ts";

export interface FolderDeps {
  readonly files: Files;
  readonly system: Pick<System, "random" | "user">;
}

const tooLarge =
  "its journal is larger than 64 MiB; when no incident of it is open, begin another with INCIDENT_CLI_STATE_DIR";

const temporaryPrefix = ".tmp-";

/** The largest file, in bytes, for its readers and its writers: a snapshot of more than a hundred thousand operations. */
const sizeLimit = 64 * 1024 * 1024;

export type PrivateFolder = ReturnType<typeof openPrivateFolder>;

/** `folder` is made, with those above it, when the first file is written. */
export function openPrivateFolder({ files, system }: FolderDeps, folder: string) {
  const pathOf = (name: string) => join(folder, name);
  const stat = (name: string) => files.lstatSync(pathOf(name), { throwIfNoEntry: false });

  /** Waits until the names of a folder are on the disk. */
  function sync(path: string): void {
    // Windows cannot open a folder, and NTFS keeps the order of names by itself.
    if (system.user === undefined) return;
    const descriptor = files.openSync(path, "r");
    try {
      files.fsyncSync(descriptor);
    } finally {
      files.closeSync(descriptor);
    }
  }

  function writeTemporary(text: string): string {
    const bytes = Buffer.from(text);
    if (bytes.length > sizeLimit) throw new Error(tooLarge);
    const file = pathOf(temporaryPrefix + system.random.guid());
    const write = () => writeNewFile(files, file, bytes, 0o600);
    try {
      write();
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      // Without the names of the folders above it, a power failure takes a file that was synced.
      for (const made of makeFolders(files, folder)) sync(dirname(made));
      write();
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

  /** Whether `name` is a name of the file now, and was not one of another file. */
  function link(file: string, name: string): boolean {
    try {
      files.linkSync(file, pathOf(name));
      return true;
    } catch (error) {
      const found = stat(name);
      if (found === undefined) throw error;
      // A network file system may have linked it, and lost the answer.
      const { dev, ino } = files.lstatSync(file);
      return found.ino === ino && found.dev === dev;
    }
  }

  function explain<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof Failure ? error : unusable(folder, error);
    }
  }

  return {
    /** True for one of all processes that try. The content is on the disk before the name, and the name before this returns. */
    create: (name: string, text: string) =>
      explain(() => {
        const temporary = writeTemporary(text);
        try {
          return link(temporary, name);
        } finally {
          removeFile(temporary);
          sync(folder);
        }
      }),
    read: (name: string) => readTrustedFile({ files, system }, pathOf(name)),
    exists: (name: string) => stat(name) !== undefined,
    remove: (name: string) => explain(() => removeFile(pathOf(name))),
    names(): readonly string[] {
      try {
        return files.readdirSync(folder).filter((name) => !name.startsWith(temporaryPrefix));
      } catch (error) {
        if (codeOf(error) === "ENOENT") return [];
        throw untrusted(`folder ${folder}`, error);
      }
    },
  };
}

/** Undefined where there is none. Throws a `Failure` for a file that cannot be trusted. */
function readTrustedFile({ files, system }: FolderDeps, path: string): string | undefined {
  const file = `file ${path}`;
  let read: ReturnType<typeof readRegularFile>;
  try {
    read = readRegularFile(files, path, sizeLimit, files.constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw untrusted(file, error);
  }
  if (read === undefined) throw untrusted(file, "it is not a regular file");
  const { bytes, stat } = read;
  if (system.user !== undefined && stat.uid !== system.user)
    throw untrusted(file, "it belongs to another user");
  if (bytes.length > sizeLimit) throw untrusted(file, "it is larger than anything written here");
  // A snapshot is long: its bytes are not copied.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
