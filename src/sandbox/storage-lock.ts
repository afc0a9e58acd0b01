// Locks a storage file against a second sandbox. The kernel holds the lock and releases it with the process, even after
// SIGKILL, so that it is never stale and needs no cleanup. Sandboxes in containers with separate networks do not see
// each other's lock on Linux.
import { createServer } from "node:net";
import type { Files } from "../platform/context.ts";

export class StorageInUseError extends Error {
  constructor() {
    super("another sandbox is using it");
  }
}

export interface StorageLock {
  readonly descriptor: number;
  /** Closes the file and releases the lock. */
  release(): void;
}

/** The value of O_EXLOCK on macOS and the BSDs, where `fs.constants` does not have it: open(2) locks the file. */
const exclusiveLock = 0x20;
const platformsWithExclusiveLock = new Set<NodeJS.Platform>(["darwin", "freebsd", "openbsd"]);

/** Opens or creates the file for reading and appending. Rejects with a `StorageInUseError` if it is locked. */
export async function openLocked(
  files: Files,
  path: string,
  platform: NodeJS.Platform,
): Promise<StorageLock> {
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = files.constants;
  // Windows has no O_NONBLOCK.
  const flags = O_APPEND | O_CREAT | O_RDWR | (O_NONBLOCK ?? 0);
  if (platformsWithExclusiveLock.has(platform)) {
    const descriptor = openRegular(files, path, flags | exclusiveLock);
    return { descriptor, release: () => files.closeSync(descriptor) };
  }
  const descriptor = openRegular(files, path, flags);
  // Other platforms have neither lock.
  if (platform !== "linux") return { descriptor, release: () => files.closeSync(descriptor) };
  try {
    const { dev, ino } = files.fstatSync(descriptor, { bigint: true });
    const unlock = await bindAbstractSocket(`incident-sandbox-${dev}-${ino}`);
    return {
      descriptor,
      release: () => {
        unlock();
        files.closeSync(descriptor);
      },
    };
  } catch (error) {
    files.closeSync(descriptor);
    throw error;
  }
}

function openRegular(files: Files, path: string, flags: number): number {
  try {
    const descriptor = files.openSync(path, flags, 0o600);
    if (files.fstatSync(descriptor).isFile()) return descriptor;
    files.closeSync(descriptor);
  } catch (error) {
    throw isCode(error, "EAGAIN") ? new StorageInUseError() : error;
  }
  throw new Error("it is not a regular file");
}

/** Only one process can bind a name. Linux frees the name of an abstract socket with the last process that has it. */
async function bindAbstractSocket(name: string): Promise<() => void> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(isCode(error, "EADDRINUSE") ? new StorageInUseError() : error);
    });
    server.listen(`\0${name}`, resolve);
  });
  server.unref();
  return () => void server.close();
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
