// Makes sure that each definition exists: declares what its plan says is missing, several at a time and each exactly
// once. The order of the results is the order of the definitions.
import { Failure } from "../failure.ts";
import { createBody } from "../incident/wire.ts";
import type { LocatedDefinition } from "../source/definitions.ts";
import { canBeFound } from "./client-ids.ts";
import { deliver } from "./create-once.ts";
import { now } from "./delivery-options.ts";
import { digestOf } from "./journal/claims.ts";
import { inParallel } from "./parallel.ts";
import { isFinal, type PlannedDefinition, type PlanOptions, planDefinitions, unread } from "./plan.ts";

export type Result = "created" | "unchanged" | "drifted" | "gone" | "failed" | "uncertain" | "not-tried";

export interface AppliedDefinition extends PlannedDefinition {
  readonly result: Result;
}

export interface ApplyOptions extends PlanOptions {
  /** Waits until so many requests may be sent without waiting for the rate limit; gives how many may. */
  readonly roomFor: (requests: number, signal: AbortSignal) => Promise<number>;
  readonly failFast: boolean;
  /** Whether what the journal knows as declared, and the service no longer has, is declared anew. */
  readonly recreate: boolean;
  /** Goes on where only this machine's journal will know which incident is whose. */
  readonly goOn: boolean;
}

/** An answer that is older than this is asked for again before a create is sent. */
const freshness = 10_000;

/** So few at most are read before they are declared that what was read is still fresh. */
const largestPart = 64;

/**
 * Plans and declares part after part, so that the rate limit never holds up a create until its plan is stale.
 * `begin` sees the plan of each part before anything of it is declared, and gives what to call before each create.
 */
export async function applyInParts(
  applying: ApplyOptions,
  definitions: readonly LocatedDefinition[],
  begin: (plan: readonly PlannedDefinition[]) => () => Promise<void>,
): Promise<readonly AppliedDefinition[]> {
  const applied: AppliedDefinition[] = [];
  const largest = Math.max(largestPart, 4 * applying.concurrency);
  let isEnded = false;
  const isOver = () => applying.stop.aborted || isEnded;
  for (let at = 0; at < definitions.length; at = applied.length) {
    // Each needs two requests: what is read with the last room of a window would be stale when it is declared.
    const room = isOver() ? definitions.length : await applying.roomFor(2, applying.stop);
    const size = Math.max(1, Math.min(largest, Math.floor(room / 2)));
    const part = definitions.slice(at, at + size);
    const progress = (done: number) => applying.progress(at + done, definitions.length);
    const plan = isOver()
      ? part.map((located) => unread(applying, located))
      : await planDefinitions({ ...applying, progress }, part).catch((error: unknown) => {
          if (applied.length === 0 || !(error instanceof Failure)) throw error;
          return unreadable(applying, part, error);
        });
    const results = await applyPlan({ ...applying, progress, beforeSend: begin(plan) }, plan);
    isEnded ||= results.some(({ failure }) => failure !== undefined && endsAll(applying, failure));
    applied.push(...results);
  }
  applying.progress(definitions.length, definitions.length);
  return applied;
}

/** A failure that ends the run, told with the first that it met: what was declared before is still to be told. */
function unreadable(
  applying: ApplyOptions,
  part: readonly LocatedDefinition[],
  failure: Failure,
): readonly PlannedDefinition[] {
  const [first, ...rest] = part.map((located) => unread(applying, located));
  return first === undefined ? [] : [{ ...first, action: "failed", failure }, ...rest];
}

/** Declares what the plan says is missing. Never throws a `Failure`: each stays with its definition. */
export async function applyPlan(
  applying: ApplyOptions,
  plan: readonly PlannedDefinition[],
): Promise<readonly AppliedDefinition[]> {
  const results = plan.map(
    (planned): AppliedDefinition => ({ ...planned, result: settledResult(planned, applying) }),
  );
  const todo = plan.flatMap((planned, index) => (isToBeDeclared(planned, applying) ? [index] : []));
  let done = 0;
  let last = plan.map(({ failure }) => failure).find((failure) => failure && endsAll(applying, failure));
  const declare = async (index: number) => {
    if (last !== undefined) return;
    const planned = plan[index] as PlannedDefinition;
    const applied = await declareOne(applying, planned);
    results[index] = { ...planned, ...applied };
    applying.progress(++done, todo.length);
    const { failure } = applied;
    if (failure !== undefined && endsAll(applying, failure)) last = failure;
  };
  // Nobody knows yet whether the service keeps ids: one create at a time, until one has told.
  while (
    applying.clientIds.current() === "unknown" &&
    todo.length > 0 &&
    last === undefined &&
    !applying.stop.aborted
  ) {
    await declare(todo.shift() as number);
    const isAlone = last === undefined && !canBeFound(applying.clientIds.current());
    if (isAlone && todo.length > 0 && !applying.goOn) {
      const failure = onlyHere(todo.length);
      for (const index of todo)
        results[index] = { ...(plan[index] as PlannedDefinition), result: "not-tried", failure };
      return results;
    }
  }
  await inParallel({ ...applying, count: todo.length }, (position) => declare(todo[position] as number));
  return results;
}

async function declareOne(
  applying: ApplyOptions,
  { action, key, known, located, readAt }: PlannedDefinition,
): Promise<Pick<AppliedDefinition, "result" | "serviceId" | "failure">> {
  const { context, journal } = applying;
  const body = createBody(located.definition, key.id);
  try {
    if (action === "gone") {
      // Against what was planned: another run may have declared it anew meanwhile.
      await journal.add(key, known, { type: "not-created", at: now(applying) });
    }
    const isStale = context.clock.now() - readAt > freshness;
    const wanted = { key, content: { body, digest: digestOf(body) }, mayExist: isStale };
    const read = isStale || action === "gone" ? undefined : { operation: known };
    const { incident, failure, how } = await deliver(applying, wanted, read);
    // Declared, but not written down: a rerun settles it.
    if (failure !== undefined) return { result: "uncertain", serviceId: incident.id, failure };
    return { result: how === "declared" ? "created" : "unchanged", serviceId: incident.id };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { result: error.kind === "uncertain" ? "uncertain" : "failed", failure: error };
  }
}

function isToBeDeclared({ action }: PlannedDefinition, { recreate }: ApplyOptions): boolean {
  return action === "create" || action === "unsettled" || (action === "gone" && recreate);
}

function settledResult(planned: PlannedDefinition, applying: ApplyOptions): Result {
  if (isToBeDeclared(planned, applying)) return "not-tried";
  switch (planned.action) {
    case "unchanged":
    case "drifted":
    case "gone":
    case "failed":
      return planned.action;
    default:
      return "not-tried";
  }
}

function endsAll({ failFast }: ApplyOptions, failure: Failure): boolean {
  return failFast || isFinal(failure);
}

function onlyHere(count: number): Failure {
  return new Failure(
    "partial",
    `the service gives incidents ids of its own: only this machine's journal knows which is whose, and ${count} more would hang on it`,
    {
      hint: "make sure that the state directory is kept between runs, even when a job fails, then go on with --yes",
    },
  );
}
