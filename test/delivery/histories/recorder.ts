// Part of the recorded command (recorded-command.ts): records the stores of this process into the folder that
// INCIDENT_TEST_HISTORY names.
import type { EventStore } from "../../../src/journal/event-store.ts";
import type { JournalSettings } from "../../../src/workspace/journal-location.ts";
import { createHistoryFile, placeOf } from "./history.ts";

const folder = process.env.INCIDENT_TEST_HISTORY;
const record = folder === undefined ? undefined : createHistoryFile(folder);

/** `opened`: the argument that tells the stores of a process apart. */
export function recordStore(store: EventStore | Promise<EventStore>, opened: unknown): unknown {
  if (record === undefined) return store;
  const place = placeOf(opened);
  return store instanceof Promise ? store.then((late) => record(late, place)) : record(store, place);
}

/** What tells the store of these settings apart. */
export function openedBy(folder: string, { location: { value } }: JournalSettings): unknown {
  switch (value.kind) {
    case "folder":
      return folder;
    case "git":
      return value;
    case "postgres":
      return value.url;
  }
}
