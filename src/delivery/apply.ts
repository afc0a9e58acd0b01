// Brings each incident to its definition: declares the missing ones of the plan, and changes the others, several at a time
// and each step exactly once. The order of the results is the order of the definitions.
import { Failure } from "../failure.ts";
import type { Definition } from "../incident/definition.ts";
import { canBeFound } from "../journal/client-ids.ts";
import { inParallel } from "./parallel.ts";
import { isFinal, type PlannedDefinition, type PlanOptions, planDefinitions, unread } from "./plan.ts";
import { changeOne, type DeliveredDefinition, declareOne, type Result } from "./timeline/deliver-planned.ts";

export interface AppliedDefinition extends PlannedDefinition, DeliveredDefinition {}

export interface ApplyOptions extends PlanOptions {
  /** Waits until the rate limit permits this number of requests. Returns the number that it permits then. */
  readonly waitForCapacity: (requests: number, signal: AbortSignal) => Promise<number>;
  /** Declares several also where only this machine's journal knows which incident belongs to which definition. */
  readonly acceptsOwnIds: boolean;
}

/** The size of the first part. It is small, because other processes may use the rate limit of the same key. */
const smallestPart = 16;

/** The largest size of a part while no limit is reached, small enough that the plan stays fresh. */
const largestPart = 64;

/**
 * Plans and declares part after part, so that the rate limit never delays a create until its plan is stale. `begin`
 * receives the plan of each part before any of it is declared, and returns the function to call before each create.
 */
export async function applyInParts(
  options: ApplyOptions,
  definitions: readonly Definition[],
  begin: (plan: readonly PlannedDefinition[]) => () => Promise<void>,
): Promise<readonly AppliedDefinition[]> {
  const applied: AppliedDefinition[] = [];
  let largest = smallestPart;
  let isEnded = false;
  const isOver = () => options.stop.aborted || isEnded;
  for (let at = 0; at < definitions.length; at = applied.length) {
    // Each definition needs two requests. A read with the last capacity of a window would be stale at its create.
    const capacity = isOver() ? definitions.length : await options.waitForCapacity(2, options.stop);
    const size = Math.max(1, Math.min(largest, Math.floor(capacity / 2)));
    largest = Math.min(2 * largest, Math.max(largestPart, 4 * options.concurrency));
    const part = definitions.slice(at, at + size);
    const progress = (done: number) => options.progress(at + done, definitions.length);
    const plan = isOver()
      ? part.map((definition) => unread(options, definition))
      : await planDefinitions({ ...options, progress }, part).catch((error: unknown) => {
          if (applied.length === 0 || !(error instanceof Failure)) throw error;
          // The failure stands at the first definition of the part, so that the report lists the others.
          isEnded = true;
          const first = unread(options, definitions[at] as Definition);
          return [{ ...first, action: "failed" as const, failure: error }];
        });
    const results = await applyPlan({ ...options, progress, beforeSend: begin(plan) }, plan);
    isEnded ||= results.some(endsAll);
    applied.push(...results);
  }
  options.progress(definitions.length, definitions.length);
  return applied;
}

/** Declares the missing definitions of the plan. Never throws a `Failure`: each result holds that of its definition. */
export async function applyPlan(
  options: ApplyOptions,
  plan: readonly PlannedDefinition[],
): Promise<readonly AppliedDefinition[]> {
  const results = plan.map(
    (planned): AppliedDefinition => ({ ...planned, result: settledResult(planned, options) }),
  );
  const todo = plan.flatMap((planned, index) => (isToBeSent(planned, options) ? [index] : []));
  const count = todo.length;
  let done = 0;
  let isEnded = plan.some(endsAll);
  const deliver = async (index: number) => {
    if (isEnded) return;
    const planned = plan[index] as PlannedDefinition;
    const applied = await (planned.changes ? changeOne(options, planned) : declareOne(options, planned));
    results[index] = { ...planned, ...applied };
    options.progress(++done, count);
    if (endsAll(applied)) isEnded = true;
  };
  const creates = todo.filter((index) => plan[index]?.changes === undefined);
  // One create at a time until it is known whether the service keeps ids. A shared journal links ids in either case.
  while (
    !options.isShared &&
    options.clientIds.latest() === "unknown" &&
    creates.length > 0 &&
    !options.stop.aborted
  ) {
    await deliver(creates.shift() as number);
    if (creates.length > 0 && !canBeFound(options.clientIds.latest()) && !options.acceptsOwnIds) {
      const failure = onlyHere(creates.length);
      for (const index of creates)
        results[index] = { ...(plan[index] as PlannedDefinition), result: "not-tried", failure };
      creates.length = 0;
    }
  }
  const rest = [...creates, ...todo.filter((index) => plan[index]?.changes !== undefined)];
  await inParallel({ ...options, count: rest.length }, (position) => deliver(rest[position] as number));
  return results;
}

/** Whether a run sends something for the definition. */
export function isToBeSent(planned: PlannedDefinition, options: Pick<ApplyOptions, "recreate">): boolean {
  return planned.changes !== undefined || isToBeDeclared(planned, options);
}

export function isToBeDeclared(
  { action }: PlannedDefinition,
  { recreate }: Pick<ApplyOptions, "recreate">,
): boolean {
  return action === "create" || action === "unsettled" || (action === "gone" && recreate);
}

function settledResult(planned: PlannedDefinition, options: ApplyOptions): Result {
  if (isToBeSent(planned, options)) return "not-tried";
  switch (planned.action) {
    case "unchanged":
    case "known":
    case "drifted":
    case "gone":
    case "failed":
      return planned.action;
    default:
      return "not-tried";
  }
}

function endsAll({ failure }: Pick<DeliveredDefinition, "failure">): boolean {
  return failure !== undefined && isFinal(failure);
}

function onlyHere(count: number): Failure {
  const message = `the service assigns its own ids: only this machine's journal links each incident to its definition, and ${count} more would depend on it`;
  return new Failure("partial", message, {
    hint: "keep the state directory between runs, even when a job fails, then continue with --yes",
  });
}
