// The ids and names of creates that were sent from here, for shell completion. It opens no journal, because it runs
// with every press of Tab.
import { join } from "node:path";
import type { Files } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { findLine, readNewestOperations } from "./event-lines.ts";

export interface RecentId {
  readonly id: string;
  readonly name: string;
}

const maxIds = 50;

/** In bytes. */
const maxFileSize = 1024 * 1024;

/** Reads the first event of each log, which has the id and the name. Empty where the journal cannot be read. */
export function readRecentIds(files: Files, stateDirectory: string): readonly RecentId[] {
  const folder = join(stateDirectory, "journal");
  try {
    const names = readNewestOperations(files, stateDirectory, maxIds).map((log) => `${log}-000.json`);
    const found = names.filter((name) => files.lstatSync(join(folder, name), { throwIfNoEntry: false }));
    return found.map((name) => {
      const file = join(folder, name);
      const read = files.lstatSync(file).isFile() ? readRegularFile(files, file, maxFileSize) : undefined;
      if (read === undefined || read.bytes.length > maxFileSize) throw new Error(`${file} is no event`);
      const { key, event } = JSON.parse(findLine(name, Buffer.from(read.bytes).toString("utf8")));
      return { id: String(key.id), name: String(event.content.body.name) };
    });
  } catch {
    return [];
  }
}
