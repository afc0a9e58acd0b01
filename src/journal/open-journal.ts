// Opens a journal: in the folder of this machine, in a place that machines share, or in memory. A shared engine is loaded only
// where one is chosen.
import type { Files, System } from "../platform/context.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
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

/** `folder` is the state directory. Throws a `Failure` where the engine cannot be used. */
export async function openSequences(
  deps: JournalDeps,
  folder: string,
  settings: JournalSettings,
): Promise<Sequences> {
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

/** `folder` is the state directory. Throws a `Failure` where the journal cannot be used. */
export async function openJournal(
  deps: JournalDeps,
  folder: string,
  settings: JournalSettings,
): Promise<Journal> {
  const { system } = deps;
  const sequences = await openSequences(deps, folder, settings);
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

/** For `--no-journal`: it is gone when the process ends. `past` is the state directory, which is only read. */
export function openMemoryJournal(deps: JournalDeps, past: string | undefined): Journal {
  const { system } = deps;
  const known = past === undefined ? undefined : createFolderSequences(deps, past);
  return createJournal({ system, writer: system.random.guid, sequences: createMemorySequences(known) });
}
