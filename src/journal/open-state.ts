// Opens the state directory: the journal, the claims, and the notes about each service.
import { join } from "node:path";
import { bestEffort, Failure } from "../failure.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { createClaims } from "./claims.ts";
import { type ClientIds, createClientIdMemory, type Notes } from "./client-ids.ts";
import { withConsistentReads } from "./consistent-store.ts";
import type { ServiceKey } from "./events.ts";
import type { PendingEventsDeps } from "./fleet/pending-events.ts";
import { openPrivateFolder, type PrivateFolder } from "./folder/private-files.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createMemoryStore } from "./memory-store.ts";
import { openStore, type StoreDeps } from "./open-store.ts";
import { prune } from "./prune.ts";
import { openResolved, type ResolvedIncidents, withForgotten } from "./resolved-incidents.ts";
import { createSubjectIndex } from "./subject-index.ts";

export type State = Awaited<ReturnType<typeof openState>>;

/**
 * `folder` is the state directory; undefined for a state that is gone when the process ends. Nothing in it is touched
 * before it is used. `sends` is for a command that may send; `isNew` is `--new`. Throws a `Failure` where a shared
 * journal cannot be used.
 */
export async function openState(
  deps: StoreDeps,
  folder: string | undefined,
  settings: JournalSettings,
  sends?: { readonly stateDirectory: string; readonly isNew: boolean },
) {
  const { system } = deps;
  const isShared = folder !== undefined && settings.location.value.kind !== "folder";
  const store =
    folder === undefined
      ? createMemoryStore()
      : withConsistentReads(await openStore(deps, folder, settings), system);
  const open = (name: string, isDurable = true) =>
    openPrivateFolder(deps, folder ?? "", join(folder ?? "", name), { isDurable });
  const notes: Notes = folder === undefined ? createMemoryNotes() : open("services");
  let id: string | undefined;
  let events = 0;
  const writer = () => {
    id ??= system.random.guid();
    events += 1;
    return `${id}-${events}`;
  };
  const journalDeps = { store, writer, clock: system.clock, signal: system.signal };
  const plain = createJournal(journalDeps);
  const resolved = (service: ServiceKey): ResolvedIncidents =>
    folder === undefined
      ? { read: () => ({ names: new Set(), look: undefined }), add: () => undefined, keep: () => undefined }
      : openResolved(deps.files, open("services"), service);
  const root = folder ?? sends?.stateDirectory ?? "";
  const pending = {
    system,
    folder: openPrivateFolder(deps, root, join(root, "kept")),
    attempts: openPrivateFolder(deps, root, join(root, "attempts")),
    shown: settings.shown,
  };
  const shared = isShared ? await shareJournal(deps, plain, pending, sends !== undefined) : plain;
  const checked = sends?.isNew === false ? withPendingCheck(shared, pending, isShared) : shared;
  const journal = withForgotten(checked, resolved);
  return {
    journal,
    /** Whether other machines use this journal as well. */
    isShared,
    claims: createClaims({ ...journalDeps, journal, system }),
    subjects: createSubjectIndex(folder === undefined ? createMemoryNotes() : open("subjects", false)),
    /** Of this machine, about each service. */
    notes,
    resolved,
    clientIds: (service: ServiceKey, promised: ClientIds | undefined) =>
      createClientIdMemory(notes, service, promised),
    /** Drops the content of old, settled operations, and tidies up the store; at most once a day. */
    prune: () =>
      prune({
        system,
        journal: isShared ? undefined : journal,
        notes,
        store,
      }),
  };
}

/** With the events of earlier commands that are still pending. Only a command that sends is stopped by them. */
async function shareJournal(
  { warn }: StoreDeps,
  journal: Journal,
  pending: PendingEventsDeps,
  isStopped: boolean,
): Promise<Journal> {
  const { appendPendingEvents, withPendingEvents } = await import("./fleet/pending-events.ts");
  if (isStopped) await appendPendingEvents(journal, pending);
  else await bestEffort({ warn }, () => appendPendingEvents(journal, pending));
  return withPendingEvents(journal, pending);
}

/** Sends nothing while an outcome is pending for another journal: this one does not know of its create. */
function withPendingCheck(
  journal: Journal,
  { attempts, folder, shown }: PendingEventsDeps,
  isShared: boolean,
): Journal {
  return {
    ...journal,
    async append(log, event) {
      if (event.type === "sending" && [attempts, folder].some(hasNames)) {
        const { checkPending } = await import("./fleet/pending-events.ts");
        checkPending([attempts, folder], log.key, event.content, isShared ? shown : undefined);
      }
      return journal.append(log, event);
    },
  };
}

/** False where the folder cannot be read, as with `--no-journal` beside a broken state directory. */
function hasNames(folder: PrivateFolder): boolean {
  try {
    return folder.names().length > 0;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function createMemoryNotes(): Notes {
  const texts = new Map<string, string>();
  return { read: (name) => texts.get(name), replace: (name, text) => void texts.set(name, text) };
}
