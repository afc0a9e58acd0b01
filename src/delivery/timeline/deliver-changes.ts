// Brings an incident to its definition: edits the changed fields, then posts the updates in their order. Each step is
// delivered exactly once, so that a rerun goes on where this stops.

import type { AddUpdate, Edit } from "../../document/operations.ts";
import { describeLeftOut } from "../../document/update-body.ts";
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { occurrenceOf } from "../../incident/timeline.ts";
import type { Incident } from "../../incident/wire.ts";
import type { Content, OperationLog, Parts } from "../../journal/events.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { createdEvent } from "../attempt.ts";
import { type EditedFields, makeEdit } from "../changes/edit.ts";
import { postOnce } from "../changes/post-once.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { lackingFailure } from "../incident-failures.ts";
import { planTail, readPosted, type Tail, type TimelineOptions } from "./plan-tail.ts";

export interface Changes {
  /** As it was read last. */
  readonly incident: Incident;
  readonly readAt: number;
  /** The updates of the definition. */
  readonly file: readonly Update[];
  readonly tail: Pick<Tail, "updates">;
  readonly fields: EditedFields;
  /** The create in the journal, and the definition as a create. */
  readonly log?: OperationLog | undefined;
  readonly content?: Content | undefined;
}

export interface DeliveredChanges {
  readonly incident: Incident;
  /** The number of updates that this run posted. */
  readonly posted: number;
  readonly edited: EditedFields;
  readonly failure?: Failure;
}

/** Returns a `Failure` instead of throwing it, beside the changes that were sent. */
export async function deliverChanges(options: TimelineOptions, changes: Changes): Promise<DeliveredChanges> {
  const { fields, file, tail } = changes;
  let { incident, readAt } = changes;
  let edited: EditedFields = {};
  let posted = 0;
  const over = (failure?: Failure): DeliveredChanges => ({
    incident,
    posted,
    edited,
    ...(failure && { failure }),
  });
  try {
    const isEdited = Object.keys(fields).length > 0;
    const edit = isEdited ? await requireOperation(options, incident, "edit") : undefined;
    const addUpdate =
      tail.updates.length > 0 ? await requireOperation(options, incident, "addUpdate") : undefined;
    if (edit !== undefined) {
      const made = await makeEdit({ ...options, edit }, { incident, fields });
      ({ incident, readAt } = made);
      if (made.how !== "edited-before") edited = fields;
      await rememberApplied(options, changes, incident);
    }
    for (const at of tail.updates) {
      const one = await postOnce(
        { ...options, addUpdate: addUpdate as AddUpdate },
        {
          incident,
          readAt,
          entry: file[at] as Update,
          occurrence: occurrenceOf(file, at),
          reopens: options.reopens || isAfterResolved(file, at),
          isForAlert: options.named?.dedupKey !== undefined,
        },
      );
      ({ incident, readAt } = one);
      if (one.how !== "posted-before") posted += 1;
      if (one.failure !== undefined) return over(one.failure);
    }
    return over();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return over(error);
  }
}

/** Throws a `Failure` where the service's document does not describe it, or cannot be read. */
async function requireOperation<N extends "addUpdate" | "edit">(
  options: TimelineOptions,
  incident: Incident,
  name: N,
): Promise<N extends "edit" ? Edit : AddUpdate> {
  const known = await options.operations();
  const failure = lackingFailure(options, incident, known, name);
  if (failure !== undefined) throw failure;
  return (known.isKnown && known.operations[name]) as N extends "edit" ? Edit : AddUpdate;
}

/** The definition itself says that the incident goes on after a RESOLVED. */
function isAfterResolved(file: readonly Update[], at: number): boolean {
  return file.slice(0, at).findLast(({ status }) => status !== undefined)?.status === "RESOLVED";
}

/** The create of the journal has the edited fields from now on, so that a person's change of them is one. */
async function rememberApplied(
  options: DeliveryOptions,
  { content, fields, log: known }: Changes,
  incident: Incident,
): Promise<void> {
  if (known?.created === undefined || known.parts === undefined || content === undefined) return;
  const { created, parts: before } = known;
  const edited = Object.keys(fields).map((name) => [name, content.parts[name as keyof EditedFields]]);
  const parts: Parts = { ...before, ...Object.fromEntries(edited) };
  const event = {
    ...createdEvent(options, "reading", { incident, serviceId: created.serviceId, altered: known.altered }),
    content: { ...content, parts },
  };
  const isKnown = (log: OperationLog) => jsonDigest(log.parts) === jsonDigest(parts);
  for (let log = known; log.created !== undefined && !isKnown(log); )
    ({ log } = await options.journal.append(log, event));
}

/** Posts the updates after those of the create. `log`: of the create. */
export async function postRest(
  options: TimelineOptions,
  { incident, log, readAt }: Pick<Changes, "incident" | "readAt"> & { readonly log: OperationLog },
  file: readonly Update[],
): Promise<DeliveredChanges> {
  // The incident is declared, so its id is reported even if the journal cannot be read.
  const journalled = await readPosted(options, incident, file, log).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return error;
  });
  const tail =
    journalled instanceof Failure
      ? { updates: [], failure: journalled }
      : planTail(options, incident, file, journalled);
  if ("warning" in tail && tail.warning !== undefined) options.reporter.warn(tail.warning);
  const known = await options.operations();
  const addUpdate = known.isKnown ? known.operations.addUpdate : undefined;
  const posted = tail.updates.map((at) => file[at] as Update);
  const leftOut = addUpdate && describeLeftOut(addUpdate, posted);
  if (leftOut !== undefined) options.reporter.warn(leftOut);
  const { kind } = tail.failure ?? {};
  const delivered =
    kind === undefined || kind === "drift"
      ? await deliverChanges(options, { incident, readAt, file, tail, fields: {} })
      : { incident, posted: 0, edited: {} };
  // The text of an alert differs from delivery to delivery.
  const isOther = kind === "drift" && options.acceptsAnyContent;
  const failure = delivered.failure ?? (isOther ? undefined : tail.failure);
  if (failure === undefined || failure.kind === "uncertain")
    return { ...delivered, ...(failure && { failure }) };
  const message = `it is declared, and not all updates after it are posted: ${failure.message}`;
  return { ...delivered, failure: failure.with({ kind: "partial", message }) };
}
