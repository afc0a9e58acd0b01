// The state directory opened: the journal, the index of what is under way, and what is known of the service.
import { join } from "node:path";
import type { Context } from "../../platform/context.ts";
import { type ClientIdMemory, type ClientIds, createClientIdMemory } from "../client-ids.ts";
import { type Claims, createClaims } from "./claims.ts";
import type { OperationKey } from "./events.ts";
import { createFolderStore } from "./folder-store.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createMemoryStore } from "./memory-store.ts";
import { prune } from "./prune.ts";

export interface State {
  readonly journal: Journal;
  readonly claims: Claims;
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
  const open = (name: string, list?: string) =>
    folder === undefined
      ? createMemoryStore()
      : createFolderStore(context, join(folder, name), list && join(folder, list));
  // The list stands beside it, so that looking for what is unsettled never reads the names of all that ever was.
  const entries = open("journal", "unsettled");
  const contents = open("claims");
  const services = open("services");
  const journal = createJournal(entries);
  const claims = createClaims({ journal, store: contents, now: clock.now, startedAt });
  return {
    journal,
    claims,
    clientIds: (service, promised) => createClientIdMemory(services, service, promised),
    prune: () =>
      prune({ ...context, journal, claims, notes: services, stores: [entries, contents, services] }),
  };
}
