// How often the alert of a dedup key fired while its incident was open, as this machine saw it: a list of times for each
// operation, beside the journal. It is a hint, and no step of a delivery reads it.
import { join } from "node:path";
import type { Files } from "../platform/context.ts";
import { addNames, readNewestNames } from "../platform/name-list.ts";
import type { OperationKey } from "./events.ts";
import type { PrivateFolder } from "./folder/private-files.ts";
import { operationName } from "./journal.ts";

export type Firings = ReturnType<typeof openFirings>;

const prefix = "fired-";
const keptFor = 90 * 24 * 60 * 60 * 1000;

export function openFirings(
  files: Files,
  folder: Pick<PrivateFolder, "make" | "names" | "path" | "remove" | "writtenAt">,
) {
  const pathOf = (key: OperationKey) => join(folder.path, prefix + operationName(key));
  return {
    add(key: OperationKey, at: string): void {
      folder.make();
      addNames(files, pathOf(key), [at], { starts: true });
    },
    /** The times, the newest first. */
    times: (key: OperationKey) => readNewestNames(files, pathOf(key), Number.POSITIVE_INFINITY) ?? [],
    /** Removes the lists that nothing was added to since 90 days before `time` (milliseconds since the epoch). */
    async sweep(time: number): Promise<void> {
      for (const name of folder.names())
        if (name.startsWith(prefix) && time - (folder.writtenAt(name) ?? time) > keptFor) folder.remove(name);
    },
  };
}
