// Brings an incident to its definition: edits the changed fields, then posts the updates in their order. Each step is
// delivered exactly once, so that a rerun goes on where this stops.

import type { AddUpdate } from "../../document/operations.ts";
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { occurrenceOf } from "../../incident/updates.ts";
import type { Incident } from "../../incident/wire.ts";
import type { Content, OperationLog, Parts } from "../../journal/events.ts";
import { operation } from "../../journal/model.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { createdEvent } from "../attempt.ts";
import { type EditedFields, makeEdit } from "../changes/edit.ts";
import { postOnce } from "../changes/update-operation.ts";
import type { Delivered, DeliveryOptions } from "../delivery-options.ts";
import { updatesToPost } from "../plan.ts";
import { type Changes, planChanges } from "./plan-changes.ts";
import type { ChangeOptions, ReadIncident } from "./update-order.ts";

/** The changes of an incident that was read. */
export interface Steps extends Changes {
  /** On the monotonic clock. */
  readonly readAt: number;
  /** The updates of the definition. */
  readonly file: readonly Update[];
  /** Of the create. */
  readonly log: OperationLog;
}

export interface DeliveredChanges {
  readonly incident: Incident;
  /** The number of updates that this run posted. */
  readonly posted: number;
  readonly edited: EditedFields;
  readonly failure?: Failure | undefined;
}

/** Returns a `Failure` instead of throwing it, beside the changes that were sent. */
export async function deliverChanges(
  options: ChangeOptions,
  { addUpdate, content, edit, file, log, updates, ...read }: Steps,
): Promise<DeliveredChanges> {
  let { incident, readAt } = read;
  let edited: EditedFields = {};
  let posted = 0;
  try {
    if (edit !== undefined) {
      const { fields } = edit;
      const made = await makeEdit(options, edit.operation, { incident, fields });
      ({ incident, readAt } = made);
      if (made.how !== "edited-before") edited = fields;
      await rememberApplied(options, log, content, fields);
    }
    for (const at of addUpdate === undefined ? [] : updates) {
      const one = await postOnce(options, addUpdate as AddUpdate, {
        incident,
        readAt,
        entry: file[at] as Update,
        occurrence: occurrenceOf(file, at),
        reopens: options.reopens || isAfterResolved(file, at),
      });
      ({ incident, readAt } = one);
      if (one.how === "posted") posted += 1;
      if (one.failure !== undefined) return { incident, posted, edited, failure: one.failure };
    }
    return { incident, posted, edited };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { incident, posted, edited, failure: error };
  }
}

/** The definition itself says that the incident goes on after a RESOLVED. */
function isAfterResolved(file: readonly Update[], at: number): boolean {
  return file.slice(0, at).findLast(({ status }) => status !== undefined)?.status === "RESOLVED";
}

/** The create of the journal has the edited fields from now on, so that a person's change of them is one. */
async function rememberApplied(
  options: DeliveryOptions,
  known: OperationLog,
  content: Content,
  fields: EditedFields,
): Promise<void> {
  if (known.created === undefined || known.parts === undefined) return;
  const { serviceId } = known.created;
  const edited = Object.keys(fields).map((name) => [name, content.parts[name as keyof EditedFields]]);
  const parts: Parts = { ...known.parts, ...Object.fromEntries(edited) };
  const event = {
    ...createdEvent(options, "reading", { serviceId, altered: known.altered }),
    content: { ...content, parts },
  };
  await options.journal.append(known, event, (model) => {
    const log = operation(model, known.key, known.key.id);
    return log.created !== undefined && jsonDigest(log.parts) !== jsonDigest(parts);
  });
}

type Posted = Pick<DeliveredChanges, "failure" | "incident" | "posted"> & Pick<Delivered, "rest">;

/** Posts the updates after those of the create. */
export async function postRest(
  options: DeliveryOptions,
  read: Omit<ReadIncident, "model"> & Pick<Delivered, "how">,
): Promise<Posted> {
  const { definition, incident, log } = read;
  const readAt = options.system.clock.monotonic();
  const planning = { ...options, overwrites: false, reopens: false };
  let delivered: Posted = { incident, posted: 0 };
  try {
    const model = await options.journal.model(options.service);
    const plan = planChanges(planning, { ...read, model }, await options.operations());
    for (const warning of plan.warnings ?? []) options.reporter.warn(warning);
    const { changes } = plan;
    const file = definition.incidentUpdates;
    if (changes !== undefined)
      delivered = options.neverSends
        ? {
            ...delivered,
            rest: { addUpdate: changes.addUpdate, updates: updatesToPost({ changes, definition }) },
          }
        : await deliverChanges(planning, { ...changes, edit: undefined, readAt, file, log });
    // The text of an alert differs from delivery to delivery.
    const drift = options.acceptsAnyContent ? undefined : plan.drift;
    delivered = { ...delivered, failure: delivered.failure ?? plan.failure ?? drift };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The incident is declared, so its id is reported even if the journal cannot be read.
    delivered = { ...delivered, failure: error };
  }
  const { failure } = delivered;
  // Nothing was sent to an incident of an earlier run, and the same command again sends nothing either.
  const isRefused = failure?.kind === "rejected" && read.how !== "declared" && delivered.posted === 0;
  const isKept = failure === undefined || failure.kind === "uncertain" || failure.kind === "drift";
  if (isKept || isRefused) return delivered;
  const message = `it is declared, and not all updates after it are posted: ${failure.message}`;
  // The id is right: this command has it from the service.
  const behind = failure.kind === "missing" && {
    hint: "the service may be behind: run the same command again for the rest",
  };
  return { ...delivered, failure: failure.with({ kind: "partial", message, ...behind }) };
}
