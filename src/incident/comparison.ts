// Compares an incident of the service with the body of a create: whether they are the same incident, and their differences.
// Another notation of a value is no difference, and an edited value proves no other incident.
import { entriesOf, type Fields, ownValue } from "../untrusted-data.ts";
import type { CreateBody } from "./create-body.ts";
import { incidentFields, type NamedField, type Update, updateFields } from "./definition.ts";
import {
  type Incident,
  type IncidentFacts,
  incidentFacts,
  mappingOf,
  normalForms,
  normalId,
  normalText,
  shownText,
  updateFacts,
} from "./wire.ts";

export interface Difference {
  /** The path of the field in a definition: `severity`, `incidentUpdates[0].description`. */
  readonly field: string;
  /** Undefined if the definition has no value for the field. */
  readonly wanted: string | undefined;
  /** Undefined if the service has none. */
  readonly found: string | undefined;
}

/**
 * Whether the incident with the id of the create is another one, and not this one as the service, or a person, has changed it.
 * `isSent`: the body may have been accepted under the id. Before anything was sent, another person may have declared an incident
 * of the same services under it.
 */
export function hasOtherContent(
  body: CreateBody,
  incident: Incident,
  { isSent }: { readonly isSent: boolean },
): boolean {
  const facts = incidentFacts(incident);
  const hasOtherName = facts.name !== undefined && !isSameOrCut(body.name, facts.name);
  const hasOtherSeverity = facts.severity !== undefined && facts.severity !== body.severity;
  if (!isSent) return hasOtherName || hasOtherSeverity;
  const ids = new Set(foundServices(body, facts));
  const sharesService = body.services.some(({ id }) => ids.has(normalId(id)));
  return hasOtherName && (hasOtherSeverity || !(sharesText(body, facts) || sharesService));
}

/** Whether neither the name nor a text is that of the create, for an incident that no id names. */
export function isAnotherIncident(body: CreateBody, facts: IncidentFacts): boolean {
  return facts.name !== undefined && !isSameOrCut(body.name, facts.name) && !sharesText(body, facts);
}

/** The parts of a create that name it. */
const naming = ["name", "severity", "services", "incidentUpdates[0].description"];

/** Whether an incident that no id names is this create: by its name, severity, services and first text. */
export function isSameIncident(body: CreateBody, incident: Incident): boolean {
  const { name, severity, updates } = incidentFacts(incident);
  return (
    name !== undefined &&
    severity !== undefined &&
    updates.length > 0 &&
    !differencesOf(body, incident).some(({ field }) => naming.includes(field))
  );
}

function sharesText({ incidentUpdates }: CreateBody, { updates }: IncidentFacts): boolean {
  const texts = new Set(incidentUpdates.map(({ description }) => normalText(description)));
  return updates.some(({ description = "" }) => texts.has(normalText(description)));
}

/** The shortest name that a service may have cut, in characters: no service has a lower limit. */
const shortestCut = 60;

/** Whether a service that cuts texts may show one as the other. */
export function isSameOrCut(wanted: string, found: string): boolean {
  const text = normalText(found);
  if (text === normalText(wanted)) return true;
  const start = text.replace(/(?:…|\.{3})$/, "");
  return (start !== text || start.length >= shortestCut) && normalText(wanted).startsWith(start);
}

/** A field that only one of the two has is no difference, and neither is an additional update. */
export function differencesOf(body: CreateBody, incident: Incident): Difference[] {
  return [
    ...fieldDifferences(incidentFields, body, incident),
    ...(Array.isArray(incident.services) ? serviceDifferences(body, incidentFacts(incident)) : []),
    ...(Array.isArray(incident.incidentUpdates) ? listedDifferences(body, incident) : []),
  ];
}

