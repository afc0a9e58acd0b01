// Opens the store of the journal for each kind of location. A shared store is loaded only where one is chosen.
import type { Files, Reporter, System } from "../platform/context.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
import type { EventStore } from "./event-store.ts";
import { type MachineMemory, openMachineMemory } from "./fleet/machine-memory.ts";
import type { FileDeps } from "./folder/private-files.ts";
import { createFolderSequences } from "./folder/sequences.ts";
import { createMemorySequences } from "./memory-sequences.ts";
import type { Sequences } from "./sequence.ts";
import { createSequenceStore, type SequenceDeps } from "./sequence-store.ts";

export interface StoreDeps extends Pick<Reporter, "warn"> {
  readonly files: Files;
  readonly system: System;
}

/** `folder` is the state directory. Throws a `Failure` where the store cannot be used. */
export async function openStore(
  deps: StoreDeps,
  folder: string,
  settings: JournalSettings,
): Promise<EventStore> {
  const sequences = await openSequences(deps, folder, settings);
  return createSequenceStore(deps, sequences, memoryOf(deps, folder, sequences));
}

/** What this machine remembers of a journal; undefined for a journal that it shares with no other. */
export async function openMemory(
  deps: StoreDeps,
  folder: string,
  settings: JournalSettings,
): Promise<MachineMemory | undefined> {
  return memoryOf(deps, folder, await openSequences(deps, folder, settings));
}

function memoryOf(deps: StoreDeps, folder: string, { shared }: Sequences): MachineMemory | undefined {
  return shared === undefined ? undefined : openMachineMemory(deps, folder, shared);
}

async function openSequences(deps: StoreDeps, folder: string, settings: JournalSettings): Promise<Sequences> {
  const location = settings.location.value;
  switch (location.kind) {
    case "folder":
      return createFolderSequences(deps, folder);
    case "git": {
      const { openGit } = await import("./git/sequences.ts");
      return openGit(deps, location, settings);
    }
    case "postgres": {
      const { openPostgres } = await import("./postgres/sequences.ts");
      return openPostgres(deps, location.url);
    }
  }
}

export type FolderDeps = SequenceDeps & FileDeps;

/** The journal of this machine. `folder` is the state directory. */
export function openFolderStore(deps: FolderDeps, folder: string): EventStore {
  return createSequenceStore(deps, createFolderSequences(deps, folder));
}

/** A journal that is gone when the process ends. `folder` has what this machine knows; undefined where that does not count. */
export function openMemoryStore(deps: FolderDeps, folder: string | undefined): EventStore {
  const past = folder === undefined ? undefined : createFolderSequences(deps, folder);
  return createSequenceStore(deps, createMemorySequences(past));
}
