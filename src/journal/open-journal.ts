// Opens a journal: in the folder of this machine, in a place that machines share, or in memory. A shared engine is loaded only
// where one is chosen.
import { ignoreFailure } from "../failure.ts";
import type { Files, System } from "../platform/context.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { stateDirectory } from "../workspace/workspace.ts";
import { checkState } from "./check-state.ts";
import { openMachineMemory } from "./fleet/machine-memory.ts";
import { originOf } from "./fleet/origin.ts";
import { createFolderSequences } from "./folder/sequences.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createMemorySequences } from "./memory-sequences.ts";
import type { Sequences } from "./sequence.ts";

interface JournalDeps {
  readonly files: Files;
  readonly system: System;
}

/** Throws a `Failure` where the engine cannot be used. */
export async function openSequences(deps: JournalDeps, settings: JournalSettings): Promise<Sequences> {
  const location = settings.location.value;
  switch (location.kind) {
    case "folder":
      return createFolderSequences(deps, stateDirectory(deps.system).value);
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

/** Throws a `Failure` where the state directory cannot be trusted, or the journal cannot be used. */
export async function openJournal(deps: JournalDeps, settings: JournalSettings): Promise<Journal> {
  const { system } = deps;
  const folder = stateDirectory(system).value;
  await checkState(deps, folder);
  const sequences = await openSequences(deps, settings);
  const memory =
    sequences.shared === undefined ? undefined : openMachineMemory(deps, folder, sequences.shared);
  return createJournal({
    system,
    writer: system.random.guid,
    sequences,
    memory,
    origin: originOf(system),
  });
}

/**
 * For `--no-journal`: it is gone when the process ends. The knowledge of this machine helps, where its state directory can be
 * trusted, which is only read.
 */
export async function openMemoryJournal(deps: JournalDeps): Promise<Journal> {
  const { system } = deps;
  const folder = stateDirectory(system).value;
  const past = () => createFolderSequences(deps, folder);
  const known = await checkState(deps, folder).then(past, ignoreFailure);
  return createJournal({ system, writer: system.random.guid, sequences: createMemorySequences(known) });
}
