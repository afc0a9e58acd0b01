// Brings an incident to its definition: edits the changed fields, then posts the updates in their order. Each step is
// delivered exactly once, so that a rerun goes on where this stops.

import type { AddUpdate } from "../../document/contract.ts";
import { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { Altered, Content, OperationLog, Parts } from "../../journal/events.ts";
import { operation } from "../../journal/model.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { createdEvent } from "../attempt.ts";
import { type EditedFields, makeEdit } from "../changes/edit.ts";
import { postOnce } from "../changes/update-operation.ts";
import type { Delivered, DeliveryOptions, Reading } from "../delivery-options.ts";
import { type Changes, planChanges } from "./plan-changes.ts";
import type { ReadIncident } from "./update-order.ts";

export interface DeliveredChanges {
  readonly incident: Incident;
  /** The number of updates that this run posted. */
  readonly posted: number;
  readonly edited: EditedFields;
  /** The changes that a dry run leaves to be sent. */
  readonly rest?: Changes | undefined;
  readonly failure?: Failure | undefined;
}

/** Returns a `Failure` instead of throwing it, beside the changes that were sent. */
export async function deliverChanges(options: DeliveryOptions, changes: Changes): Promise<DeliveredChanges> {
  const { addUpdate, content, edit, log, posts } = changes;
  const unsent: (typeof posts)[number][] = [];
  let latest: Reading = changes;
  let edited: EditedFields = {};
  let posted = 0;
  try {
    if (edit !== undefined && !options.neverSends) {
      const { fields } = edit;
      const made = await makeEdit(options, edit.operation, { incident: latest.incident, fields });
      latest = made;
      if (made.how !== "edited-before") edited = fields;
      await rememberApplied(options, log, content, fields, made.altered);
    }
    for (const post of posts) {
      const { incident, readAt } = latest;
      const one = await postOnce(options, addUpdate as AddUpdate, { ...post, incident, readAt });
      latest = one;
      if (one.how === "posted") posted += 1;
      if (one.how === "unsent") unsent.push(post);
      if (one.failure !== undefined) throw one.failure;
    }
    const isRest = options.neverSends && (edit !== undefined || unsent.length > 0);
    const rest = isRest ? { ...changes, posts: unsent } : undefined;
    return { incident: latest.incident, posted, edited, rest };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { incident: latest.incident, posted, edited, failure: error };
  }
}

/**
 * Records the edited fields with the create, and the values that the service made of them. A later difference in them is then a
 * change by a person.
 */
async function rememberApplied(
  options: DeliveryOptions,
  known: OperationLog,
  content: Content,
  fields: EditedFields,
  made: Altered = {},
): Promise<void> {
  if (known.created === undefined || known.parts === undefined) return;
  const { serviceId } = known.created;
  const edited = Object.keys(fields).map((name) => [name, content.parts[name as keyof EditedFields]]);
  const parts: Parts = { ...known.parts, ...Object.fromEntries(edited) };
  const kept = Object.entries(known.altered ?? {}).filter(([field]) => !Object.hasOwn(fields, field));
  const altered: Altered = { ...Object.fromEntries(kept), ...made };
  const event = {
    ...createdEvent(options, "reading", { serviceId, altered }),
    content: { ...content, parts },
  };
  await options.journal.append(known, event, (model) => {
    const log = operation(model, known.key, known.key.id);
    const isKnown = jsonDigest([log.parts, log.altered ?? {}]) === jsonDigest([parts, altered]);
    return log.created !== undefined && !isKnown;
  });
}

type Posted = Omit<DeliveredChanges, "edited">;

/** Posts the updates after those of the create. */
export async function postRest(
  options: DeliveryOptions,
  read: Omit<ReadIncident, "model" | "readAt"> & Pick<Delivered, "how">,
): Promise<Posted> {
  const { incident } = read;
  const readAt = options.system.clock.monotonic();
  const planning = { ...options, overwrites: false, reopens: false };
  let delivered: Posted = { incident, posted: 0 };
  try {
    const model = await options.journal.model(options.service);
    const plan = planChanges(planning, { ...read, model, readAt }, await options.operations());
    for (const warning of plan.warnings ?? []) options.reporter.warn(warning);
    const { changes } = plan;
    if (changes !== undefined) delivered = await deliverChanges(options, { ...changes, edit: undefined });
    // The text of an alert differs from delivery to delivery.
    const drift = options.acceptsAnyContent ? undefined : plan.drift;
    delivered = { ...delivered, failure: delivered.failure ?? plan.failure ?? drift };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The incident is declared, so its id is reported even if the journal cannot be read.
    delivered = { ...delivered, failure: error };
  }
  const { failure } = delivered;
  const isKept = failure === undefined || failure.kind === "uncertain" || failure.kind === "drift";
  const isPublished = read.how === "declared" || delivered.posted > 0;
  if (isKept || !isPublished) return delivered;
  const message = `it is declared, and not all updates after it are posted: ${failure.message}`;
  // The id is right: this command has it from the service.
  const isNotThere = failure.kind === "missing" || failure.details.response?.status === 404;
  const behind = isNotThere && {
    hint: "the service may be behind: run the same command again for the rest",
  };
  return { ...delivered, failure: failure.with({ kind: "partial", message, ...behind }) };
}
