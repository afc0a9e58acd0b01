// Opens the journal for a command that reads it or settles in it, without a connection to the service.

import { checkState } from "../../journal/check-state.ts";
import type { Journal } from "../../journal/journal.ts";
import { openState, type State } from "../../journal/open-state.ts";
import { stateDirectory } from "../../workspace/locations.ts";
import { readJournalSettings } from "../../workspace/workspace.ts";
import type { GlobalFlags, RunContext } from "../define-command.ts";

export async function openJournal(context: RunContext, global: GlobalFlags): Promise<Journal> {
  return (await openJournalState(context, global)).journal;
}

export async function openJournalState(context: RunContext, global: GlobalFlags): Promise<State> {
  const folder = stateDirectory(context.system, global.stateDir).value;
  await checkState(context, folder);
  return openState(context, folder, await readJournalSettings(context, global));
}
