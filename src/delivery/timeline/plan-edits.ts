// Which fields of an incident its definition has changed since it was applied last. A value that somebody changed at the
// service is a person's.
import { type Difference, differencesOf } from "../../incident/comparison.ts";
import type { CreateBody } from "../../incident/create-body.ts";
import { type Incident, isResolved } from "../../incident/wire.ts";
import { partsOf } from "../../journal/content.ts";
import type { Altered, OperationLog } from "../../journal/events.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { ownValue } from "../../untrusted-data.ts";
import { editableFields } from "../changes/edit.ts";

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