/** The fields that both have, and that differ. */
function fieldDifferences(
  fields: readonly NamedField[],
  sent: object,
  shown: Fields,
  { path = "", isAnswer = false } = {},
): Difference[] {
  return fields.flatMap((field) => {
    const normal = field.compare === "answer" && !isAnswer ? undefined : normalForms[field.compare];
    const [wanted, found] = [shownText(field, sent as Fields), shownText(field, shown)];
    if (normal === undefined || wanted === undefined || found === undefined) return [];
    if (field.compare === "instant" && typeof ownValue(shown, field.name) !== "string") return [];
    // A service may show the day alone.
    const isDay = field.compare === "instant" && !(wanted.includes("T") && found.includes("T"));
    const [one, other] = [wanted, found].map((text) => normal(text).slice(0, isDay ? 10 : undefined));
    return one === other ? [] : [{ field: path + field.name, wanted, found }];
  });
}

function serviceDifferences(body: CreateBody, facts: IncidentFacts): Difference[] {
  const list = (ids: readonly string[]) => [...new Set(ids)].sort().join(", ");
  const wanted = list(body.services.map(({ id }) => normalId(id)));
  const found = list(foundServices(body, facts));
  return wanted === found ? [] : [{ field: "services", wanted, found }];
}

/** Finds each update by its text: the spec states no order. Of equal texts, the most similar update counts. */
function listedDifferences(body: CreateBody, incident: Incident): Difference[] {
  const entries = entriesOf(incident.incidentUpdates).map((entry) => mappingOf(entry, "description"));
  const found = soleOther(body, incidentFacts(incident));
  return body.incidentUpdates.flatMap((update, at) => {
    const path = `incidentUpdates[${at}].`;
    const equal = entries.filter(
      (each) => normalText(updateFacts(each).description ?? "") === normalText(update.description),
    );
    if (equal.length === 0) return [{ field: `${path}description`, wanted: update.description, found }];
    const differences = equal.map((each) => fieldDifferences(updateFields, update, each, { path }));
    return differences.reduce((least, each) => (each.length < least.length ? each : least));
  });
}

/** The one update that is only in the answer, where one text is missing. Several cannot be paired: a list has no order. */
function soleOther({ incidentUpdates }: CreateBody, { updates }: IncidentFacts): string | undefined {
  const wanted = new Set(incidentUpdates.map(({ description }) => normalText(description)));
  const shown = new Set(updates.map(({ description = "" }) => normalText(description)));
  const others = updates.filter(({ description = "" }) => !wanted.has(normalText(description)));
  const isSole = [...wanted].filter((text) => !shown.has(text)).length === 1 && others.length === 1;
  return isSole ? others[0]?.description : undefined;
}

/** The ids of the services. A service without an id is known by the name that the body has for it. */
function foundServices({ services }: CreateBody, facts: IncidentFacts): string[] {
  const ids = new Map(services.map(({ id, name }) => [normalText(name), normalId(id)]));
  return facts.services.map(({ id, name = "" }) =>
    id === undefined ? (ids.get(normalText(name)) ?? name) : normalId(id),
  );
}

export function updateDifferences(update: Partial<Update>, shown: unknown): Difference[] {
  return fieldDifferences(updateFields, update, mappingOf(shown, "description"), { isAnswer: true });
}

export function describeDifferences(differences: readonly Difference[]): string {
  return differences
    .map((difference) => {
      const [wanted, found] = excerptsOf(difference);
      return `${difference.field} is ${found ?? "not there"}, not ${wanted ?? "left out"}`;
    })
    .join("; ");
}

/** The longest part of a text that a difference shows, in code points, and of it the part before the difference. */
const [longestExcerpt, longestLead] = [60, 20];

/** The wanted and the found text in quotes. Long texts are cut around the place where they differ. */
export function excerptsOf({ found, wanted }: Difference): readonly (string | undefined)[] {
  const [one, other] = [[...(wanted ?? "")], [...(found ?? "")]];
  const place = one.findIndex((character, at) => character !== other[at]);
  const start = Math.max(0, (place < 0 ? one.length : place) - longestLead);
  const cut = (text: readonly string[]) => {
    const from = text.length > longestExcerpt ? start : 0;
    const end = from + longestExcerpt;
    const part = text.slice(from, end).join("");
    return JSON.stringify(`${from > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`);
  };
  return [wanted === undefined ? wanted : cut(one), found === undefined ? found : cut(other)];
}
