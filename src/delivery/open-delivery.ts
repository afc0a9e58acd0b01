// Puts together the dependencies of a delivery: the client, the journal and the flags.
import { type ClientOptions, type ConnectDeps, connect } from "../api/connect.ts";
import { operationsOf } from "../api/known-operations.ts";
import { defaultMaxRetries, waitForRetry } from "../http/retry.ts";
import { openJournal, openMemoryJournal } from "../journal/open-journal.ts";
import type { Context, Reporter } from "../platform/context.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/** Milliseconds to look for an incident, unless --settle-for says otherwise. */
const defaultSettleFor = 10_000;

export interface DeliveryFlags extends ClientOptions {
  readonly noJournal?: boolean | undefined;
  readonly settleFor?: number | undefined;
  readonly key?: string | undefined;
  readonly dedupKey?: string | undefined;
}

/** Throws a `Failure` where a setting or the key is missing, or the state directory cannot be trusted. */
export async function openDelivery(
  context: Context & Reporter & Pick<ConnectDeps, "workspace">,
  flags: DeliveryFlags,
): Promise<DeliveryOptions> {
  const { dedupKey, key, maxRetries = defaultMaxRetries, noJournal = false, settleFor } = flags;
  const { client, journal: location } = await connect(context, flags);
  const journal = noJournal ? await openMemoryJournal(context) : await openJournal(context, location);
  const { account, baseUrl } = client.settings;
  const service = { baseUrl: baseUrl.value, account: account.value?.toLowerCase() };
  return {
    system: context.system,
    reporter: context,
    client,
    service,
    journal,
    noJournal,
    isShared: !noJournal && location.location.value.kind !== "folder",
    operations: () => operationsOf(context, client.settings),
    maxRetries,
    settleFor: settleFor ?? defaultSettleFor,
    memory: { answers: new Map(), similar: new Set() },
    waitForRetry: (outcome, milliseconds) =>
      waitForRetry(context, outcome, milliseconds, context.system.signal),
    named: { ...(key !== undefined && { key }), ...(dedupKey !== undefined && { dedupKey }) },
  };
}
