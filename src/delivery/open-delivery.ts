// Puts together the dependencies of a delivery: the client, the state directory and the flags.
import type { Connection } from "../api/connect.ts";
import { createRetryWait, defaultMaxRetries } from "../http/retry.ts";
import { checkState } from "../journal/check-state.ts";
import { openState, type State } from "../journal/open-state.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { stateDirectory } from "../workspace/locations.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/** Milliseconds to look for an incident, unless --settle-for says otherwise. */
const defaultSettleFor = 10_000;

export interface DeliveryFlags {
  readonly stateDir?: string | undefined;
  readonly noJournal?: boolean | undefined;
  readonly maxRetries?: number | undefined;
  readonly settleFor?: number | undefined;
  readonly withoutLooking?: boolean | undefined;
  readonly isNew?: boolean | undefined;
}

/** Throws a `Failure` where the state directory cannot be trusted. */
export async function openDelivery(
  context: Context & Reporter,
  { client, journal }: Pick<Connection, "client" | "journal">,
  {
    stateDir,
    noJournal = false,
    maxRetries = defaultMaxRetries,
    settleFor = defaultSettleFor,
    withoutLooking = false,
    isNew = false,
  }: DeliveryFlags,
): Promise<{ readonly state: State; readonly delivery: DeliveryOptions }> {
  const directory = stateDirectory(context.system, stateDir).value;
  const folder = noJournal ? undefined : directory;
  if (folder !== undefined) await checkState(context, folder);
  const state = await openState(context, folder, journal, { stateDirectory: directory, isNew });
  const { account, baseUrl, clientIds } = client.settings;
  const service = { baseUrl: baseUrl.value, account: account.value?.toLowerCase() };
  const waitForRetry = createRetryWait(context);
  return {
    state,
    delivery: {
      system: context.system,
      reporter: context,
      client,
      service,
      journal: state.journal,
      isShared: state.isShared,
      clientIds: state.clientIds(service, clientIds?.value),
      notes: state.notes,
      maxRetries,
      settleFor,
      skipLook: withoutLooking,
      waitForRetry: (outcome, milliseconds) => waitForRetry(outcome, milliseconds, context.system.signal),
    },
  };
}
