// Plans the changes that bring an existing incident to its definition, and the differences to report. Sends nothing. A value
// that somebody changed at the service since the file was applied is a person's.

import type { KnownOperations } from "../../api/known-operations.ts";
import type { Operations } from "../../document/operations.ts";
import { describeLeftOut } from "../../document/update-body.ts";
import type { Failure } from "../../failure.ts";
import { type Difference, differencesOf, isAnotherIncident } from "../../incident/comparison.ts";
import type { CreateBody } from "../../incident/create-body.ts";
import type { Definition, Update } from "../../incident/definition.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import { contentsOf, partsOf } from "../../journal/content.ts";
import type { Altered, Content, OperationKey, OperationLog } from "../../journal/events.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { ownValue } from "../../untrusted-data.ts";
import { type EditedFields, editableFields } from "../changes/edit.ts";
import { conflictFailure } from "../failures.ts";
import { lackingFailure } from "../incident-failures.ts";
import { planTail, readPosted, type Tail, type TimelineOptions } from "./plan-tail.ts";

export interface PlannedChanges {
  readonly incident: Incident;
  /** Places of the definition's updates, in their order. */
  readonly updates: readonly number[];
  /** The number of those that nobody has sent. */
  readonly count: number;
  /** Fields to edit: the text for a person, and the values to send. */
  readonly edits: readonly Difference[];
  readonly fields: EditedFields;
  /** The definition as a create. */
  readonly content: Content;
  readonly operations: Operations;
}

export interface ChangeOptions extends TimelineOptions {
  /** `--force`: writes the values of the definition over those that somebody changed at the service. */
  readonly overwrites: boolean;
}

export interface ChangePlan {
  /** `resolved`: somebody has resolved the incident, and its definition has nothing to add. */
  readonly action: "change" | "unchanged" | "resolved" | "drifted" | "failed";
  readonly differences?: readonly Difference[];
  /** What the timeline of the incident lacks, or has in other words, and the way on. */
  readonly drift?: Failure;
  readonly changes?: PlannedChanges;
  /** The problem that a person has to correct, even if everything else succeeds. */
  readonly problem?: Failure;
  readonly failure?: Failure;
}

export async function planChanges(
  options: ChangeOptions,
  { definition, key }: { readonly definition: Definition; readonly key: OperationKey },
  log: OperationLog,
  incident: Incident,
): Promise<ChangePlan> {
  const contents = contentsOf(definition, key.id, options.client.settings.account.value);
  const { body } = contents.at(-1) as Content;
  const { edits, others } = planEdits(body, log, incident, options.overwrites);
  if (log.parts === undefined && isAnotherIncident(body, incidentFacts(incident)))
    return { action: "failed", problem: conflictFailure(incident, [...edits, ...others]) };
  const file = definition.incidentUpdates;
  const tail = planTail(options, incident, file, await readPosted(options, incident, file, log));
  if (tail.warning !== undefined) options.reporter.warn(tail.warning);
  const worded = tail.differences.filter((each) => !wasAltered(log, each));
  const draft = { contents, definition, edits, incident, log, others: [...others, ...worded], tail };
  if (tail.failure !== undefined && tail.failure.kind !== "drift")
    return { action: "failed", problem: tail.failure, ...withDifferences([...edits, ...draft.others]) };
  const isEmpty = edits.length + tail.updates.length === 0;
  return permitChanges(options, draft, isEmpty ? undefined : await options.operations());
}

interface Draft {
  readonly contents: readonly Content[];
  readonly definition: Definition;
  readonly edits: readonly Difference[];
  readonly incident: Incident;
  readonly log: OperationLog;
  /** The differences that stay. */
  readonly others: readonly Difference[];
  readonly tail: Tail;
}

