// Remembers the incidents that were read as resolved, so that `incident journal list` and `incident gate` know of them.
import { bestEffort } from "../../failure.ts";
import { operationName } from "../../journal/journal.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { openJournalState } from "../shared/journal/open-journal.ts";

/** Only for the journal of this machine: reading a shared one would delay the answer. */
export async function rememberResolved(
  context: RunContext,
  global: GlobalFlags,
  ids: ReadonlySet<string>,
): Promise<void> {
  await bestEffort({ warn: () => undefined }, async () => {
    const { account, baseUrl } = await context.workspace.target();
    if ((await context.workspace.journal()).location.value.kind !== "folder") return;
    const state = await openJournalState(context, global);
    const service = { baseUrl: baseUrl.value, account: account.value?.toLowerCase() };
    const resolved = state.resolved(service);
    const { names } = resolved.read();
    const found: string[] = [];
    for (const id of ids) {
      const { created, key } = await state.journal.read({ ...service, id });
      if (created !== undefined && !names.has(operationName(key))) found.push(operationName(key));
    }
    resolved.add(found);
  });
}
