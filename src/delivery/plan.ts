// The plan of an apply: it reads several incidents at a time, and decides what to send as pure functions of them.
import { Failure } from "../failure.ts";
import type { Definition } from "../incident/definition.ts";
import type { Incident } from "../incident/wire.ts";
import { contentOf } from "../journal/content.ts";
import type { OperationKey, OperationLog } from "../journal/events.ts";
import { type Model, operation, unsettledCreates } from "../journal/model.ts";
import { behindFailure, findInList } from "./creates/declared.ts";
import { mayBeBehind } from "./delivery-options.ts";
import { findSimilarCreate } from "./failures.ts";
import { inParallel } from "./parallel.ts";
import { type ChangePlan, planChanges } from "./timeline/plan-changes.ts";
import type { ChangeOptions } from "./timeline/update-order.ts";

/** `change`: updates are to be posted, or fields to be edited. `unsettled`: a create or an update was sent, and its outcome is not known. `gone`: it was declared, and the service no longer has it. */
export type Action =
  | "create"
  | "change"
  | "unchanged"
  | "resolved"
  | "drifted"
  | "gone"
  | "unsettled"
  | "failed"
  | "not-read";

export interface PlannedDefinition extends Omit<ChangePlan, "action"> {
  readonly definition: Definition;
  readonly key: OperationKey;
  readonly action: Action;
  /** The service's own id of the incident. */
  readonly serviceId?: string;
  /** The journal's log of it at that time. */
  readonly log?: OperationLog;
  /** When it was read, on the monotonic clock. */
  readonly readAt: number;
}

export interface PlanOptions extends ChangeOptions {
  /** When it is aborted, requests that were sent end, and no other is sent. */
  readonly stop: AbortSignal;
  /** `--recreate`: an incident that the journal knows as declared, and the service does not show, is declared anew. */
  readonly recreate: boolean;
}

/**
 * Reads the journal, the incident of each definition, and, where something is to be changed, the service's document, which
 * decide its part of the plan. A final failure ends the plan; any other one stays with its definition.
 */
export async function planDefinitions(
  options: PlanOptions,
  definitions: readonly Definition[],
): Promise<readonly PlannedDefinition[]> {
  const model = await options.journal.model(options.service);
  const plan = definitions.map((definition): PlannedDefinition => {
    // It stays so where the run ends first.
    return { definition, key: keyOf(options, definition), action: "not-read", readAt: 0 };
  });
  await inParallel({ ...options, count: definitions.length }, async (index) => {
    plan[index] = await planDefinition(options, model, definitions[index] as Definition);
  });
  return plan.map(({ warnings = [], ...one }) => {
    for (const warning of warnings) options.reporter.warn(warning);
    return one;
  });
}

async function planDefinition(
  options: PlanOptions,
  model: Model,
  definition: Definition,
): Promise<PlannedDefinition> {
  const { client, system } = options;
  const key = keyOf(options, definition);
  const log = operation(model, key, key.id);
  const planned = { definition, key, log, readAt: system.clock.monotonic() };
  const content = contentOf(definition, key.id, client.settings.account.value, { isWhole: true });
  // Declaring it settles it, or says why that is not possible; a read here could hide that.
  if (log.uncertain !== undefined) return { ...planned, action: "unsettled" };
  const unsettled = log.state === "new" ? unsettledCreates(model) : [];
  const same = unsettled.filter((each) => each.digest === content.digest);
  const failure = findSimilarCreate(options, same, content);
  if (failure !== undefined) return { ...planned, action: "failed", failure };
  try {
    const incident = await readIncident(options, log);
    if (incident === undefined) return { ...planned, ...(await planMissing(options, log)) };
    const read = { ...planned, content, model, incident };
    const plan = planChanges(options, read, await options.operations());
    return { ...planned, serviceId: incident.id, ...plan };
  } catch (error) {
    if (!(error instanceof Failure) || isFinal(error)) throw error;
    return { ...planned, action: "failed", failure: error };
  }
}

/** Undefined where the service does not show it, or could not show it. */
async function readIncident(
  options: PlanOptions,
  { created, key }: OperationLog,
): Promise<Incident | undefined> {
  const { client } = options;
  const id = created?.serviceId ?? key.id;
  // A service that ignores ids has its own, which a file may have from it.
  const found = await client.findIncident(id);
  // With --recreate, one answer that is behind must not be enough.
  return found ?? (created && (await client.findIncident(id)));
}

/** For an incident that the service does not show by its id. A list that shows it is stronger. */
async function planMissing(
  options: PlanOptions,
  log: OperationLog,
): Promise<Pick<PlannedDefinition, "action" | "failure">> {
  const { created } = log;
  if (created === undefined) return { action: "create" };
  const isBehind = mayBeBehind(created.at, options.system);
  if (!isBehind && (await findInList(options, created.serviceId)).shown === undefined)
    return { action: "gone" };
  return { action: "failed", failure: behindFailure(options, log) };
}

function keyOf({ service }: PlanOptions, { id }: Definition): OperationKey {
  return { ...service, id: (id ?? "").toLowerCase() };
}

/** Whether every other definition would fail in the same way, as after all attempts to reach the service. */
export function isFinal({ details, kind }: Failure): boolean {
  return kind === "credentials" || kind === "usage" || details.unreachable === true;
}
