// Opens the memory of this machine.
import type { JournalSettings } from "../workspace/journal-location.ts";
import { originOf } from "./fleet/origin.ts";
import type { Journal } from "./journal.ts";
import { openJournal, openMemoryJournal } from "./open-journal.ts";
import type { SequencesDeps } from "./open-sequences.ts";

const day = 24 * 60 * 60 * 1000;

/** What was sent from here, and from the machines that share the journal. */
export interface State {
  readonly journal: Journal;
  /** Whether other machines use this journal as well. */
  readonly isShared: boolean;
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
  return {
    journal,
    isShared,
    tidy: () => journal.sweep(system.clock.now() - day),
  };
}
