// Opens the store of the journal for each kind of location. A shared store is loaded only where one is chosen.
import type { Files, Reporter, System } from "../platform/context.ts";
import type { JournalSettings } from "../workspace/journal-location.ts";
import { createBatcher } from "./batcher.ts";
import type { EventStore } from "./event-store.ts";
import { createFolderStore } from "./folder/store.ts";

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
  const location = settings.location.value;
  switch (location.kind) {
    case "folder":
      return withGroupCommit(createFolderStore(deps, folder));
    case "git": {
      const { createGitStore } = await import("./git/store.ts");
      return createGitStore(deps, location, settings);
    }
    case "postgres":
      return (await import("./postgres/store.ts")).openPostgres(deps, location.url);
  }
}

/** Appends events of creates at work at the same time together. */
export function withGroupCommit(store: EventStore): EventStore {
  const append = createBatcher(store.append);
  return { ...store, append: (appends) => Promise.all(appends.map(append)) };
}
