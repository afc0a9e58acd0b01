// Stores the sandbox's incidents in an append-only file of JSON lines. A line is durable before the create is answered.
import { dirname } from "node:path";
import type { Files } from "../platform/context.ts";
import { checkSchema } from "./schema.ts";
import { schemas } from "./schemas.ts";
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

/**
 * Opens or creates the file at an absolute path, and locks it until `close`. Rejects with a `StorageInUseError` if
 * another sandbox uses the file, and with another error if the file cannot be opened or has other content.
 */
export async function openStorage(
  files: Files,
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<FileStorage> {
  const { descriptor, release } = await openLocked(files, path, platform);
  try {
    if (!files.fstatSync(descriptor).isFile()) throw new Error("it is not a regular file");
    syncFolder(files, dirname(path));
    const lines = files.readFileSync(path, "utf8").split("\n");
    const tail = lines.pop() ?? "";
    const incidents = lines.filter((line) => line !== "").map(parseLine);
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

/** Ends a torn line. No JSON ends like this, so a torn line differs from invalid content. */
const tornMark = " …torn";

/** Returns undefined for a torn line. */
function parseLine(line: string, index: number): StoredIncident | undefined {
  if (line.endsWith(tornMark)) return undefined;
  const value = parseJson(line);
  if (checkSchema(lineSchema, value, schemas).length > 0) {
    throw new Error(`line ${index + 1} is not an incident of a sandbox`);
  }
  return value as StoredIncident;
}

const lineSchema = {
  type: "object",
  required: ["incident"],
  properties: {
    incident: { $ref: "#/components/schemas/Incident" },
    clientId: { type: "string" },
    replaces: { type: "boolean" },
  },
} as const;

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
