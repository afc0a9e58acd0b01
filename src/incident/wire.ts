// A lenient reading of responses, which keeps every value as the service sent it; and the normal form of values: equal for
// two notations of one meaning. A service may store a value in another notation than it was sent in.
import { tryTo } from "../failure.ts";
import { isGuid } from "../rules/forms.ts";
import { entriesOf, type Fields, isMapping, ownValue } from "../untrusted-data.ts";
import { type Compare, incidentFields, type NamedField, updateFields } from "./definition.ts";
import { normalName, severities, statuses } from "./values.ts";

/** An incident from the service: only the type of the id is checked (spec 2.1). */
export type Incident = Fields & { readonly id: string };

const envelopes: readonly string[] = ["data", "incident", "result"];

/** The incident in a decoded JSON body, or in its envelope; `undefined` without an object with a string as `id`. */
export function parseIncident(body: unknown): Incident | undefined {
  if (!isMapping(body)) return undefined;
  // An id beside an envelope may be that of the request.
  const wrapped = ownValue(body, "name") === undefined ? envelopes : [];
  for (const name of wrapped) {
    const incident = parseIncident(ownValue(body, name));
    if (incident !== undefined) return incident;
  }
  return typeof ownValue(body, "id") === "string" ? (body as Incident) : undefined;
}

/**
 * The fields of an incident that a page shows, as the service sent it; `undefined` for an absent value or null. `link`: its
 * address in the web application, where it is known; never from the service.
 */
export type IncidentFacts = Readonly<ReturnType<typeof incidentFacts>> & {
  readonly link?: string | undefined;
};

export type UpdateFacts = Readonly<ReturnType<typeof updateFacts>>;

/** Never throws, even if the incident does not conform to spec 2.1. */
export function incidentFacts(incident: Incident) {
  const updates = entriesOf(incident.incidentUpdates).map(updateFacts);
  return {
    id: incident.id,
    name: textOf(incident.name),
    // In its own letter case, where it is a known one.
    severity: nameOf(incident.severity, severities),
    // Lists have it as `status`.
    status:
      nameOf(incident.lastUpdateStatus, statuses) || nameOf(incident.status, statuses) || lastStatus(updates),
    services: entriesOf(incident.services).map(serviceFacts),
    // In the order of the response: the spec does not state one.
    updates,
    lines: linesOf(incidentFields, incident),
  };
}

/** The fields that a page shows as lines of their own, as the service sent them. */
function linesOf(fields: readonly NamedField[], value: Fields) {
  return fields.flatMap((field) => {
    const text = shownText(field, value);
    return typeof field.show === "string" || text === undefined ? [] : [{ ...field.show, value: text }];
  });
}

/** The value of a field as a text; undefined for an absent value or null. */
export function shownText({ name, values = [] }: NamedField, value: Fields): string | undefined {
  return nameOf(ownValue(value, name), values);
}

export function isResolved(incident: Incident): boolean {
  return incidentFacts(incident).status === "RESOLVED";
}

/** Milliseconds from the begin of a day in UTC to its end in the last zone of the Earth, which is 12 hours behind. */
const dayLength = 36 * 60 * 60 * 1000;

/**
 * The latest time that the date of an incident can mean, in milliseconds since the epoch: the spec has a creation as a date
 * without a time (spec 2.1), and no time bound leaves out an incident that may be after it.
 */
export function latestTimeOf(incident: Incident): number | undefined {
  const [first] = entriesOf(incident.incidentUpdates);
  const date = (textOf(incident.created_at) || updateFacts(first).at) ?? "";
  const time = Date.parse(date);
  if (Number.isNaN(time)) return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(date) ? time + dayLength - 1 : time;
}

/** Whether the list begins with the newest incident. No order is documented, and equal or missing dates prove none. */
export function isNewestFirst(incidents: readonly Incident[]): boolean {
  const times = incidents.map((incident) => latestTimeOf(incident) ?? Number.NaN);
  const isDescending = times.every((time, at) => at === 0 || time <= (times[at - 1] as number));
  return isDescending && (times[0] as number) > (times.at(-1) as number);
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
export function updateFacts(entry: unknown) {
  const update = mappingOf(entry, "description");
  return {
    id: textOf(update.id),
    status: nameOf(update.status, statuses),
    description: textOf(update.description),
    // The public date, else the day of creation, as the service sent it.
    at: textOf(update.publicIncidentUpdateDate) ?? textOf(update.created_at),
    // Whether subscribers were notified; `undefined` unless the service sent a boolean.
    notified: typeof update.notifySubscribers === "boolean" ? update.notifySubscribers : undefined,
    lines: linesOf(updateFields, update),
  };
}

/** An entry of a list; one that is not a mapping as its field `name`. */
export function mappingOf(entry: unknown, name: string): Fields {
  return isMapping(entry) ? entry : { [name]: entry };
}

/** The value of an enumeration in its own letter case; any other value as it is. */
function nameOf(value: unknown, names: readonly string[]): string | undefined {
  return normalName(textOf(value), names) ?? textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  // It can be nested more deeply than JSON.stringify can follow.
  return tryTo(() => JSON.stringify(value)) ?? "(nested too deeply)";
}

/** The characters that HTML escapes by name, as common escaping functions write them. */
const namedCharacters = new Map(Object.entries({ lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }));

/** The text in NFC, without HTML escapes, tags and outer white space, each other white space or line end as one space. */
export function normalText(text: string): string {
  // Composed first: "<é>" is no tag, and its decomposed form begins with "<e".
  const plain = /[<&]/.test(text) ? withoutMarkup(text.normalize("NFC")) : text;
  return plain.normalize("NFC").replace(/\s+/g, " ").trim();
}

function withoutMarkup(text: string): string {
  return (
    text
      .replace(/&(?:amp;)*(?:(lt|gt|quot|apos|nbsp|#x[0-9a-f]{1,6}|#[0-9]{1,7});)?/gi, unescaped)
      .replace(/<\/?(?:br|p|div|li|ul|ol|h[1-6])(?:[\s/][^<>]*)?>/gi, " ")
      // Another word in brackets, as in "queue <orders>", is of the text.
      .replace(
        /<(?:a\s[^<>]*|\/a|!doctype[^<>]*|\/?(?:b|code|em|i|s|span|strong|su[bp]|u)(?:[\s/][^<>]*)?)>/gi,
        "",
      )
  );
}

/** Undoes any number of escapes, one around the other. */
function unescaped(_: string, name: string | undefined): string {
  if (name === undefined) return "&";
  const lower = name.toLowerCase();
  if (!lower.startsWith("#")) return namedCharacters.get(lower) ?? "";
  const code = lower.startsWith("#x") ? Number.parseInt(lower.slice(2), 16) : Number(lower.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

export function normalId(id: string): string {
  return id.trim().toLowerCase();
}

/** In any letter case. An unknown id is the same as no other. */
export function isSameId(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

/** A date or a date-time as an instant, whatever its zone; any other text as it is. */
export function normalInstant(text: string): string {
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? text : new Date(instant).toISOString();
}

/** The normal form of a value, for each way to compare it; undefined for a field that is not compared on its own. */
export const normalForms = {
  text: normalText,
  instant: normalInstant,
  value: (text) => text,
  answer: (text) => text,
  list: undefined,
  never: undefined,
} as const satisfies Record<Compare, ((text: string) => string) | undefined>;
