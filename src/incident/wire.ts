// A lenient reading of responses, which keeps every value as the service sent it.

import { entriesOf, type Fields, isMapping, ownValue } from "../own-value.ts";
import { isGuid } from "../rules/forms.ts";
import { fieldsOfIncident, fieldsOfUpdate, type TextField } from "./fields.ts";
import { normalName } from "./normal-form.ts";
import { severities, statuses } from "./values.ts";

/** An incident from the service: only the type of the id is checked (spec 2.1). */
export type Incident = Fields & { readonly id: string };

export const envelopes: readonly string[] = ["data", "incident", "result"];

/** The incident in a decoded JSON body, or in its envelope; `undefined` without an object with a string as `id`. */
export function parseIncident(body: unknown): Incident | undefined {
  if (!isMapping(body)) return undefined;
  // An id beside an envelope may be that of the request.
  const wrapped = body.name === undefined ? envelopes.map((name) => parseIncident(ownValue(body, name))) : [];
  return wrapped.find((incident) => incident !== undefined) ?? (isIncident(body) ? body : undefined);
}

function isIncident(fields: Fields): fields is Incident {
  return typeof fields.id === "string";
}

/**
 * The facts of an incident that a page shows, as the service sent them, except for the letter case of a severity and a
 * status; `undefined` for an absent value or null. Never throws, even if the incident does not conform to spec 2.1.
 */
export function incidentFacts(incident: Incident) {
  const updates = entriesOf(incident.incidentUpdates).map(updateFacts);
  return {
    id: incident.id,
    name: textOf(incident.name),
    severity: nameOf(incident.severity, severities),
    /** `lastUpdateStatus`, else `status`, as lists have it, else the status of the last update. */
    status:
      nameOf(incident.lastUpdateStatus, statuses) || nameOf(incident.status, statuses) || lastStatus(updates),
    services: entriesOf(incident.services).map(serviceFacts),
    /** In the order of the response: the spec does not state one. */
    updates,
    createdAt: textOf(incident.created_at),
    updatedAt: textOf(incident.updated_at),
    duration: textOf(incident.duration),
    others: otherTexts(fieldsOfIncident, incident),
  };
}

/** The fields that a person gives as one text and that have no fact of their own, with their values. */
function otherTexts(known: readonly TextField[], fields: Fields) {
  return known.flatMap(({ name, rules }) => {
    if (ownFacts.has(name)) return [];
    const value = nameOf(ownValue(fields, name), rules.enum?.map(String) ?? []);
    return value === undefined ? [] : [{ name, value }];
  });
}

const ownFacts: ReadonlySet<string> = new Set(["name", "severity", "status", "description"]);

export interface IncidentFacts extends Readonly<ReturnType<typeof incidentFacts>> {
  /** Its address in the web application, where it is known; never from the service. */
  readonly link?: string | undefined;
}

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

export type UpdateFacts = Readonly<ReturnType<typeof updateFacts>>;

/** Takes an update that is not an object as its description. */
export function updateFacts(entry: unknown) {
  const update: Fields = isMapping(entry) ? entry : { description: entry };
  return {
    id: textOf(update.id),
    status: nameOf(update.status, statuses),
    description: textOf(update.description),
    /** The public date, else the day of creation, as the service sent it. */
    at: textOf(update.publicIncidentUpdateDate) ?? textOf(update.created_at),
    /** Whether subscribers were notified; `undefined` unless the service sent a boolean. */
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
