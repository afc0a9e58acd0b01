// The operations whose incidents this machine has seen resolved, so that `incident gate` reads each of them once. They
// are forgotten when they are declared again, or settled as another incident.
import { join } from "node:path";
import type { Files } from "../platform/context.ts";
import { addNames, readNewestNames } from "../platform/name-list.ts";
import type { ServiceKey } from "./events.ts";
import type { PrivateFolder } from "./folder/private-files.ts";
import { hash, type Journal, operationName } from "./journal.ts";

export interface ResolvedIncidents {
  /** The names of the operations. */
  names(): ReadonlySet<string>;
  /** Throws a `Failure` where the folder cannot be made. */
  add(operations: readonly string[]): void;
}

/** A line of the list that takes back the name after it, and those like it before. */
const forgotten = "-";

export function openResolved(
  files: Files,
  folder: Pick<PrivateFolder, "make" | "path">,
  { account, baseUrl }: ServiceKey,
): ResolvedIncidents {
  const path = join(folder.path, `resolved-${hash([baseUrl, account ?? null]).slice(0, 40)}`);
  return {
    names() {
      const known = new Set<string>();
      const taken = new Set<string>();
      for (const name of readNewestNames(files, path, Number.POSITIVE_INFINITY) ?? []) {
        if (name.startsWith(forgotten)) taken.add(name.slice(forgotten.length));
        else if (!taken.has(name)) known.add(name);
      }
      return known;
    },
    add(operations) {
      if (operations.length === 0) return;
      folder.make();
      addNames(files, path, operations, { starts: true });
    },
  };
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
