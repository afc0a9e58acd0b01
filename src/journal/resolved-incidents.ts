// The incidents that this machine has seen resolved, so that `incident gate` reads each of those incidents once, and
// looks only at the operations since. An incident is forgotten when it is declared again, or settled as another one.
import { join } from "node:path";
import type { Files } from "../platform/context.ts";
import { addNames, readNewestNames } from "../platform/name-list.ts";
import { jsonDigest } from "../text/json-digest.ts";
import { fieldOf, parseJson } from "../untrusted-data.ts";
import type { ServiceKey } from "./events.ts";
import type { PrivateFolder } from "./folder/private-files.ts";
import { type Journal, operationName } from "./journal.ts";

/** The checkpoint of a full scan. */
export interface Look {
  /** The newest operation then. */
  readonly last: string;
  /** Those whose incident was not resolved. */
  readonly left: readonly string[];
  /** How many were. */
  readonly resolved: number;
}

export interface ResolvedIncidents {
  /** `names`: the resolved operations, all or the latest. `look`: the last full scan, for the operations before those. */
  read(): { readonly names: ReadonlySet<string>; readonly look: Look | undefined };
  /** Remembers resolved operations. Throws a `Failure` where the folder cannot be made. */
  add(operations: readonly string[]): void;
  /** Replaces the checkpoint of the last full scan. */
  keep(look: Look): void;
}

/** A line of the list that takes back the name after it, and those like it before. */
const forgotten = "-";

/** Lines that are read once all operations were looked at. More than the list gets between two looks. */
const mostLines = 4096;

export function openResolved(
  files: Files,
  folder: Pick<PrivateFolder, "make" | "path" | "read" | "replace">,
  { account, baseUrl }: ServiceKey,
): ResolvedIncidents {
  const name = `resolved-${jsonDigest([baseUrl, account]).slice(0, 40)}`;
  const path = join(folder.path, name);
  return {
    read() {
      const before = parseLook(folder.read(`${name}.json`));
      const names = new Set<string>();
      const taken = new Set<string>();
      for (const line of readNewestNames(files, path, before ? mostLines : Number.POSITIVE_INFINITY) ?? []) {
        if (!line.startsWith(forgotten)) {
          if (!taken.has(line)) names.add(line);
        } else if (!names.has(line.slice(forgotten.length))) taken.add(line.slice(forgotten.length));
      }
      if (before === undefined) return { names, look: undefined };
      const back = [...taken].filter((each) => !before.left.includes(each));
      const look = { ...before, left: [...before.left, ...back], resolved: before.resolved - back.length };
      return { names, look };
    },
    add(operations) {
      if (operations.length === 0) return;
      folder.make();
      addNames(files, path, operations, { starts: true });
    },
    keep: (look) => folder.replace(`${name}.json`, `${JSON.stringify(look)}\n`),
  };
}

/** Without a note that can be read, the next look is at all. */
function parseLook(text: string | undefined): Look | undefined {
  const look = parseJson(text ?? "");
  const isLook = Array.isArray(fieldOf(look, "left")) && typeof fieldOf(look, "last") === "string";
  return isLook ? (look as Look) : undefined;
}

/** A journal that forgets the operations whose incident may be another one, or open again. */
export function withForgotten(
  journal: Journal,
  open: (service: ServiceKey) => Pick<ResolvedIncidents, "add">,
): Journal {
  return {
    ...journal,
    async append(log, event) {
      if (log.created !== undefined && (event.type === "not-created" || event.type === "created"))
        open(log.key).add([forgotten + operationName(log.key)]);
      return journal.append(log, event);
    },
  };
}
