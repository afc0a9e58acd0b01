// An apply: its plan, which reads several incidents at a time and decides by pure functions, and its delivery, which declares the
// missing incidents and changes the others, each step exactly once. Results are in the order of the files.
import { Failure, ignoreFailure, onlyFailure } from "../failure.ts";
import type { Difference } from "../incident/comparison.ts";
import type { Definition } from "../incident/definition.ts";
import { type Incident, isResolved, isSameId } from "../incident/wire.ts";
import { contentOf } from "../journal/content.ts";
import { incidentIdOf, type OperationLog } from "../journal/events.ts";
import { operationIn, unsettledCreates } from "../journal/model.ts";
import { jsonDigest } from "../text/json-digest.ts";
import { createdEvent } from "./attempt.ts";
import { contentToSend, withRest } from "./batch/batch.ts";
import { rememberApplied } from "./changes/edit.ts";
import { postedTo } from "./changes/known-updates.ts";
import { createOnce } from "./create-once.ts";
import { behindFailure, findCreateById, findInList } from "./creates/declared.ts";
import { isStale, mayBeBehind, timestamp } from "./delivery-options.ts";
import { findSimilarCreate } from "./failures.ts";
import { asDryRun } from "./open-delivery.ts";
import { inParallel } from "./parallel.ts";
import {
  type ChangePlan,
  type Changes,
  type DeliveredChanges,
  deliverChanges,
  planChanges,
  planEdits,
} from "./timeline/changes.ts";
import type { ChangeOptions } from "./timeline/update-order.ts";

/**
 * `change`: updates are to be posted, or fields to be edited. `unsettled`: the outcome of a create or an update is not known.
 * `gone`: it was declared, and the service no longer has it.
 */
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
  /** The log of the create. */
  readonly log: OperationLog;
  readonly action: Action;
  readonly serviceId?: string;
  /** The log of the incident that is gone, which another create may have. */
  readonly gone?: OperationLog;
}

export interface PlanOptions extends ChangeOptions {
  /** After its abort, the requests that were sent end, and no other is sent. */
  readonly stop: AbortSignal;
  /** `--recreate`: an incident that is gone is declared anew. */
  readonly recreate: boolean;
}

/** Reads the journal and each incident, and plans. A final failure ends the plan; any other one stays with its definition. */
export async function planDefinitions(
  options: PlanOptions,
  definitions: readonly Definition[],
): Promise<readonly PlannedDefinition[]> {
  const { client, journal, reporter, service, system } = options;
  const model = await journal.model(service);

  async function planDefinition(planned: PlannedDefinition): Promise<PlannedDefinition> {
    const { definition, log } = planned;
    const content = contentOf(definition, log.key.id, client.settings.account.value);
    // Its delivery settles it, or says why that is not possible; a read here could hide that.
    if (log.uncertain !== undefined) return { ...planned, action: "unsettled" };
    const unsettled = log.state === "new" ? unsettledCreates(model) : [];
    const same = unsettled.filter((each) => each.digest === content.digest);
    const failure = findSimilarCreate(options, same, content);
    if (failure !== undefined) return { ...planned, action: "failed", failure };
    try {
      const incident = await readIncident(log);
      if (incident === undefined) return await planMissing(planned);
      const read = { ...planned, content, model, incident };
      const plan = planChanges(options, read, await options.operations());
      return { ...planned, serviceId: incident.id, ...plan };
    } catch (error) {
      if (!(error instanceof Failure) || isFinal(error)) throw error;
      return { ...planned, action: "failed", failure: error };
    }
  }

  async function readIncident({ created, key }: OperationLog): Promise<Incident | undefined> {
    const id = created?.serviceId ?? key.id;
    // A service that ignores ids assigns its own, which a person may have copied into the file.
    const found = await client.findIncident(id);
    // A single answer that is behind must not make --recreate declare it twice.
    return found ?? (created && (await client.findIncident(id)));
  }

  /** Plans for an incident that is not found by its id. Where the list shows it, it exists. */
  async function planMissing(planned: PlannedDefinition): Promise<PlannedDefinition> {
    const { log: own } = planned;
    const { id } = own.key;
    // The file may have the id of an incident that a command declared, or that a command updated.
    const log = own.next > 0 ? own : (findCreateById(model, id) ?? postedTo(model, id)[0] ?? own);
    if (log.created === undefined) return { ...planned, action: "create" };
    const isBehind = mayBeBehind(log.created.at, system);
    if (!isBehind && (await findInList(options, incidentIdOf(log))).shown === undefined)
      return { ...planned, action: "gone", gone: log };
    return { ...planned, action: "failed", failure: behindFailure(options, log) };
  }

  const plan = definitions.map((definition): PlannedDefinition => {
    // Definitions behind an abort stay `not-read`.
    const log = operationIn(model, { ...service, id: definition.id ?? "" });
    return { definition, log, action: "not-read" };
  });
  await inParallel([...plan.entries()], options, async ([index, one]) => {
    plan[index] = await planDefinition(one);
  });
  return plan.map(({ warnings = [], ...one }, at) => {
    for (const warning of warnings) reporter.warn(warning);
    const { definition, log, serviceId } = one;
    // Each of two files of one incident would post its own RESOLVED, and undo the edits of the other.
    const other = plan.slice(0, at).find((each) => isSameId(serviceId, each.serviceId));
    if (other === undefined) return one;
    const message = `"${definition.name}" is about ${serviceId}, as the definition of ${other.log.key.id} before it`;
    const failure = new Failure("rejected", message, { hint: "keep one file of each incident" });
    return { definition, log, action: "failed", failure };
  });
}

