// Opens a journal: in the folder of this machine, in a place that machines share, or in memory.
import type { JournalSettings } from "../workspace/journal-location.ts";
import { openMachineMemory } from "./fleet/machine-memory.ts";
import { type Origin, originOf } from "./fleet/origin.ts";
import { createFolderSequences } from "./folder/sequences.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createMemorySequences } from "./memory-sequences.ts";
import { openSequences, type SequencesDeps } from "./open-sequences.ts";

/** The journal of this machine, or of the machines that share it. */
export interface State {
  readonly journal: Journal;
  /** Whether other machines use this journal as well. */
  readonly isShared: boolean;
  /** Shortens a long journal, which delays every command. */
  tidy(): Promise<void>;
}

/**
 * `folder` is the state directory; undefined for a state that is gone when the process ends. Then `past` is the state
 * directory, which is only read. Throws a `Failure` where a shared journal cannot be used.
 */
export async function openState(
  deps: SequencesDeps,
  folder: string | undefined,
  settings: JournalSettings,
  past?: string,
): Promise<State> {
  const { system } = deps;
  const known = past === undefined ? undefined : createFolderSequences(deps, past);
  const journal =
    folder === undefined
      ? createJournal({ system, writer: system.random.guid, sequences: createMemorySequences(known) })
      : await openJournal(deps, folder, settings, originOf(system));
  return {
    journal,
    isShared: folder !== undefined && settings.location.value.kind !== "folder",
    tidy: () => journal.shorten(),
  };
}

/** `folder` is the state directory. Throws a `Failure` where the journal cannot be used. */
export async function openJournal(
  deps: SequencesDeps,
  folder: string,
  settings: JournalSettings,
  origin?: Origin,
): Promise<Journal> {
  const { system } = deps;
  const sequences = await openSequences(deps, folder, settings);
  const memory =
    sequences.shared === undefined ? undefined : openMachineMemory(deps, folder, sequences.shared);
  return createJournal({ system, writer: system.random.guid, sequences, memory, origin });
}
