// Brings each incident to its definition: declares the missing ones of the plan, and changes the others, several at a time
// and each step exactly once. The order of the results is the order of the definitions.
import { Failure } from "../failure.ts";
import { contentToSend, reading, withRest } from "./batch/batch.ts";
import type { EditedFields } from "./changes/edit.ts";
import { createOnce } from "./create-once.ts";
import { freshness, timestamp } from "./delivery-options.ts";
import { inParallel } from "./parallel.ts";
import { isFinal, type PlannedDefinition, type PlanOptions } from "./plan.ts";
import { deliverChanges } from "./timeline/deliver-changes.ts";
import type { Changes } from "./timeline/plan-changes.ts";

/** The actions that send nothing are results as well. */
const stays = ["unchanged", "resolved", "drifted", "gone", "failed"] as const;

export type Result = "created" | "changed" | (typeof stays)[number] | "uncertain" | "not-tried";

export interface DeliveredDefinition {
  readonly result: Result;
  readonly serviceId?: string;
  readonly failure?: Failure | undefined;
  /** The number of updates that this run posted after a create, or to an incident that exists. */
  readonly posted?: number | undefined;
  /** The fields that this run edited. */
  readonly edited?: EditedFields;
  /** The changes that a dry run leaves to be sent. */
  readonly rest?: Changes | undefined;
}

export interface AppliedDefinition extends PlannedDefinition, DeliveredDefinition {}

/** Runs the plan on a draft of the journal, which sends nothing, and returns the changes that are left to be sent. */
export async function tryPlan(
  options: PlanOptions,
  plan: readonly PlannedDefinition[],
): Promise<readonly PlannedDefinition[]> {
  const tried = await applyPlan(reading(options), plan);
  return tried.map(({ changes, failure, rest, result, ...one }) => {
    if (failure !== undefined) return { ...one, failure, action: result === "failed" ? result : "unsettled" };
    if (rest !== undefined) return { ...one, changes: rest, action: "change" };
    const isFound = changes !== undefined || isToBeDeclared(one, options);
    if (!isFound || result === "not-tried") return { ...one, ...(changes && { changes }) };
    return { ...one, action: one.drift || one.differences?.length ? "drifted" : "unchanged" };
  });
}

/** Declares the missing definitions of the plan. Never throws a `Failure`: each result holds that of its definition. */
export async function applyPlan(
  options: PlanOptions,
  plan: readonly PlannedDefinition[],
): Promise<readonly AppliedDefinition[]> {
  const isToBeSent = (one: PlannedDefinition) => one.changes !== undefined || isToBeDeclared(one, options);
  const results = plan.map((planned): AppliedDefinition => {
    const stay = stays.find((each) => each === planned.action && !isToBeSent(planned));
    const failed = planned.failure && failedResult(planned.failure);
    return { ...planned, result: failed ?? stay ?? "not-tried" };
  });
  const todo = [...plan.keys()].filter((at) => isToBeSent(plan[at] as PlannedDefinition));
  let isEnded = plan.some(endsAll);
  const deliver = async (index: number) => {
    if (isEnded) return;
    const planned = plan[index] as PlannedDefinition;
    const { changes } = planned;
    const applied = await (changes ? changeOne(options, changes) : declareOne(options, planned));
    results[index] = { ...planned, ...applied };
    if (endsAll(applied)) isEnded = true;
  };
  // The creates first.
  const isChange = (at: number) => plan[at]?.changes !== undefined;
  const order = [...todo.filter((at) => !isChange(at)), ...todo.filter(isChange)];
  await inParallel({ ...options, count: todo.length }, (position) => deliver(order[position] as number));
  return results;
}

export function isToBeDeclared(
  { action, failure }: PlannedDefinition,
  { recreate }: Pick<PlanOptions, "recreate">,
): boolean {
  const isUnsettled = action === "unsettled" && failure === undefined;
  return action === "create" || isUnsettled || (action === "gone" && recreate);
}

function endsAll({ failure }: Pick<DeliveredDefinition, "failure">): boolean {
  return failure !== undefined && isFinal(failure);
}

async function declareOne(
  options: PlanOptions,
  { action, definition, key, log: planned, readAt }: PlannedDefinition,
): Promise<DeliveredDefinition> {
  const { journal, system } = options;
  try {
    let log = planned;
    // Fails where another run declared it anew since the plan; then the log says so.
    if (action === "gone" && log !== undefined)
      ({ log } = await journal.append(log, { type: "not-created", at: timestamp(options) }));
    const content = await contentToSend(options, definition, key.id);
    const isStale = system.clock.monotonic() - readAt > freshness;
    // An old log is harmless: the next append to it is lost, and then it is read again.
    const request = { key, content, mayExist: isStale, ...(log && { log }) };
    const created = await createOnce(options, request);
    const { failure, how, incident, posted, rest } = await withRest(options, content, created, definition);
    const result = how === "declared" ? "created" : posted ? "changed" : "unchanged";
    if (how === "unsent") return { result: "not-tried" };
    const delivered = { serviceId: incident.id, posted, rest, failure };
    return { ...delivered, result: failure ? failedResult(failure) : result };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { result: failedResult(error), failure: error };
  }
}

async function changeOne(options: PlanOptions, changes: Changes): Promise<DeliveredDefinition> {
  const { incident: _, ...delivered } = await deliverChanges(options, changes);
  const { failure } = delivered;
  return { ...delivered, result: failure ? failedResult(failure) : "changed" };
}

function failedResult({ kind }: Failure): Result {
  return kind === "uncertain" ? "uncertain" : "failed";
}
