// Puts together what a delivery works with: the client, the state directory and the flags.
import type { Client } from "../api/client.ts";
import { createRetryWait } from "../api/connect.ts";
import { defaultMaxRetries } from "../http/retry.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { stateDirectory } from "../settings/locations.ts";
import type { DeliveryOptions } from "./delivery-options.ts";
import { openState, type State } from "./journal/open-state.ts";

/** Milliseconds to look for an incident whose create was not answered, unless --settle-for says otherwise. */
const defaultSettleFor = 10_000;

export interface DeliveryFlags {
  readonly stateDir?: string | undefined;
  readonly noJournal?: boolean | undefined;
  readonly maxRetries?: number | undefined;
  readonly settleFor?: number | undefined;
}

export function openDelivery(
  context: Context & Reporter,
  client: Client,
  {
    stateDir,
    noJournal = false,
    maxRetries = defaultMaxRetries,
    settleFor = defaultSettleFor,
  }: DeliveryFlags,
): { readonly state: State; readonly delivering: DeliveryOptions } {
  const state = openState(context, noJournal ? undefined : stateDirectory(context.system, stateDir).value);
  const { account, baseUrl, clientIds } = client.settings;
  const service = { baseUrl: baseUrl.value, account: account.value?.toLowerCase() };
  const { info, signal, withSpinner, warn } = context;
  const pause = createRetryWait(context);
  return {
    state,
    delivering: {
      context,
      client,
      service,
      journal: state.journal,
      clientIds: state.clientIds(service, clientIds?.value),
      maxRetries,
      settleFor,
      pause: (outcome, milliseconds) => pause(outcome, milliseconds, signal),
      note: info,
      wait: withSpinner,
      warn,
    },
  };
}
