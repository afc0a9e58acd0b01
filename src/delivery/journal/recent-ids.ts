// The ids and names of creates that were sent from here, for shell completion. It opens no journal, because it runs
// with every press of Tab.
import { join } from "node:path";
import type { Files } from "../../platform/context.ts";

export interface RecentId {
  readonly id: string;
  readonly name: string;
}

const maxIds = 50;

/** In bytes. */
const maxFileSize = 1024 * 1024;

/** Reads the first event of each log, which has the id and the name. Empty where the journal cannot be read. */
export function readRecentIds(
  files: Pick<Files, "lstatSync" | "readdirSync" | "readFileSync">,
  stateDirectory: string,
): readonly RecentId[] {
  const folder = join(stateDirectory, "journal");
  try {
    const names = files.readdirSync(folder).filter((name) => /^op-.*-000\.json$/.test(name));
    return names.slice(0, maxIds).map((name) => {
      const file = join(folder, name);
      const stat = files.lstatSync(file);
      if (!stat.isFile() || stat.size > maxFileSize) throw new Error(`${file} is no event`);
      const { key, event } = JSON.parse(files.readFileSync(file, "utf8"));
      return { id: String(key.id), name: String(event.content.body.name) };
    });
  } catch {
    return [];
  }
}
