// Opens a journal: in the folder of this machine, in a shared place, whose engine loads only then, or in memory.
import { ignoreFailure } from "../failure.ts";
import { once } from "../once.ts";
import type { Files, System } from "../platform/context.ts";
import type { JournalLocation } from "../workspace/journal-location.ts";
import { stateDirectory } from "../workspace/workspace.ts";
import { checkState } from "./check-state.ts";
import { openMachineMemory } from "./fleet/machine-memory.ts";
import { originOf } from "./fleet/origin.ts";
import { createFolderSequences } from "./folder/sequences.ts";
import { createDraftJournal, createJournal, type Journal } from "./journal.ts";
import type { Sequences, Tail } from "./sequence.ts";

interface OpenDeps {
  readonly files: Files;
  readonly system: System;
}

/** Throws a `Failure` where the engine cannot be used. */
export async function openSequences(deps: OpenDeps, location: JournalLocation): Promise<Sequences> {
  switch (location.kind) {
    case "folder":
      return createFolderSequences(deps, stateDirectory(deps.system).value);
    case "git": {
      const { openGit } = await import("./git/sequences.ts");
      return openGit(deps, location);
    }
    case "postgres": {
      const { openPostgres } = await import("./postgres/sequences.ts");
      return openPostgres(deps, location.url);
    }
  }
}

/** Throws a `Failure` where the state directory cannot be trusted, or the journal cannot be used. */
export async function openJournal(deps: OpenDeps, location: JournalLocation): Promise<Journal> {
  const { system } = deps;
  const folder = stateDirectory(system).value;
  await checkState(deps, folder);
  const sequences = await openSequences(deps, location);
  const memory =
    sequences.shared === undefined ? undefined : openMachineMemory(deps, folder, sequences.shared);
  return createJournal({ system, sequences, memory, origin: originOf(system) });
}

const nothing: Tail = { first: 0, entries: [] };

/** For `--no-journal`. It begins with the journal of this machine, which is read where it can be, and is never written. */
export async function openMemoryJournal(deps: OpenDeps): Promise<Journal> {
  const { system } = deps;
  const folder = stateDirectory(system).value;
  const isTrusted = await checkState(deps, folder).then(() => true, ignoreFailure);
  const here = createFolderSequences(deps, folder);
  const open: Sequences["open"] = (name) => {
    const sequence = here.open(name);
    const read = once(async () => (isTrusted && (await sequence.read(0).catch(ignoreFailure))) || nothing);
    return { ...sequence, read };
  };
  return createDraftJournal(createJournal({ system, sequences: { ...here, open } }));
}
