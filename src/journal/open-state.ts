// Opens the state directory: the journal, and the notes about each service.
import { join } from "node:path";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { type ClientIdMemory, createClientIdMemory, type Notes } from "./client-ids.ts";
import type { ServiceKey } from "./events.ts";
import { originOf } from "./fleet/origin.ts";
import { openPrivateFolder } from "./folder/private-files.ts";
import type { Journal } from "./journal.ts";
import { openJournal, openMemoryJournal } from "./open-journal.ts";
import type { SequencesDeps } from "./open-sequences.ts";

const day = 24 * 60 * 60 * 1000;

/** This machine's memory of operations and of each service. */
export interface State {
  readonly journal: Journal;
  /** Whether other machines use this journal as well. */
  readonly isShared: boolean;
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
  deps: SequencesDeps,
  folder: string | undefined,
  settings: JournalSettings,
  past?: string,
): Promise<State> {
  const { system } = deps;
  const isShared = folder !== undefined && settings.location.value.kind !== "folder";
  const journal =
    folder === undefined
      ? openMemoryJournal(deps, past)
      : await openJournal(deps, folder, settings, originOf(system));
  const open = (name: string) => openPrivateFolder(deps, folder ?? "", join(folder ?? "", name));
  const notes: Notes = folder === undefined ? createMemoryNotes() : open("services");
  return {
    journal,
    isShared,
    notes,
    clientIds: (service) => createClientIdMemory(notes, service),
    tidy: () => journal.sweep(system.clock.now() - day),
  };
}

function createMemoryNotes(): Notes {
  const texts = new Map<string, string>();
  return { read: (name) => texts.get(name), replace: (name, text) => void texts.set(name, text) };
}
