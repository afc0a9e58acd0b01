// Puts together the dependencies of a delivery: the client, the state directory and the flags.
import type { Connection } from "../api/connect.ts";
import type { OperationsDeps } from "../api/known-operations.ts";
import { createRetryWait, defaultMaxRetries } from "../http/retry.ts";
import { openJournal, openMemoryJournal } from "../journal/open-journal.ts";
import type { Context, Reporter } from "../platform/context.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/** Milliseconds to look for an incident, unless --settle-for says otherwise. */
const defaultSettleFor = 10_000;

export interface DeliveryFlags {
  readonly noJournal?: boolean | undefined;
  readonly maxRetries?: number | undefined;
  readonly settleFor?: number | undefined;
  readonly key?: string | undefined;
  readonly dedupKey?: string | undefined;
}

/** Throws a `Failure` where the state directory cannot be trusted. */
export async function openDelivery(
  context: Context & Reporter & Pick<OperationsDeps, "workspace">,
  { client, journal: location }: Pick<Connection, "client" | "journal">,
  {
    noJournal = false,
    maxRetries = defaultMaxRetries,
    settleFor = defaultSettleFor,
    key,
    dedupKey,
  }: DeliveryFlags,
): Promise<DeliveryOptions> {
  const journal = noJournal ? await openMemoryJournal(context) : await openJournal(context, location);
  const { account, baseUrl } = client.settings;
  const service = { baseUrl: baseUrl.value, account: account.value?.toLowerCase() };
  const waitForRetry = createRetryWait(context);
  return {
    system: context.system,
    reporter: context,
    client,
    service,
    journal,
    isShared: !noJournal && location.location.value.kind !== "folder",
    operations: async () => {
      const { operationsOf } = await import("../api/known-operations.ts");
      return operationsOf(context, client.settings);
    },
    maxRetries,
    settleFor,
    memory: { answers: new Map(), similar: new Map() },
    named: { ...(key !== undefined && { key }), ...(dedupKey !== undefined && { dedupKey }) },
    waitForRetry: (outcome, milliseconds) => waitForRetry(outcome, milliseconds, context.system.signal),
  };
}
