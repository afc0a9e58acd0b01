// Makes sure that each definition exists: reads what is there, then declares what is missing, several at a time
// and each exactly once. The order of the results is the order of the definitions.
import { Failure } from "../failure.ts";
import { compareIncident, type Difference } from "../incident/plan.ts";
import { createBody } from "../incident/wire.ts";
import type { LocatedDefinition } from "../source/definitions.ts";
import { digestOf } from "./claims.ts";
import { canBeFound } from "./client-ids.ts";
import { deliver } from "./deliver.ts";
import { type Delivering, now } from "./delivering.ts";
import type { Operation, OperationKey } from "./journal.ts";
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

export type Result = "created" | "unchanged" | "drifted" | "gone" | "failed" | "uncertain" | "not-tried";

export interface AppliedDefinition extends PlannedDefinition {
  readonly result: Result;
}

export interface Applying extends Delivering {
  /** When it is aborted, what is under way finishes and nothing more begins. */
  readonly stop: AbortSignal;
  /** How many are read or declared at a time. */
  readonly concurrency: number;
  readonly failFast: boolean;
  /** Whether what the journal knows as declared, and the service no longer has, is declared anew. */
  readonly recreate: boolean;
  /** Goes on where only this machine's journal will know which incident is whose. */
  readonly goOn: boolean;
  readonly progress: (done: number, all: number) => void;
}

/** An answer that is older than this is asked for again before a create is sent. */
const freshness = 10_000;

/** Reads every definition's incident. An authentication failure ends it; other failures stay with their definition. */
export async function planDefinitions(
  applying: Applying,
  definitions: readonly LocatedDefinition[],
): Promise<readonly PlannedDefinition[]> {
  const planned: PlannedDefinition[] = [];
  let done = 0;
  await inParallel({ ...applying, count: definitions.length }, async (index) => {
    planned[index] = await planDefinition(applying, definitions[index] as LocatedDefinition);
    applying.progress(++done, definitions.length);
  });
  return definitions.map((located, index) => planned[index] ?? unread(applying, located));
}

async function planDefinition(applying: Applying, located: LocatedDefinition): Promise<PlannedDefinition> {
  const key = keyOf(applying, located);
  const at = applying.context.clock.now();
  const plan = (action: Action, more: Partial<PlannedDefinition> = {}) => ({
    located,
    key,
    action,
    readAt: at,
    ...more,
  });
  try {
    const operation = applying.journal.read(key);
    const id = operation?.created?.serviceId ?? key.id;
    const canRead = operation?.created !== undefined || canBeFound(applying.clientIds.current());
    const incident = canRead ? await applying.client.findIncident(id) : undefined;
    if (incident !== undefined) {
      const differences = compareIncident(createBody(located.definition, key.id), incident);
      return plan(differences.length === 0 ? "unchanged" : "drifted", {
        serviceId: incident.id,
        differences,
      });
    }
    if (operation?.created !== undefined) return plan("gone", { known: operation });
    return plan(operation?.uncertain === undefined ? "create" : "unsettled");
  } catch (error) {
    if (!(error instanceof Failure) || isFinal(error)) throw error;
    return plan("failed", { failure: error });
  }
}

/** Declares what the plan says is missing. Never throws a `Failure`: each stays with its definition. */
export async function applyPlan(
  applying: Applying,
  plan: readonly PlannedDefinition[],
): Promise<readonly AppliedDefinition[]> {
  const results = plan.map(
    (planned): AppliedDefinition => ({ ...planned, result: settledResult(planned, applying) }),
  );
  const todo = plan.flatMap((planned, index) => (isToBeDeclared(planned, applying) ? [index] : []));
  let done = 0;
  let last: Failure | undefined;
  const declare = async (index: number) => {
    if (last !== undefined) return;
    const planned = plan[index] as PlannedDefinition;
    const applied = await declareOne(applying, planned);
    results[index] = { ...planned, ...applied };
    applying.progress(++done, todo.length);
    const { failure } = applied;
    if (failure !== undefined && (applying.failFast || isFinal(failure))) last = failure;
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
  applying: Applying,
  { action, key, known, located, readAt }: PlannedDefinition,
): Promise<Pick<AppliedDefinition, "result" | "serviceId" | "failure">> {
  const { context, journal } = applying;
  const body = createBody(located.definition, key.id);
  try {
    if (action === "gone") {
      // Against what was planned: another run may have declared it anew meanwhile.
      journal.add(key, known, { type: "not-created", at: now(applying) });
    }
    const isStale = context.clock.now() - readAt > freshness;
    const { incident, failure, how } = await deliver(applying, {
      key,
      content: { body, digest: digestOf(body) },
      mayExist: isStale,
    });
    // Declared, but not written down: a rerun settles it.
    if (failure !== undefined) return { result: "uncertain", serviceId: incident.id, failure };
    return { result: how === "declared" ? "created" : "unchanged", serviceId: incident.id };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { result: error.kind === "uncertain" ? "uncertain" : "failed", failure: error };
  }
}

function isToBeDeclared({ action }: PlannedDefinition, { recreate }: Applying): boolean {
  return action === "create" || action === "unsettled" || (action === "gone" && recreate);
}

function settledResult(planned: PlannedDefinition, applying: Applying): Result {
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

function keyOf({ service }: Applying, { definition }: LocatedDefinition): OperationKey {
  return { ...service, id: (definition.id ?? "").toLowerCase() };
}

function unread(applying: Applying, located: LocatedDefinition): PlannedDefinition {
  return { located, key: keyOf(applying, located), action: "not-read", readAt: 0 };
}

/** What would fail for every other definition as well. */
function isFinal({ kind }: Failure): boolean {
  return kind === "credentials" || kind === "usage";
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
