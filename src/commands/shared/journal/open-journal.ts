// Opens the journal for a command that reads it or settles in it, without a connection to the service.

import { Failure } from "../../../failure.ts";
import { checkState } from "../../../journal/check-state.ts";
import type { ServiceKey } from "../../../journal/events.ts";
import type { Journal } from "../../../journal/journal.ts";
import { openState, type State } from "../../../journal/open-state.ts";
import type { RunContext } from "../../../kit/define-command.ts";
import { checkEndpoint } from "../../../workspace/resolve.ts";
import type { Setting } from "../../../workspace/setting.ts";

export async function openJournal(context: RunContext): Promise<Journal> {
  return (await openJournalState(context)).journal;
}

export async function openJournalState(context: RunContext): Promise<State> {
  const folder = context.workspace.stateDirectory.value;
  await checkState(context, folder);
  return openState(context, folder, await context.workspace.journal());
}

/** None for settings that cannot be used: nothing was sent with them. */
export function serviceKeys(
  { system }: RunContext,
  { account, baseUrl }: Readonly<Record<"account" | "baseUrl", Setting<string> | undefined>>,
): readonly ServiceKey[] {
  if (account === undefined || baseUrl === undefined) return [];
  try {
    const endpoint = checkEndpoint({ account, baseUrl, accountHeader: undefined }, system.env);
    return [{ baseUrl: endpoint.baseUrl.value, account: endpoint.account.value?.toLowerCase() }];
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
