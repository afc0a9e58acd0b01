// Keeps the sandbox's incidents in a file that only grows: one line of JSON for each, on the disk before the
// create is answered. That is enough for a rehearsal, and there is no store to install.
import { dirname } from "node:path";
import type { Files } from "../platform/context.ts";
import { checkSchema } from "./schema.ts";
import { schemas } from "./schemas.ts";
import type { Kept } from "./store.ts";

export interface Data {
  /** What the file held when it was opened. */
  readonly kept: readonly Kept[];
  /** The file ended in the middle of a line: a create that was never answered. */
  readonly torn: boolean;
  /** Returns when the line is on the disk, and throws where it is not. */
  keep(kept: Kept): void;
  close(): void;
}

/** Opens the file at an absolute path, and creates it. Throws where it cannot, or where it holds something else. */
export function openData(files: Files, path: string): Data {
  const descriptor = files.openSync(path, "a+", 0o600);
  try {
    syncFolder(files, dirname(path));
    const lines = files.readFileSync(path, "utf8").split("\n");
    const tail = lines.pop() ?? "";
    const kept = lines.filter((line) => line !== "").map(parseLine);
    let isTorn = tail !== "";
    return {
      kept: kept.filter((entry) => entry !== undefined),
      torn: isTorn,
      keep: (entry) => {
        // Whatever was torn, or failed on a full disk, ends before the next line begins.
        const text = `${isTorn ? `${tornMark}\n` : ""}${JSON.stringify(entry)}\n`;
        isTorn = true;
        append(files, descriptor, Buffer.from(text));
        isTorn = false;
      },
      close: () => files.closeSync(descriptor),
    };
  } catch (error) {
    files.closeSync(descriptor);
    throw error;
  }
}

/** No JSON ends like this, so a torn line can be told from a broken one. */
const tornMark = " …torn";

function parseLine(line: string, index: number): Kept | undefined {
  if (line.endsWith(tornMark)) return undefined;
  const value = jsonOf(line);
  if (checkSchema(keptSchema, value, schemas).length > 0) {
    throw new Error(`line ${index + 1} is not an incident of a sandbox`);
  }
  return value as Kept;
}

const keptSchema = {
  type: "object",
  required: ["incident"],
  properties: {
    incident: { $ref: "#/components/schemas/Incident" },
    clientId: { type: "string" },
    replaces: { type: "boolean" },
  },
} as const;

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A full disk takes a part and says nothing, so the rest is tried again, and then it says so. */
function append(files: Files, descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += files.writeSync(descriptor, bytes, at);
  files.fsyncSync(descriptor);
}

/** Only then does a new file survive a power cut. */
function syncFolder(files: Files, folder: string): void {
  const descriptor = files.openSync(folder, "r");
  try {
    files.fsyncSync(descriptor);
  } finally {
    files.closeSync(descriptor);
  }
}
