// Carries out the plan of one definition: declares it, or brings its incident to it. Each step exactly once.
import { Failure } from "../../failure.ts";
import { contentsOf, updatesSentBy } from "../../journal/content.ts";
import type { Content } from "../../journal/events.ts";
import type { EditedFields } from "../changes/edit.ts";
import { createOnce } from "../create-once.ts";
import { freshness, readAtOf, timestamp } from "../delivery-options.ts";
import type { PlannedDefinition, PlanOptions } from "../plan.ts";
import { deliverChanges, postRest } from "./deliver-changes.ts";

export type Result =
  | "created"
  | "changed"
  | "unchanged"
  | "resolved"
  | "known"
  | "drifted"
  | "gone"
  | "failed"
  | "uncertain"
  | "not-tried";

export interface DeliveredDefinition {
  readonly result: Result;
  readonly serviceId?: string;
  readonly failure?: Failure;
  /** The number of updates that this run posted after a create, or to an incident that exists. */
  readonly posted?: number;
  /** The fields that this run edited. */
  readonly edited?: EditedFields;
}

export async function declareOne(
  options: PlanOptions,
  { action, definition, key, log: planned, readAt }: PlannedDefinition,
): Promise<DeliveredDefinition> {
  const { client, journal, system } = options;
  try {
    let log = planned;
    // Fails where another run declared it anew since the plan; then the log says so.
    if (action === "gone" && log !== undefined)
      ({ log } = await journal.append(log, { type: "not-created", at: timestamp(options) }));
    const isStale = system.clock.monotonic() - readAt > freshness;
    const contents = contentsOf(definition, key.id, client.settings.account.value);
    const content = contents.at((await takesUpdates(options, contents)) ? 0 : -1) as Content;
    // An old log is harmless: the next append to it is lost, and then it is read again.
    const request = { key, content, contents, mayExist: isStale, ...(log && { log }) };
    const delivered = await createOnce(options, request);
    const { failure, how, incident } = delivered;
    // Declared, but not recorded: a rerun settles it.
    if (failure !== undefined) return { result: "uncertain", serviceId: incident.id, failure };
    const result = how === "declared" ? "created" : "unchanged";
    const sent = updatesSentBy(delivered.log, contents);
    if (sent === contents.length) return { result, serviceId: incident.id };
    const read = { incident, log: delivered.log, readAt: readAtOf(delivered, options) };
    const rest = await postRest(options, read, definition.incidentUpdates);
    const isPosted = rest.failure === undefined;
    return {
      result: isPosted
        ? how !== "declared" && rest.posted > 0
          ? "changed"
          : result
        : failedResult(rest.failure),
      serviceId: incident.id,
      posted: rest.posted,
      ...(rest.failure && { failure: rest.failure }),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { result: failedResult(error), failure: error };
  }
}

/** Whether the updates after the first one are posted after the create. */
async function takesUpdates({ operations }: PlanOptions, { length }: readonly Content[]): Promise<boolean> {
  if (length === 1) return false;
  const known = await operations();
  return known.isKnown && known.operations.addUpdate !== undefined;
}

export async function changeOne(
  options: PlanOptions,
  { changes, definition, log, problem, readAt }: PlannedDefinition,
): Promise<DeliveredDefinition> {
  const { content, fields, incident, updates } = changes as NonNullable<PlannedDefinition["changes"]>;
  const file = definition.incidentUpdates;
  const { edited, failure, posted } = await deliverChanges(options, {
    incident,
    readAt,
    file,
    tail: { updates },
    fields,
    log,
    content,
  });
  const sent = { posted, edited };
  if (failure !== undefined) return { ...sent, result: failedResult(failure), failure };
  return { ...sent, result: problem === undefined ? "changed" : "failed" };
}

function failedResult({ kind }: Failure): Result {
  return kind === "uncertain" ? "uncertain" : "failed";
}
