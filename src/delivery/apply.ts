// Brings each incident to its definition: declares the missing ones of the plan, and changes the others, several at a time
// and each step exactly once. The order of the results is the order of the definitions.
import { Failure } from "../failure.ts";
import { canBeFound } from "../journal/client-ids.ts";
import { inParallel } from "./parallel.ts";
import { isFinal, type PlannedDefinition, type PlanOptions } from "./plan.ts";
import { changeOne, type DeliveredDefinition, declareOne, type Result } from "./timeline/deliver-planned.ts";

export interface AppliedDefinition extends PlannedDefinition, DeliveredDefinition {}

export interface ApplyOptions extends PlanOptions {
  /** Declares several also where only this machine's journal knows which incident belongs to which definition. */
  readonly acceptsOwnIds: boolean;
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
    case "resolved":
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
