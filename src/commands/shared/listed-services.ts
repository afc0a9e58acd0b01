// The services that the service lists: those that a create accepts, and those that a person can choose from.
import type { Client } from "../../api/client.ts";
import { connectTo } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import type { Service } from "../../incident/definition.ts";
import { listSentServices } from "../../journal/sent-creates.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Reporter } from "../../platform/context.ts";
import { ownServices } from "../../sandbox/own-services.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { sandboxPin } from "./rehearsal.ts";

/** The most services that are read. */
export const mostServices = 1000;

/** Milliseconds that a question waits for the list. */
const longestWait = 2000;

/**
 * The services that a person can choose from: those of the catalog, else of the service's list, which is read while other
 * questions are answered, else those that were sent from here before, else the sandbox's own. A list that cannot be read
 * is empty: a choice needs none.
 */
export function offerServices(context: RunContext, client: Client | undefined, { services }: Catalog) {
  const { system } = context;
  const end = new AbortController();
  const hasCatalog = services.size > 0;
  const listed = client === undefined || hasCatalog ? [] : list(context, client, end.signal).catch(() => []);
  return {
    /** Waits at most two seconds for the list. */
    async read(): Promise<readonly Service[]> {
      if (hasCatalog) return [...services.values()];
      system.abortAfter(longestWait, undefined).addEventListener("abort", () => end.abort());
      const known = [await listed, client === undefined ? [] : await sentTo(context, client)];
      const own = sandboxPin(system) === undefined ? [] : ownServices;
      return [...known, own].find((each) => each.length > 0) ?? [];
    },
    stop: () => end.abort(),
  };
}

async function list(context: RunContext, { deadline, settings }: Client, end: AbortSignal) {
  const { system } = context;
  const quiet = {
    ...context,
    system: { ...system, signal: AbortSignal.any([system.signal, end]) },
    warn: () => undefined,
    progress: () => undefined,
    withSpinner: <T>(_: () => string, work: () => Promise<T>) => work(),
  };
  const known = await operationsOf(quiet, settings);
  const operation = known.isKnown ? known.operations.services : undefined;
  if (operation === undefined) return [];
  const { secrets } = await context.workspace.journal();
  const { client } = connectTo(quiet, settings, { timeout: deadline, maxRetries: 0 }, secrets);
  const { entries } = await client.listServices(operation, { most: mostServices, sharesConnection: true });
  return usableServices(quiet, entries, "the list");
}

/** The services that were sent to this service and account from this machine, the newest first. */
function sentTo(context: RunContext, { settings: { account, baseUrl } }: Client) {
  const service = { account: account.value?.toLowerCase(), baseUrl: baseUrl.value };
  return listSentServices(context, context.workspace.stateDirectory.value, service);
}

/** The services that a create accepts. Warns of each other one. */
export async function usableServices(
  { warn }: Pick<Reporter, "warn">,
  entries: readonly unknown[],
  place: string,
): Promise<Service[]> {
  const { serviceRules } = await import("../../incident/definition.ts");
  const { schemaOf } = await import("../../rules/schema.ts");
  const { fieldsOf } = await import("../../rules/schema-facts.ts");
  // A create would send back fields that the service fills in.
  const fields = fieldsOf(serviceRules).filter((name) => !/^(?:cre|upd)ated_at$/.test(name));
  return entries.flatMap((entry) => {
    const own = Object.entries(entry ?? {}).filter(([name]) => fields.includes(name));
    const { data } = schemaOf(serviceRules).safeParse(Object.fromEntries(own));
    if (data !== undefined) return [data];
    warn(`a service of ${place} is left out: it has no usable id and name`);
    return [];
  });
}
