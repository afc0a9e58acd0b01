// A lenient reading of responses, which keeps every value as the service sent it.

import { isGuid } from "../rules/forms.ts";
import { entriesOf, type Fields, fieldOf, isMapping, ownValue } from "../untrusted-data.ts";
import { fieldsOfIncident, fieldsOfUpdate, type TextField } from "./fields.ts";
import { normalName } from "./normal-form.ts";
import { severities, statuses } from "./values.ts";

/** An incident from the service: only the type of the id is checked (spec 2.1). */
export type Incident = Fields & { readonly id: string };

export const envelopes: readonly string[] = ["data", "incident", "result"];

/** The incident in a decoded JSON body, or in its envelope; `undefined` without an object with a string as `id`. */
export function parseIncident(body: unknown): Incident | undefined {
  return unwrap(body, fieldOf, isIncident) as Incident | undefined;
}

function isIncident(body: unknown): boolean {
  return typeof fieldOf(body, "id") === "string";
}

/** The incident in an answer, or in the schema of one: the answer itself, or the content of its envelope. */
export function unwrap<T>(
  answer: T,
  field: (parent: T, name: string) => T | undefined,
  isIncident: (part: T) => boolean,
): T | undefined {
  // An id beside an envelope may be that of the request.
  const wrapped = field(answer, "name") === undefined ? envelopes : [];
  for (const name of wrapped) {
    const content = field(answer, name);
    const incident = content === undefined ? undefined : unwrap(content, field, isIncident);
    if (incident !== undefined) return incident;
  }
  return isIncident(answer) ? answer : undefined;
}

/** A field that a person gives as one text and that has no fact of its own. */
interface OtherText {
  readonly name: string;
  readonly value: string;
}

/** The fields of an incident that a page shows, as the service sent it; `undefined` for an absent value or null. */
export interface IncidentFacts {
  readonly id: string;
  readonly name: string | undefined;
  /** In its own letter case, where it is a known one. */
  readonly severity: string | undefined;
  /** `lastUpdateStatus`, else `status`, as lists have it, else the status of the last update. */
  readonly status: string | undefined;
  readonly services: readonly { readonly id: string | undefined; readonly name: string | undefined }[];
  /** In the order of the response: the spec does not state one. */
  readonly updates: readonly UpdateFacts[];
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly duration: string | undefined;
  readonly others: readonly OtherText[];
  /** Its address in the web application, where it is known; never from the service. */
  readonly link?: string | undefined;
}

/** The fields of an update that a page shows. */
export interface UpdateFacts {
  readonly id: string | undefined;
  readonly status: string | undefined;
  readonly description: string | undefined;
  /** The public date, else the day of creation, as the service sent it. */
  readonly at: string | undefined;
  /** Whether subscribers were notified; `undefined` unless the service sent a boolean. */
  readonly notified: boolean | undefined;
  readonly others: readonly OtherText[];
}

/** Never throws, even if the incident does not conform to spec 2.1. */
export function incidentFacts(incident: Incident): IncidentFacts {
  const updates = entriesOf(incident.incidentUpdates).map(updateFacts);
  return {
    id: incident.id,
    name: textOf(incident.name),
    severity: nameOf(incident.severity, severities),
    status:
      nameOf(incident.lastUpdateStatus, statuses) || nameOf(incident.status, statuses) || lastStatus(updates),
    services: entriesOf(incident.services).map(serviceFacts),
    updates,
    createdAt: textOf(incident.created_at),
    updatedAt: textOf(incident.updated_at),
    duration: textOf(incident.duration),
    others: otherTexts(fieldsOfIncident, incident),
  };
}

function otherTexts(known: readonly TextField[], fields: Fields): readonly OtherText[] {
  return known.flatMap(({ name, rules }) => {
    if (ownFacts.has(name)) return [];
    const value = nameOf(ownValue(fields, name), rules.enum?.map(String) ?? []);
    return value === undefined ? [] : [{ name, value }];
  });
}

const ownFacts: ReadonlySet<string> = new Set(["name", "severity", "status", "description"]);

export function isResolved(incident: Incident): boolean {
  return incidentFacts(incident).status === "RESOLVED";
}

/** The status of the latest update that has one. The spec does not state an order: of equal times, the last counts. */
function lastStatus(updates: readonly UpdateFacts[]): string | undefined {
  const timeOf = ({ at = "" }: UpdateFacts) => Date.parse(at) || 0;
  return updates
    .filter(({ status }) => status !== undefined)
    .toSorted((one, other) => timeOf(one) - timeOf(other))
    .at(-1)?.status;
}

/** Takes a service that is not an object as its id, if it is a GUID, else as its name. */
function serviceFacts(entry: unknown) {
  if (isMapping(entry)) return { id: textOf(entry.id ?? entry.serviceId), name: textOf(entry.name) };
  const text = textOf(entry);
  return text !== undefined && isGuid(text) ? { id: text, name: undefined } : { id: undefined, name: text };
}

/** Takes an update that is not an object as its description. */
export function updateFacts(entry: unknown): UpdateFacts {
  const update: Fields = isMapping(entry) ? entry : { description: entry };
  return {
    id: textOf(update.id),
    status: nameOf(update.status, statuses),
    description: textOf(update.description),
    at: textOf(update.publicIncidentUpdateDate) ?? textOf(update.created_at),
    notified: typeof update.notifySubscribers === "boolean" ? update.notifySubscribers : undefined,
    others: otherTexts(fieldsOfUpdate, update),
  };
}

/** The value of an enumeration in its own letter case; any other value as it is. */
function nameOf(value: unknown, names: readonly string[]): string | undefined {
  return normalName(textOf(value), names) ?? textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch {
    // Nested more deeply than JSON.stringify can follow.
    return "(nested too deeply)";
  }
}
