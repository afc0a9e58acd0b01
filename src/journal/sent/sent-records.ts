// The first events of the creates that were sent from this machine, for readers that open no journal: completion, and the
// services of earlier creates. A record that cannot be read is left out.
import { join } from "node:path";
import type { Files } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { eventName, findLine, readNewestOperations, type SentPlace, sentPlaces } from "../event-lines.ts";

/** In bytes. */
const maxFileSize = 1024 * 1024;

/** The parts of a record that are read. */
export interface SentRecord {
  readonly first?: number;
  readonly key?: { readonly account?: unknown; readonly baseUrl?: unknown; readonly id?: unknown };
  readonly event?: {
    readonly type?: unknown;
    readonly at?: unknown;
    readonly content?: { readonly body?: { readonly name?: unknown; readonly services?: unknown } };
    readonly summary?: { readonly state?: unknown };
  };
}

/** The newest first, at most `limit` of each kind of journal. */
export function* readSentRecords(
  files: Files,
  stateDirectory: string,
  limit: number,
): Generator<SentRecord, void> {
  for (const place of Object.values(sentPlaces)) {
    for (const log of readNewestOperations(files, stateDirectory, limit, place)) {
      const record = readRecord(files, stateDirectory, place, eventName(log, 0));
      if (record !== undefined) yield record;
    }
  }
}

/** `undefined` where the file is no JSON object that can be read. */
export function readRecord(
  files: Files,
  stateDirectory: string,
  { folder }: SentPlace,
  name: string,
): SentRecord | undefined {
  try {
    const file = join(stateDirectory, folder, name);
    const read = files.lstatSync(file).isFile() ? readRegularFile(files, file, maxFileSize) : undefined;
    if (read === undefined || read.bytes.length > maxFileSize) return undefined;
    return JSON.parse(findLine(name, Buffer.from(read.bytes).toString("utf8")));
  } catch {
    return undefined;
  }
}

export interface RecentId {
  readonly id: string;
  readonly name: string;
}

const maxIds = 50;

/** For shell completion: the newest first. */
export function readRecentIds(files: Files, stateDirectory: string): readonly RecentId[] {
  return [...readSentRecords(files, stateDirectory, maxIds)].flatMap(({ event, key }) => {
    const name = event?.content?.body?.name;
    return typeof key?.id === "string" && typeof name === "string" ? [{ id: key.id, name }] : [];
  });
}
