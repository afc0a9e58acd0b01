// Opens the state directory: the journal, the claims, and the notes about each service.
import { join } from "node:path";
import { bestEffort } from "../../failure.ts";
import type { JournalSettings } from "../../settings/journal-location.ts";
import { type ClientIdMemory, type ClientIds, createClientIdMemory, type Notes } from "../client-ids.ts";
import { openResolved, type ResolvedIncidents, withForgotten } from "../resolved-incidents.ts";
import { type Claims, createClaims } from "./claims.ts";
import type { ServiceKey } from "./events.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createMemoryStore } from "./memory-store.ts";
import { readOldClaim } from "./old-claims.ts";
import { openStore, type StoreDeps } from "./open-store.ts";
import { openPrivateFolder, type PrivateFolder } from "./private-files.ts";
import { prune } from "./prune.ts";
import { createSubjectIndex, type SubjectIndex } from "./subject-index.ts";

export interface State {
  readonly journal: Journal;
  /** Whether other machines use this journal as well. */
  readonly isShared: boolean;
  readonly claims: Claims;
  readonly subjects: SubjectIndex;
  /** Of this machine, about each service. */
  readonly notes: Notes;
  resolved(service: ServiceKey): ResolvedIncidents;
  clientIds(service: ServiceKey, promised: ClientIds | undefined): ClientIdMemory;
  /** Drops the content of old, settled operations; at most once a day. */
  prune(): Promise<void>;
}

/**
 * `folder` is the state directory; undefined for a state that is gone when the process ends. Nothing in it is touched
 * before it is used. Throws a `Failure` where a shared journal cannot be used.
 */
export async function openState(
  deps: StoreDeps,
  folder: string | undefined,
  settings: JournalSettings,
): Promise<State> {
  const { system } = deps;
  const isShared = folder !== undefined && settings.location.value.kind !== "folder";
  const store = folder === undefined ? createMemoryStore() : await openStore(deps, folder, settings);
  const open = (name: string, isDurable = true) =>
    openPrivateFolder(deps, folder ?? "", join(folder ?? "", name), { isDurable });
  const notes = folder === undefined ? createMemoryNotes() : open("services");
  const claims = folder === undefined ? undefined : open("claims");
  let id: string | undefined;
  let events = 0;
  const writer = () => {
    id ??= system.random.guid();
    events += 1;
    return `${id}-${events}`;
  };
  const journalDeps = { store, writer, clock: system.clock };
  const plain = createJournal(journalDeps);
  const resolved: State["resolved"] = (service) =>
    folder === undefined
      ? { names: () => new Set(), add: () => undefined }
      : openResolved(deps.files, open("services"), service);
  const journal = withForgotten(isShared ? await shareJournal(deps, plain, open("kept")) : plain, resolved);
  return {
    journal,
    isShared,
    claims: createClaims({
      ...journalDeps,
      journal,
      system,
      readOldClaim: (content) => claims && readOldClaim(claims, content),
    }),
    subjects: createSubjectIndex(folder === undefined ? createMemoryNotes() : open("subjects", false)),
    notes,
    resolved,
    clientIds: (service, promised) => createClientIdMemory(notes, service, promised),
    // A shared journal has no text to drop, and is not changed for the sake of one machine.
    prune: async () => {
      if (!isShared) await prune({ system, journal, notes, stores: [store] });
    },
  };
}

/** With the events of earlier commands that are still pending. */
async function shareJournal(
  { system, warn }: StoreDeps,
  journal: Journal,
  folder: PrivateFolder,
): Promise<Journal> {
  const { appendPendingEvents, withPendingEvents } = await import("./fleet/pending-events.ts");
  await bestEffort({ warn }, () => appendPendingEvents(journal, folder));
  return withPendingEvents(journal, { system, folder });
}

function createMemoryNotes(): Notes {
  const texts = new Map<string, string>();
  return { read: (name) => texts.get(name), replace: (name, text) => void texts.set(name, text) };
}
