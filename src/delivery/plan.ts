// What is to be done about each definition of an apply: reads what the service has, several at a time.
import { Failure } from "../failure.ts";
import { compareIncident, type Difference } from "../incident/plan.ts";
import { createBody } from "../incident/wire.ts";
import type { LocatedDefinition } from "../source/definitions.ts";
import { canBeFound } from "./client-ids.ts";
import type { DeliveryOptions } from "./delivery-options.ts";
import type { Operation, OperationKey } from "./journal/events.ts";
import { inParallel } from "./parallel.ts";

/** What is to be done about a definition. `unsettled`: it was sent from here, and what came of it is not known. */
export type Action = "create" | "unchanged" | "drifted" | "gone" | "unsettled" | "failed" | "not-read";

export interface PlannedDefinition {
  readonly located: LocatedDefinition;
  readonly key: OperationKey;
  readonly action: Action;
  /** The service's id of what it has. */
  readonly serviceId?: string;
  readonly differences?: readonly Difference[];
  /** Why it could not be read. */
  readonly failure?: Failure;
  /** What the journal knew of it then. */
  readonly known?: Operation;
  /** When it was read, in milliseconds since the epoch. */
  readonly readAt: number;
}

/** What planning works with. */
export interface PlanOptions extends DeliveryOptions {
  /** When it is aborted, what is under way finishes and nothing more begins. */
  readonly stop: AbortSignal;
  /** How many are read or declared at a time. */
  readonly concurrency: number;
  readonly progress: (done: number, all: number) => void;
}

/** Reads every definition's incident. An authentication failure ends it; other failures stay with their definition. */
export async function planDefinitions(
  planning: PlanOptions,
  definitions: readonly LocatedDefinition[],
): Promise<readonly PlannedDefinition[]> {
  const planned: PlannedDefinition[] = [];
  let done = 0;
  await inParallel({ ...planning, count: definitions.length }, async (index) => {
    planned[index] = await planDefinition(planning, definitions[index] as LocatedDefinition);
    planning.progress(++done, definitions.length);
  });
  return definitions.map((located, index) => planned[index] ?? unread(planning, located));
}

async function planDefinition(planning: PlanOptions, located: LocatedDefinition): Promise<PlannedDefinition> {
  const key = keyOf(planning, located);
  const at = planning.context.clock.now();
  const plan = (action: Action, more: Partial<PlannedDefinition> = {}) => ({
    located,
    key,
    action,
    readAt: at,
    ...more,
  });
  try {
    const operation = planning.journal.read(key);
    const id = operation?.created?.serviceId ?? key.id;
    const canRead = operation?.created !== undefined || canBeFound(planning.clientIds.current());
    const incident = canRead ? await planning.client.findIncident(id) : undefined;
    if (incident !== undefined) {
      const differences = compareIncident(createBody(located.definition, key.id), incident);
      return plan(differences.length === 0 ? "unchanged" : "drifted", {
        serviceId: incident.id,
        differences,
      });
    }
    const known = operation && { known: operation };
    if (operation?.created !== undefined) return plan("gone", known);
    return plan(operation?.uncertain === undefined ? "create" : "unsettled", known);
  } catch (error) {
    if (!(error instanceof Failure) || isFinal(error)) throw error;
    return plan("failed", { failure: error });
  }
}

function keyOf({ service }: PlanOptions, { definition }: LocatedDefinition): OperationKey {
  return { ...service, id: (definition.id ?? "").toLowerCase() };
}

/** One whose turn did not come. */
export function unread(planning: PlanOptions, located: LocatedDefinition): PlannedDefinition {
  return { located, key: keyOf(planning, located), action: "not-read", readAt: 0 };
}

/** What would fail for every other definition as well. */
export function isFinal({ kind }: Failure): boolean {
  return kind === "credentials" || kind === "usage";
}
