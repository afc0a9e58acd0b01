// The state directory opened: the journal, the index of what is under way, and what is known of the service.
import { join } from "node:path";
import type { Context } from "../context.ts";
import { type ClientIdMemory, type ClientIds, createClientIdMemory } from "./client-ids.ts";
import { createJournal, type Journal, type OperationKey } from "./journal.ts";
import { prune } from "./prune.ts";
import { createFolderStore, createMemoryStore } from "./store.ts";
import { createUnfinished, type Unfinished } from "./unfinished.ts";

export interface State {
  readonly journal: Journal;
  readonly unfinished: Unfinished;
  clientIds(
    service: Pick<OperationKey, "baseUrl" | "account">,
    promised: ClientIds | undefined,
  ): ClientIdMemory;
  /** Removes what is old and settled; at most once a day. */
  prune(): void;
}

/** `folder` undefined: a state that is forgotten when the process ends. Nothing is touched before it is used. */
export function openState(
  context: Pick<Context, "files" | "random" | "user" | "clock" | "startedAt">,
  folder: string | undefined,
): State {
  const { clock, startedAt } = context;
  // Folders of their own, so that looking for what is under way never reads the names of all that ever was.
  const open = (name: string) =>
    folder === undefined ? createMemoryStore() : createFolderStore(context, join(folder, name));
  const entries = open("journal");
  const marks = open("unfinished");
  const told = open("told");
  const services = open("services");
  const journal = createJournal(entries);
  const unfinished = createUnfinished({ journal, open: marks, told, now: clock.now, startedAt });
  return {
    journal,
    unfinished,
    clientIds: (service, promised) => createClientIdMemory(services, service, promised),
    prune: () =>
      prune({ ...context, journal, unfinished, notes: services, stores: [entries, marks, told, services] }),
  };
}
