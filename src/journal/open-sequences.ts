// Opens the sequences of a journal for each kind of location. A shared engine is loaded only where one is chosen.
import type { Files, System } from "../platform/context.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { createFolderSequences } from "./folder/sequences.ts";
import type { Sequences } from "./sequence.ts";

export interface SequencesDeps {
  readonly files: Files;
  readonly system: System;
}

/** `folder` is the state directory. Throws a `Failure` where the engine cannot be used. */
export async function openSequences(
  deps: SequencesDeps,
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
