// Puts together the dependencies of a delivery: the client, the journal and the flags; and those of its dry run.
import { connect } from "../api/connect.ts";
import { operationsOf } from "../api/known-operations.ts";
import { defaultMaxRetries, waitForRetry } from "../http/retry.ts";
import { serviceKeyOf } from "../journal/events.ts";
import { createDraftJournal } from "../journal/journal.ts";
import { openJournal, openMemoryJournal } from "../journal/open-journal.ts";
import { once } from "../once.ts";
import type { Context, Reporter } from "../platform/context.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { DeliveryOptions } from "./delivery-options.ts";

/** Milliseconds to look for an incident, unless --settle-for says otherwise. */
const defaultSettleFor = 10_000;

interface DeliveryFlags {
  readonly maxRetries?: number;
  readonly noJournal?: boolean | undefined;
  readonly confirm?: string | undefined;
  readonly key?: string | undefined;
  readonly dedupKey?: string | undefined;
}

/** Throws a `Failure` where a setting or the key is missing, or the state directory cannot be trusted. */
export async function openDelivery(
  context: Context &
    Reporter & {
      readonly workspace: Pick<Workspace, "contract" | "journal" | "target">;
      readonly global: { readonly settleFor?: number; readonly timeout?: number };
    },
  { confirm, dedupKey, key, maxRetries = defaultMaxRetries, noJournal = false }: DeliveryFlags = {},
): Promise<DeliveryOptions> {
  const location = noJournal ? undefined : await context.workspace.journal();
  const client = await connect(context, { maxRetries, readsDocument: true });
  const journal =
    location === undefined ? await openMemoryJournal(context) : await openJournal(context, location);
  return {
    system: context.system,
    reporter: context,
    client,
    service: serviceKeyOf(client.settings),
    journal,
    noJournal,
    operations: once(() => operationsOf(context, client.settings)),
    maxRetries,
    settleFor: context.global.settleFor ?? defaultSettleFor,
    began: context.system.clock.monotonic(),
    memory: { answers: new Map(), similar: new Set() },
    waitForRetry: (outcome, milliseconds) =>
      waitForRetry(context, outcome, milliseconds, context.system.signal),
    confirmed: confirm,
    named: { ...(key !== undefined && { key }), ...(dedupKey !== undefined && { dedupKey }) },
  };
}

/** The options of a dry run, which sends nothing, and warns of each incident that answers a create. */
export function asDryRun<O extends DeliveryOptions>(options: O): O {
  const { confirmed, journal, memory, reporter } = options;
  // With --confirm, the run that sends gives the warnings.
  const warn = confirmed === undefined ? reporter.warn : () => {};
  return {
    ...options,
    neverSends: true,
    journal: createDraftJournal(journal),
    memory: { answers: new Map(), similar: confirmed === undefined ? memory.similar : new Set() },
    reporter: { ...reporter, info: warn, warn },
  };
}
