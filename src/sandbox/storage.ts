// Stores the sandbox's incidents in an append-only file of JSON lines. A line is durable before the create is answered.
import { dirname } from "node:path";
import type { Files } from "../platform/context.ts";
import { checkSchema, type Schema } from "./schema.ts";
import { keptIncident, schemas } from "./schemas.ts";
import { openLocked } from "./storage-lock.ts";
import type { StoredIncident } from "./store.ts";

export interface Storage {
  /** The incidents of earlier sandboxes. */
  readonly incidents: readonly StoredIncident[];
  /** Returns when the incident is durable. Throws if it cannot be written. */
  append(incident: StoredIncident): void;
}

export interface FileStorage extends Storage {
  /** Whether the file ended in a torn write: a create that was never answered. */
  readonly isTorn: boolean;
  close(): void;
}

/** The first line of a file of incidents. A file that starts otherwise has other content, and is never changed. */
const header = '{"incidentSandbox":1}';

/** In bytes: the incidents of a sandbox are kept in memory. */
const maxFileSize = 256 * 1024 * 1024;

/** The file has content that no sandbox wrote. */
export class OtherContentError extends Error {}

export interface StorageOptions {
  /** Replaces content that no sandbox wrote. */
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
): Promise<FileStorage> {
  const { descriptor, release } = await openLocked(files, path, platform);
  try {
    if (!files.fstatSync(descriptor).isFile()) throw new Error("it is not a regular file");
    // Windows cannot open a folder, and NTFS keeps the order of names by itself.
    if (platform !== "win32") syncFolder(files, dirname(path));
    const text = readAll(files, descriptor);
    const isIncident = (value: unknown): value is StoredIncident =>
      checkSchema(lineSchema(ofDocument), value, schemas).length === 0;
    const lines = force && !isOwn(text, isIncident) ? [""] : linesOf(text, isIncident);
    // A crash can leave a part of the header.
    if (lines.length === 1) {
      files.ftruncateSync(descriptor);
      appendDurably(files, descriptor, Buffer.from(`${header}\n`));
      lines.unshift(header);
    }
    const tail = lines.pop() ?? "";
    const incidents = lines.map((line, index) => parseLine(line, index, isIncident));
    let endsTorn = tail !== "";
    return {
      incidents: incidents.filter((incident) => incident !== undefined),
      isTorn: endsTorn,
      append: (incident) => {
        // Terminates the torn line of a crash or a full disk, so that this one starts on its own line.
        const text = `${endsTorn ? `${tornMark}\n` : ""}${JSON.stringify(incident)}\n`;
        endsTorn = true;
        appendDurably(files, descriptor, Buffer.from(text));
        endsTorn = false;
      },
      close: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The lines of a sandbox's file; the last one is incomplete or empty. Throws an `OtherContentError`. */
function linesOf(text: string, isIncident: IsIncident): string[] {
  if (!isOwn(text, isIncident)) throw new OtherContentError("it has content that no sandbox wrote");
  return header.startsWith(text) ? [""] : text.split("\n");
}

/** Whether a sandbox wrote the file: by its header, or by its first incident in a file of incident 0.1. */
function isOwn(text: string, isIncident: IsIncident): boolean {
  if (header.startsWith(text) || text.startsWith(`${header}\n`)) return true;
  const end = text.indexOf("\n");
  return end !== -1 && isIncident(parseJson(text.slice(0, end)));
}

/** Reads the open file: the path may lead elsewhere by now. */
function readAll(files: Files, descriptor: number): string {
  const { size } = files.fstatSync(descriptor);
  if (size > maxFileSize) throw new Error("it is larger than 256 MiB");
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = files.readSync(descriptor, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.toString("utf8", 0, length);
}

/** Ends a torn line. No JSON ends like this, so a torn line differs from invalid content. */
const tornMark = " …torn";

/** Returns undefined for the header, and for a torn or an empty line. */
function parseLine(line: string, index: number, isIncident: IsIncident): StoredIncident | undefined {
  if (line === "" || (line === header && index === 0) || line.endsWith(tornMark)) return undefined;
  const value = parseJson(line);
  if (!isIncident(value)) throw new Error(`line ${index + 1} is not an incident of a sandbox`);
  return value;
}

type IsIncident = (value: unknown) => value is StoredIncident;

function lineSchema(ofDocument: boolean): Schema {
  return {
    type: "object",
    required: ["incident"],
    properties: {
      incident: ofDocument ? keptIncident : { $ref: "#/components/schemas/Incident" },
      clientId: { type: "string" },
      replaces: { type: "boolean" },
    },
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** On a full disk, a write may be partial without an error; the next write then fails. */
function appendDurably(files: Files, descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += files.writeSync(descriptor, bytes, at);
  files.fsyncSync(descriptor);
}

/** Makes the directory entry of a new file durable. */
function syncFolder(files: Files, folder: string): void {
  const descriptor = files.openSync(folder, "r");
  try {
    files.fsyncSync(descriptor);
  } finally {
    files.closeSync(descriptor);
  }
}
