// Opens a journal: in the folder of this machine, in a place that machines share, or in memory.
import type { System } from "../platform/context.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { type MachineMemory, openMachineMemory } from "./fleet/machine-memory.ts";
import type { Origin } from "./fleet/origin.ts";
import type { FileDeps } from "./folder/private-files.ts";
import { createFolderSequences } from "./folder/sequences.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createMemorySequences } from "./memory-sequences.ts";
import { openSequences, type SequencesDeps } from "./open-sequences.ts";
import type { Sequences } from "./sequence.ts";

export interface FolderDeps extends FileDeps {
  readonly system: Pick<System, "clock" | "random" | "signal" | "user">;
}

/** `folder` is the state directory. Throws a `Failure` where the journal cannot be used. */
export async function openJournal(
  deps: SequencesDeps,
  folder: string,
  settings: JournalSettings,
  origin?: Origin,
): Promise<Journal> {
  const sequences = await openSequences(deps, folder, settings);
  const memory = memoryOf(deps, folder, sequences);
  const isRedacted = sequences.shared !== undefined;
  return journalOf(deps, { sequences, memory, isRedacted, ...(origin && { origin }) });
}

/** What this machine remembers of a journal; undefined for a journal that it shares with no other. */
export async function openMemory(
  deps: SequencesDeps,
  folder: string,
  settings: JournalSettings,
): Promise<MachineMemory | undefined> {
  return memoryOf(deps, folder, await openSequences(deps, folder, settings));
}

function memoryOf(deps: SequencesDeps, folder: string, { shared }: Sequences): MachineMemory | undefined {
  return shared === undefined ? undefined : openMachineMemory(deps, folder, shared);
}

/** The journal of this machine. `folder` is the state directory. */
export function openFolderJournal(deps: FolderDeps, folder: string): Journal {
  return journalOf(deps, { sequences: createFolderSequences(deps, folder) });
}

/** A journal that is gone when the process ends. `past` has what this machine knows; undefined where that does not count. */
export function openMemoryJournal(deps: FolderDeps, past: string | undefined): Journal {
  const known = past === undefined ? undefined : createFolderSequences(deps, past);
  return journalOf(deps, { sequences: createMemorySequences(known) });
}

function journalOf(
  { system }: Pick<FolderDeps, "system">,
  parts: Omit<Parameters<typeof createJournal>[0], "system" | "writer">,
): Journal {
  return createJournal({ system, writer: system.random.guid, ...parts });
}
