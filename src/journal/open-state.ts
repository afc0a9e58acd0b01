// Opens the state directory: the journal, the claims, and the notes about each service.
import { join } from "node:path";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { type Claims, createClaims } from "./claims.ts";
import { type ClientIdMemory, createClientIdMemory, type Notes } from "./client-ids.ts";
import type { ServiceKey } from "./events.ts";
import { originOf } from "./fleet/origin.ts";
import { withRedactedEvents } from "./fleet/redact-events.ts";
import { openPrivateFolder } from "./folder/private-files.ts";
import { createJournal, type Journal } from "./journal.ts";
import { openMemoryStore, openStore, type StoreDeps } from "./open-store.ts";

const day = 24 * 60 * 60 * 1000;

/** This machine's memory of operations, of claims and of each service. */
export interface State {
  readonly journal: Journal;
  /** Whether other machines use this journal as well. */
  readonly isShared: boolean;
  readonly claims: Claims;
  /** Notes of this machine about each service. */
  readonly notes: Notes;
  /** Whether a service keeps the ids of creates, by the evidence of its answers. */
  clientIds(service: ServiceKey): ClientIdMemory;
  /** Shortens a long journal, which delays every command, and removes what processes that died have left. */
  tidy(): Promise<void>;
}

/**
 * `folder` is the state directory; undefined for a state that is gone when the process ends, where `past` is the state
 * directory with what this machine knows. Nothing in it is touched before it is used. Throws a `Failure` where a shared journal cannot be used.
 */
export async function openState(
  deps: StoreDeps,
  folder: string | undefined,
  settings: JournalSettings,
  past?: string,
): Promise<State> {
  const { system } = deps;
  const isShared = folder !== undefined && settings.location.value.kind !== "folder";
  const store = folder === undefined ? openMemoryStore(deps, past) : await openStore(deps, folder, settings);
  const open = (name: string) => openPrivateFolder(deps, folder ?? "", join(folder ?? "", name));
  const notes: Notes = folder === undefined ? createMemoryNotes() : open("services");
  let id: string | undefined;
  let events = 0;
  const writer = () => {
    id ??= system.random.guid();
    events += 1;
    return `${id}-${events}`;
  };
  const origin = originOf(system);
  const { clock, signal } = system;
  const journalDeps = {
    store: isShared ? withRedactedEvents(store) : store,
    ...{ writer, clock, signal, origin },
  };
  const journal = createJournal(journalDeps);
  return {
    journal,
    isShared,
    claims: createClaims({ ...journalDeps, journal }),
    notes,
    clientIds: (service) => createClientIdMemory(notes, service),
    tidy: () => store.sweep(clock.now() - day),
  };
}

function createMemoryNotes(): Notes {
  const texts = new Map<string, string>();
  return { read: (name) => texts.get(name), replace: (name, text) => void texts.set(name, text) };
}