/** The part of a draft that the service's document describes. `known`: undefined where there is nothing to send. */
function permitChanges(options: ChangeOptions, draft: Draft, known: KnownOperations | undefined): ChangePlan {
  const { contents, definition, incident, log, tail } = draft;
  const { edits, others: differences } = draft;
  const drift = tail.failure && { drift: tail.failure };
  const lacking = known && lackingIn(options, draft, known);
  if (lacking !== undefined) {
    const reason = lacking.kind === "rejected" ? { problem: lacking } : { failure: lacking };
    return { action: "failed", ...reason, ...withDifferences([...edits, ...differences]) };
  }
  if (!known?.isKnown) {
    const unchanged = tail.isOver ? "resolved" : "unchanged";
    return { ...drift, action: drift || differences.length > 0 ? "drifted" : unchanged, differences };
  }
  const { operations } = known;
  const whole = contents.at(-1) as Content;
  const posted = tail.updates.map((at) => definition.incidentUpdates[at] as Update);
  const leftOut = operations.addUpdate && describeLeftOut(operations.addUpdate, posted);
  if (leftOut !== undefined) options.reporter.warn(`"${definition.name}": ${leftOut}`);
  const changes: PlannedChanges = {
    incident,
    updates: tail.updates,
    count: tail.count,
    edits: edits.map((each) => (each.field === "services" ? byName(each, whole.body, incident) : each)),
    fields: Object.fromEntries(edits.map(({ field }) => [field, whole.body[field as keyof EditedFields]])),
    // As many updates as the create had.
    content: contents[(log.parts?.updates.length ?? 0) - 1] ?? whole,
    operations,
  };
  return { action: "change", changes, ...drift, ...withDifferences(differences) };
}

/** Why a part of the draft cannot be sent: then none of it is. */
function lackingIn(options: ChangeOptions, draft: Draft, known: KnownOperations): Failure | undefined {
  const { edits, incident, tail } = draft;
  const fields = edits.map(({ field }) => field);
  const lacking = fields.length > 0 ? lackingFailure(options, incident, known, "edit", fields) : undefined;
  const posts = tail.updates.length > 0;
  return lacking ?? (posts ? lackingFailure(options, incident, known, "addUpdate") : undefined);
}

function withDifferences(differences: readonly Difference[]) {
  return differences.length > 0 ? { differences } : {};
}

/** The services by the names that people know. */
function byName({ field }: Difference, { services }: CreateBody, incident: Incident): Difference {
  const shown = incidentFacts(incident).services.map(({ id = "", name = id }) => name);
  return { field, wanted: services.map(({ name }) => name).join(", "), found: shown.join(", ") };
}

/** The texts of updates are compared as a timeline, and with each update the service moves two fields itself. */
const leftOut = /^(updated_at|duration)$|\.(description|status)$/;

/** `edits`: fields that the definition has changed, and with `overwrites` those that a person has. `others`: they stay. */
export function planEdits(body: CreateBody, log: OperationLog, incident: Incident, overwrites: boolean) {
  const differences = differencesOf(body, incident).filter(({ field }) => !leftOut.test(field));
  const own = partsOf(body);
  const isEdit = (each: Difference) => {
    const name = editableFields.find((field) => field === each.field);
    if (name === undefined) return false;
    return (log.parts !== undefined && log.parts[name] !== own[name]) || (overwrites && isOfPerson(each));
  };
  const isOfPerson = (each: Difference) => !wasAltered(log, each) && !isResolved(incident);
  const others = differences.filter((each) => !isEdit(each) && isOfPerson(each));
  return { edits: differences.filter(isEdit), others };
}

/** The differences that the service itself has made, in its answer to what was sent. */
export function alteredIn(differences: readonly Difference[]): Altered {
  return Object.fromEntries(differences.map(({ field, found = "" }) => [field, jsonDigest(found)]));
}

export function wasAltered({ altered = {} }: OperationLog, { field, found = "" }: Difference): boolean {
  const digest = ownValue(altered, field);
  // Which text stands in the place of another one is not known for sure.
  return digest !== undefined && (field.endsWith(".description") || digest === jsonDigest(found));
}
