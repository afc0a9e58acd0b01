// Opens the store of the journal for each kind of location. A shared store is loaded only where one is chosen.
import { Failure } from "../../failure.ts";
import type { Files, System } from "../../platform/context.ts";
import type { JournalSettings } from "../../settings/journal-location.ts";
import type { EventStore } from "./event-store.ts";
import { createFolderStore } from "./folder-store.ts";

export interface StoreDeps {
  readonly files: Files;
  readonly system: System;
}

/** `folder` is the state directory. Throws a `Failure` where the store cannot be used. */
export async function openStore(
  deps: StoreDeps,
  folder: string,
  { location: { value: location } }: JournalSettings,
): Promise<EventStore> {
  switch (location.kind) {
    case "folder":
      return createFolderStore(deps, folder);
    case "postgres":
      return (await import("./postgres/open-postgres.ts")).openPostgres(deps, location.url);
    case "git":
      throw new Failure("usage", `a journal in ${location.kind} is not supported yet`, {
        hint: "nothing was sent; choose the local journal with INCIDENT_CLI_JOURNAL=folder",
      });
  }
}
