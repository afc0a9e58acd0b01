// Stores the sandbox's incidents in a file of JSON lines, which one sandbox at a time uses. A line is durable before the
// create is answered.
import { createServer } from "node:net";
import type { Files } from "../platform/context.ts";
import { checkSchema, type Schema } from "./schema.ts";
import { keptIncident, schemas } from "./schemas.ts";
import type { StoredIncident } from "./store.ts";

export interface Storage {
  readonly incidents: readonly StoredIncident[];
  /** Returns when the incident is durable. Throws if it cannot be written. */
  append(incident: StoredIncident): void;
}

/** The first line of a file of incidents. A file that starts otherwise has other content, and is never changed. */
const header = '{"incidentSandbox":1}';

/** The largest file in bytes: the incidents of a sandbox are kept in memory. */
const maxFileSize = 256 * 1024 * 1024;

export class OtherContentError extends Error {}

export class StorageInUseError extends Error {}

export interface StorageOptions {
  readonly force?: boolean;
  /** Accepts the incidents of a service with a document of its own, whose values the spec may not have. */
  readonly ofDocument?: boolean;
  readonly platform?: NodeJS.Platform;
}

/**
 * Opens or creates the file at an absolute path, and locks it until `close`. Rejects with a `StorageInUseError` if
 * another sandbox uses the file, with an `OtherContentError` if no sandbox wrote it, and with another error if the file
 * cannot be opened.
 */
export async function openStorage(
  files: Files,
  path: string,
  { force = false, ofDocument = false, platform = process.platform }: StorageOptions = {},
) {
  const { descriptor, release } = await openLocked(files, path, platform);
  try {
    // Reads the open file, and not its path, which may lead elsewhere by now.
    const { size: length } = files.fstatSync(descriptor);
    if (length > maxFileSize) throw new Error("it is larger than 256 MiB");
    const bytes = Buffer.alloc(length);
    files.readSync(descriptor, bytes, 0, bytes.length, 0);
    /** The end of the last complete line. Nothing after it was ever answered. */
    let size = bytes.lastIndexOf("\n") + 1;
    const isNew = header.startsWith(bytes.toString());
    const found = isNew ? [] : readLines(bytes.toString("utf8", 0, size), ofDocument);
    if (found === undefined && !force) throw new OtherContentError("it has content that no sandbox wrote");
    if (isNew || found === undefined) size = 0;
    files.ftruncateSync(descriptor, size);
    const append = (line: string) => {
      const added = Buffer.from(`${line}\n`);
      try {
        // On a full disk, a write may be partial without an error; the next write then fails.
        for (let at = 0; at < added.length; ) at += files.writeSync(descriptor, added, at);
        files.fsyncSync(descriptor);
      } catch (error) {
        files.ftruncateSync(descriptor, size);
        throw error;
      }
      size += added.length;
    };
    if (size === 0) append(header);
    return {
      incidents: found ?? [],
      append: (incident: StoredIncident) => append(JSON.stringify(incident)),
      close: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The incidents of the complete lines; undefined if the first is not the header. */
function readLines(text: string, ofDocument: boolean): readonly StoredIncident[] | undefined {
  const schema: Schema = {
    type: "object",
    required: ["incident"],
    properties: {
      incident: ofDocument ? keptIncident : { $ref: "#/components/schemas/Incident" },
      clientId: { type: "string" },
      replaces: { type: "boolean" },
    },
  };
  const incidentIn = (line: string): StoredIncident | undefined => {
    try {
      const value: unknown = JSON.parse(line);
      return checkSchema(schema, value, schemas).length === 0 ? (value as StoredIncident) : undefined;
    } catch {
      return undefined;
    }
  };
  const [first, ...lines] = text.split("\n");
  if (first !== header) return undefined;
  return lines.flatMap((line, index) => {
    if (line === "") return [];
    const incident = incidentIn(line);
    if (incident !== undefined) return incident;
    throw new Error(`line ${index + 2} is not an incident of a sandbox`);
  });
}

/** The value of O_EXLOCK on macOS and the BSDs, where `fs.constants` does not have it: open(2) locks the file. */
const exclusiveLock = 0x20;
const platformsWithExclusiveLock = new Set<NodeJS.Platform>(["darwin", "freebsd", "openbsd"]);

/**
 * Opens the file for reading and appending. The kernel holds the lock and releases it with the process, even after
 * SIGKILL. Linux: sandboxes in containers with separate networks do not see each other's lock. Windows: no lock.
 */
async function openLocked(files: Files, path: string, platform: NodeJS.Platform) {
  const { O_APPEND, O_CREAT, O_NONBLOCK = 0, O_RDWR } = files.constants;
  const lock = platformsWithExclusiveLock.has(platform) ? exclusiveLock : 0;
  const descriptor = openRegular(files, path, O_APPEND | O_CREAT | O_RDWR | O_NONBLOCK | lock);
  const close = () => files.closeSync(descriptor);
  if (platform !== "linux") return { descriptor, release: close };
  try {
    const { dev, ino } = files.fstatSync(descriptor, { bigint: true });
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error) => reject(isCode(error, "EADDRINUSE") ? inUse() : error));
      // Only one process can bind the name of an abstract socket.
      server.listen(`\0incident-sandbox-${dev}-${ino}`, resolve);
    });
    server.unref();
    const release = () => {
      server.close();
      close();
    };
    return { descriptor, release };
  } catch (error) {
    close();
    throw error;
  }
}

function openRegular(files: Files, path: string, flags: number): number {
  try {
    const descriptor = files.openSync(path, flags, 0o600);
    if (files.fstatSync(descriptor).isFile()) return descriptor;
    files.closeSync(descriptor);
  } catch (error) {
    throw isCode(error, "EAGAIN") ? inUse() : error;
  }
  throw new Error("it is not a regular file");
}

function inUse(): StorageInUseError {
  return new StorageInUseError("another sandbox is using it");
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