/** Whether every other definition would fail in the same way. */
export function isFinal({ details, kind }: Failure): boolean {
  return kind === "credentials" || kind === "usage" || details.unreachable === true;
}

/** The actions that are also results, because they send nothing. */
const unsentResults = ["unchanged", "resolved", "drifted", "gone", "failed"] as const;

export type Result = "created" | "changed" | (typeof unsentResults)[number] | "uncertain" | "not-tried";

export interface DeliveredDefinition extends Partial<Omit<DeliveredChanges, "incident">> {
  readonly result: Result;
  readonly serviceId?: string;
  readonly differences?: readonly Difference[];
}

export interface AppliedDefinition extends PlannedDefinition, DeliveredDefinition {}

/** Runs the plan on a draft of the journal, sends nothing, and returns the plan of the changes that are left. */
export async function tryPlan(
  options: PlanOptions,
  plan: readonly PlannedDefinition[],
): Promise<readonly PlannedDefinition[]> {
  const tried = await applyPlan(asDryRun(options), plan);
  return tried.map(({ changes, failure, rest, result, ...one }) => {
    if (failure !== undefined) return { ...one, failure, action: result === "failed" ? result : "unsettled" };
    if (rest !== undefined) return { ...one, changes: rest, action: "change" };
    const isFound = changes !== undefined || isToBeDeclared(one, options);
    if (!isFound || result === "not-tried") return { ...one, ...(changes && { changes }) };
    return { ...one, action: comparedResult(one) };
  });
}

function comparedResult({ differences = [], drift }: Pick<ChangePlan, "differences" | "drift">) {
  return drift || differences.length > 0 ? "drifted" : "unchanged";
}

