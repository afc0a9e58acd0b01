// The services that the service lists: those that a create accepts, and those that a person can choose from.
import type { Client } from "../../api/client.ts";
import { connectTo } from "../../api/connect.ts";
import { operationsAtHand } from "../../api/known-operations.ts";
import type { Service } from "../../incident/definition.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Reporter } from "../../platform/context.ts";

/** The most services that are read. */
export const mostServices = 1000;

/** Milliseconds that a question waits for the list. */
const longestWait = 2000;

/**
 * Begins to read the list while a person answers other questions. Shows nothing, and a failure is an empty list: a choice
 * needs no list. Never a reason to wait for a document.
 */
export function listInBackground(context: RunContext, { deadline, settings }: Client) {
  const { system } = context;
  const end = new AbortController();
  const list = async (): Promise<readonly Service[]> => {
    const operation = (await operationsAtHand(context, settings))?.services;
    if (operation === undefined) return [];
    const { secrets } = await context.workspace.journal();
    const quiet = {
      ...context,
      system: { ...system, signal: AbortSignal.any([system.signal, end.signal]) },
      progress: () => undefined,
      withSpinner: <T>(_: () => string, work: () => Promise<T>) => work(),
    };
    const { client } = connectTo(quiet, settings, { timeout: deadline, maxRetries: 0 }, secrets);
    const { entries } = await client.listServices(operation, { most: mostServices, sharesConnection: true });
    return usableServices({ warn: () => undefined }, entries, "the list");
  };
  const services = list().catch(() => []);
  return {
    /** Waits at most two seconds. Empty where they are not known in time. */
    read() {
      system.abortAfter(longestWait, undefined).addEventListener("abort", () => end.abort());
      return services;
    },
    stop: () => end.abort(),
  };
}

/** The services that a create accepts. Warns of each other one. */
export async function usableServices(
  { warn }: Pick<Reporter, "warn">,
  entries: readonly unknown[],
  place: string,
): Promise<Service[]> {
  const { serviceRules } = await import("../../incident/definition.ts");
  const { serviceSchema } = await import("../../incident/definition-schema.ts");
  const { fieldsOf } = await import("../../rules/schema-facts.ts");
  // A create would send back fields that the service fills in.
  const fields = fieldsOf(serviceRules).filter((name) => !/^(?:cre|upd)ated_at$/.test(name));
  return entries.flatMap((entry) => {
    const own = Object.entries(entry ?? {}).filter(([name]) => fields.includes(name));
    const { data } = serviceSchema.safeParse(Object.fromEntries(own));
    if (data !== undefined) return [data];
    warn(`a service of ${place} is left out: it has no usable id and name`);
    return [];
  });
}
