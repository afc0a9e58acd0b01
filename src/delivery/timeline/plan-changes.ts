// Plans the changes that bring an existing incident to its definition, and the differences to report. Pure. A value that
// somebody changed at the service since the file was applied is a person's.

import type { KnownOperations } from "../../api/known-operations.ts";
import type { AddUpdate, Edit } from "../../document/contract.ts";
import { describeLeftOut } from "../../document/update-body.ts";
import type { Failure } from "../../failure.ts";
import { type Difference, differencesOf, isAnotherIncident } from "../../incident/comparison.ts";
import type { CreateBody } from "../../incident/create-body.ts";
import type { Update } from "../../incident/definition.ts";
import { occurrenceOf } from "../../incident/updates.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import { partsOf } from "../../journal/content.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import { wasAltered } from "../attempt.ts";
import { type EditedFields, editableFields } from "../changes/edit.ts";
import type { PostRequest } from "../changes/update-operation.ts";
import type { Reading } from "../delivery-options.ts";
import { conflictFailure } from "../failures.ts";
import { lackingFailure } from "../incident-failures.ts";
import { type ChangeOptions, planTail, type ReadIncident } from "./update-order.ts";

/** The requests that bring an incident that exists to its definition. */
export interface Changes extends Reading {
  /** Of the create. */
  readonly log: OperationLog;
  /** In the order of the definition. */
  readonly posts: readonly Pick<PostRequest, "entry" | "occurrence" | "reopens">[];
  /** Undefined where no update is to be posted. */
  readonly addUpdate?: AddUpdate | undefined;
  readonly edit?: ChangedFields | undefined;
  /** The definition as a create. */
  readonly content: Content;
}

/** The fields to edit: the values to send, and the texts for a person. */
export interface ChangedFields {
  readonly operation: Edit;
  readonly fields: EditedFields;
  readonly differences: readonly Difference[];
}

export interface ChangePlan {
  /** `resolved`: a person has resolved the incident, and its definition has nothing to add. */
  readonly action: "change" | "unchanged" | "resolved" | "drifted" | "failed";
  readonly differences?: readonly Difference[];
  /** The updates that the timeline of the incident lacks, or has in other words, and the way on. */
  readonly drift?: Failure | undefined;
  /** Whether updates at its end are not posted because of the drift: no flag permits that. */
  readonly isHeldBack?: boolean | undefined;
  readonly changes?: Changes;
  /** A "rejected" one is for a person to correct, even if everything else succeeds. */
  readonly failure?: Failure | undefined;
  readonly warnings?: readonly string[];
}

/** `known`: how the service takes changes. */
export function planChanges(options: ChangeOptions, read: ReadIncident, known: KnownOperations): ChangePlan {
  const { content, definition, incident, log, readAt } = read;
  const { body } = content;
  const file = definition.incidentUpdates;
  const { edits, others } = planEdits(body, log, incident, options.overwrites);
  const tail = planTail(options, read, known.isKnown ? known.operations.addUpdate : undefined);
  const warnings = tail.warning === undefined ? [] : [tail.warning];
  const { isHeldBack } = tail;
  const drift = tail.failure?.kind === "drift" ? tail.failure : undefined;
  const differences = [...others, ...tail.differences.filter((each) => !wasAltered(log, each))];
  const isAnother = log.parts === undefined && isAnotherIncident(body, incidentFacts(incident));
  const fields = edits.map(({ field }) => field);
  const failure = isAnother
    ? conflictFailure(incident, [...edits, ...others])
    : tail.failure !== drift
      ? tail.failure
      : lackingFailure(options, incident, known, { fields, posts: tail.updates.length > 0 });
  if (failure !== undefined)
    return { action: "failed", failure, differences: [...edits, ...differences], warnings };
  if (fields.length + tail.updates.length === 0 || !known.isKnown) {
    const unchanged = tail.isOver ? "resolved" : "unchanged";
    return {
      action: drift || differences.length > 0 ? "drifted" : unchanged,
      drift,
      isHeldBack,
      differences,
      warnings,
    };
  }
  const { addUpdate, edit } = known.operations;
  const posts = tail.updates.map((at) => ({
    entry: file[at] as Update,
    occurrence: occurrenceOf(file, at),
    reopens: options.reopens || isAfterResolved(file, at),
  }));
  const entries = posts.map(({ entry }) => entry);
  const leftOut = addUpdate && describeLeftOut(addUpdate, entries);
  const changes: Changes = {
    incident,
    readAt,
    log,
    posts,
    addUpdate,
    edit: edit && edits.length > 0 ? editOf(edit, edits, body, incident) : undefined,
    content,
  };
  const told = leftOut === undefined ? warnings : [...warnings, `"${definition.name}": ${leftOut}`];
  return { action: "change", changes, drift, isHeldBack, differences, warnings: told };
}

/** The definition itself says that the incident goes on after a RESOLVED. */
function isAfterResolved(file: readonly Update[], at: number): boolean {
  return file.slice(0, at).findLast(({ status }) => status !== undefined)?.status === "RESOLVED";
}

function editOf(
  operation: Edit,
  edits: readonly Difference[],
  body: CreateBody,
  incident: Incident,
): ChangedFields {
  return {
    operation,
    fields: Object.fromEntries(edits.map(({ field }) => [field, body[field as keyof EditedFields]])),
    differences: edits.map((each) => (each.field === "services" ? byName(each, body, incident) : each)),
  };
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
