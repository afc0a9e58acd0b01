// Puts together the dependencies of a delivery: the client, the state directory and the flags.
import type { Connection } from "../api/connect.ts";
import type { OperationsDeps } from "../api/known-operations.ts";
import { ignoreFailure } from "../failure.ts";
import { createRetryWait, defaultMaxRetries } from "../http/retry.ts";
import { checkState } from "../journal/check-state.ts";
import { openJournal, openMemoryJournal } from "../journal/open-journal.ts";
import type { Context, Reporter } from "../platform/context.ts";
import { stateDirectory } from "../workspace/locations.ts";
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
  const directory = stateDirectory(context.system).value;
  // Without a journal, the knowledge of this machine helps, where its state directory can be trusted.
  const past = () => checkState(context, directory).then(() => directory, ignoreFailure);
  if (!noJournal) await checkState(context, directory);
  const journal = noJournal
    ? openMemoryJournal(context, await past())
    : await openJournal(context, directory, location);
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
    memory: { answers: new Map(), told: new Map() },
    named: { ...(key !== undefined && { key }), ...(dedupKey !== undefined && { dedupKey }) },
    waitForRetry: (outcome, milliseconds) => waitForRetry(outcome, milliseconds, context.system.signal),
  };
}
