// Part of the recorded command (recorded-command.ts): records the sequences of this process into the folder that
// INCIDENT_TEST_HISTORY names.
import type { Sequences } from "../../../src/journal/sequence.ts";
import type { JournalSettings } from "../../../src/workspace/journal-location.ts";
import { createHistoryFile, placeOf } from "./history.ts";

const folder = process.env.INCIDENT_TEST_HISTORY;
const record = folder === undefined ? undefined : createHistoryFile(folder);

/** `opened`: the argument that tells the journals of a process apart. */
export function recordSequences(sequences: Sequences, opened: unknown): Sequences {
  return record === undefined ? sequences : record(sequences, placeOf(opened));
}

/** What tells the journal of these settings apart. */
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