/** Delivers the plan, creates first. Throws no `Failure`: each result has that of its definition. */
export async function applyPlan(
  options: PlanOptions,
  plan: readonly PlannedDefinition[],
): Promise<readonly AppliedDefinition[]> {
  async function declareOne(planned: PlannedDefinition): Promise<DeliveredDefinition> {
    const { definition, gone } = planned;
    let { log } = planned;
    try {
      if (gone !== undefined) {
        // Where another run declared it anew since the plan, this append is lost, and the log says so.
        const appended = await options.journal.append(gone, { type: "not-created", at: timestamp(options) });
        if (gone.key.id === log.key.id) ({ log } = appended);
      }
      const content = await contentToSend(options, definition, log.key.id);
      // An old log is harmless: the next append to it is lost, and the log is read again.
      const request = { log, content, updates: definition.incidentUpdates, mayExist: isStale(options) };
      const created = await createOnce(options, request);
      const { failure, how, incident, posted, rest } = await withRest(options, content, created, definition);
      if (how === "unsent") return { result: "not-tried" };
      const planning = { overwrites: false, staysResolved: isResolved(incident) };
      const { others: differences } = planEdits(content.body, created.log, incident, planning);
      const found = posted ? "changed" : comparedResult({ differences });
      const result = how === "declared" ? "created" : found;
      const delivered = { serviceId: incident.id, rest, failure, differences, result } as const;
      return { ...delivered, ...(posted !== undefined && { posted }) };
    } catch (error) {
      return { result: "failed", failure: onlyFailure(error) };
    }
  }

  async function changeOne(planned: PlannedDefinition, changes: Changes): Promise<DeliveredDefinition> {
    const { incident: _, ...delivered } = await deliverChanges(options, changes);
    // Another run can have made the changes since the plan.
    const isChanged = delivered.posted > 0 || Object.keys(delivered.edited).length > 0;
    return { ...delivered, result: isChanged ? "changed" : comparedResult(planned) };
  }

  /** Records an incident that was not declared from here, so that it is gone once it is deleted, and is not declared anew. */
  async function rememberFound(one: PlannedDefinition): Promise<void> {
    const { action, definition, differences, log, serviceId } = one;
    const isOwn = (["unchanged", "change", "resolved", "drifted"] as Action[]).includes(action);
    if (log.next > 0 || serviceId === undefined || !isOwn) return;
    const { account } = options.client.settings;
    const content = contentOf(definition, log.key.id, account.value, { isWhole: false });
    // No update is recorded as published for the file.
    const parts = { ...content.parts, updates: [] };
    // An incident that differs does not answer a create of the file.
    const isEqual = action !== "drifted" && !differences?.length;
    const digest = isEqual ? content.digest : jsonDigest(content.digest).slice(0, 32);
    const created = createdEvent(options, "reading", { serviceId });
    const event = { ...created, content: { ...content, digest, parts } };
    await options.journal.append(log, event);
  }

  const isToBeSent = (one: PlannedDefinition) => one.changes !== undefined || isToBeDeclared(one, options);
  const results = plan.map((planned): AppliedDefinition => {
    const unsent = unsentResults.find((each) => each === planned.action && !isToBeSent(planned));
    const failed = planned.failure && failedResult(planned.failure);
    return { ...planned, result: failed ?? unsent ?? "not-tried" };
  });
  const todo = [...plan.keys()].filter((at) => isToBeSent(plan[at] as PlannedDefinition));
  let isEnded = plan.some(endsAll);
  const deliver = async (index: number) => {
    if (isEnded) return;
    const planned = plan[index] as PlannedDefinition;
    const applied = await (planned.changes ? changeOne(planned, planned.changes) : declareOne(planned));
    const result = applied.failure ? failedResult(applied.failure) : applied.result;
    results[index] = { ...planned, ...applied, result };
    if (endsAll(applied)) isEnded = true;
  };
  const isChange = (at: number) => plan[at]?.changes !== undefined;
  const order = [...todo.filter((at) => !isChange(at)), ...todo.filter(isChange)];
  await inParallel(order, options, deliver);
  // A record that fails is made by a later run.
  for (const one of plan) {
    const { agreed, changes, log } = one;
    if (agreed && changes?.edit === undefined)
      await rememberApplied(options, log, agreed.content, agreed.fields).catch(ignoreFailure);
    await rememberFound(one).catch(ignoreFailure);
  }
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

function failedResult({ kind }: Failure): Result {
  return kind === "uncertain" ? "uncertain" : "failed";
}
