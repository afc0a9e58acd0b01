// Compares an incident of the service with the body of a create: whether they are the same incident, and their
// differences. Services do not echo: another notation of the same value is no difference, and an edited value proves no
// other incident.
import { entriesOf, type Fields, fieldOf, ownValue } from "../untrusted-data.ts";
import type { CreateBody, SentUpdate } from "./create-body.ts";
import type { Update } from "./definition.ts";
import { normalId, normalInstant, normalText } from "./normal-form.ts";
import { type Incident, type IncidentFacts, incidentFacts, type UpdateFacts, updateFacts } from "./wire.ts";

export interface Difference {
  /** The path of the field in a definition: `severity`, `incidentUpdates[0].description`. */
  readonly field: string;
  /** Undefined if the definition has no value for the field. */
  readonly wanted: string | undefined;
  /** Undefined if the service has none. */
  readonly found: string | undefined;
}

export interface Comparison {
  /** `edited`: it is the incident, and the service, or a person, has changed it. `other`: it is another incident. */
  readonly kind: "equal" | "edited" | "other";
  readonly differences: readonly Difference[];
}

/** How an incident came to have its id. */
export interface IdOrigin {
  /** `chosen` by a person; `random`, so that no other incident has it; or `unknown`, because a service named it. */
  readonly id: "chosen" | "random" | "unknown";
  /** Whether the body may have been accepted under this id. */
  readonly isSent: boolean;
}

/**
 * Compares the fields that the body and the incident have: a field that the incident leaves out, an additional field and
 * an additional update are no difference.
 */
export function compareIncident(body: CreateBody, incident: Incident, origin: IdOrigin): Comparison {
  const differences = differencesOf(body, incident);
  if (differences.length === 0) return { kind: "equal", differences };
  const isAnother = origin.id !== "random" && isOther(body, incidentFacts(incident), origin);
  return { kind: isAnother ? "other" : "edited", differences };
}

/** Before anything was sent, another person may have declared an incident of the same services under the id. */
function isOther(body: CreateBody, facts: IncidentFacts, { isSent }: IdOrigin): boolean {
  const hasOtherName = facts.name !== undefined && !isSameOrCut(body.name, facts.name);
  const hasOtherSeverity = facts.severity !== undefined && facts.severity !== body.severity;
  if (!isSent) return hasOtherName || hasOtherSeverity;
  const ids = new Set(foundServices(body, facts));
  const sharesService = body.services.some(({ id }) => ids.has(normalId(id)));
  return hasOtherName && (hasOtherSeverity || !(sharesText(body, facts) || sharesService));
}

/** Whether the name and the texts are those of another incident, where nothing says whose it is. */
export function isAnotherIncident(body: CreateBody, facts: IncidentFacts): boolean {
  return facts.name !== undefined && !isSameOrCut(body.name, facts.name) && !sharesText(body, facts);
}

function sharesText({ incidentUpdates }: CreateBody, { updates }: IncidentFacts): boolean {
  const texts = new Set(incidentUpdates.map(({ description }) => normalText(description)));
  return updates.some(({ description = "" }) => texts.has(normalText(description)));
}

/** The start of a text that is shorter than any limit of a service is another name. */
const shortestCut = 60;

/** Whether a service that cuts texts may show one as the other. */
export function isSameOrCut(wanted: string, found: string): boolean {
  const text = normalText(found);
  if (text === normalText(wanted)) return true;
  const start = text.replace(/(?:…|\.{3})$/, "");
  return (start !== text || start.length >= shortestCut) && normalText(wanted).startsWith(start);
}

export function differencesOf(body: CreateBody, incident: Incident): Difference[] {
  const facts = incidentFacts(incident);
  const differences: Difference[] = [];
  const compare = (field: string, wanted: string, found: string | undefined) => {
    if (found === undefined || normalText(wanted) !== normalText(found))
      differences.push({ field, wanted, found });
  };
  if (facts.name !== undefined) compare("name", body.name, facts.name);
  if (facts.severity !== undefined) compare("severity", body.severity, facts.severity);
  for (const { name, value } of facts.others) {
    const wanted = ownValue(body as Fields, name);
    if (wanted !== undefined) compare(name, String(wanted), value);
  }
  if (body.duration !== undefined && facts.duration !== undefined)
    compare("duration", String(body.duration), facts.duration);
  differences.push(...dateDifferences(body, incident));
  if (Array.isArray(incident.services)) {
    const list = (ids: readonly string[]) => [...new Set(ids)].sort().join(", ");
    compare("services", list(body.services.map(({ id }) => normalId(id))), list(foundServices(body, facts)));
  }
  // The spec does not state the order of updates, so the comparison finds each by its text.
  const statuses = new Map<string, Set<string | undefined>>();
  for (const { description = "", status } of facts.updates) {
    const text = normalText(description);
    statuses.set(text, (statuses.get(text) ?? new Set()).add(status));
  }
  const reworded = soleOther(body, facts);
  for (const [at, update] of Array.isArray(incident.incidentUpdates) ? body.incidentUpdates.entries() : []) {
    const same = statuses.get(normalText(update.description));
    if (same === undefined) {
      differences.push({
        field: `incidentUpdates[${at}].description`,
        wanted: update.description,
        found: reworded,
      });
    } else if (update.status !== undefined && !same.has(update.status) && !same.has(undefined)) {
      compare(`incidentUpdates[${at}].status`, update.status, [...same][0]);
    }
    for (const { name, value } of facts.updates.find(hasTextOf(update))?.others ?? []) {
      const wanted = ownValue(update as Fields, name);
      if (wanted !== undefined) compare(`incidentUpdates[${at}].${name}`, String(wanted), value);
    }
    const shown = entriesOf(incident.incidentUpdates).filter((each) => hasTextOf(update)(updateFacts(each)));
    const dates = shown.map((each) => dateDifferences(update, each, `incidentUpdates[${at}].`));
    // Of equal updates, any may be this one.
    if (!dates.some(({ length }) => length === 0)) differences.push(...(dates[0] ?? []));
  }
  return differences;
}

/**
 * The update that the service shows in place of the one whose text it does not show. Undefined unless there is one of
 * each: a list has no order by which several could be paired.
 */
function soleOther({ incidentUpdates }: CreateBody, { updates }: IncidentFacts): string | undefined {
  const wanted = new Set(incidentUpdates.map(({ description }) => normalText(description)));
  const shown = new Set(updates.map(({ description = "" }) => normalText(description)));
  const others = updates.filter(({ description = "" }) => !wanted.has(normalText(description)));
  const isSole = [...wanted].filter((text) => !shown.has(text)).length === 1 && others.length === 1;
  return isSole ? others[0]?.description : undefined;
}

function hasTextOf(update: SentUpdate): (shown: UpdateFacts) => boolean {
  return ({ description = "" }) => normalText(description) === normalText(update.description);
}

/** The ids of the services. A service without an id is known by the name that the body has for it. */
function foundServices({ services }: CreateBody, facts: IncidentFacts): string[] {
  const ids = new Map(services.map(({ id, name }) => [normalText(name), normalId(id)]));
  return facts.services.map(({ id, name = "" }) =>
    id === undefined ? (ids.get(normalText(name)) ?? name) : normalId(id),
  );
}

/** The fields of an update that both have, and that differ. */
export function updateDifferences(update: Partial<Update>, shown: unknown): Difference[] {
  const { description, notified, status } = updateFacts(shown);
  const { notifySubscribers } = update;
  const pairs = [
    ["description", update.description, description],
    ["status", update.status, status],
    ["notifySubscribers", notifySubscribers?.toString(), notified?.toString()],
  ] as const;
  const others = pairs.flatMap(([field, wanted, found]) =>
    wanted === undefined || found === undefined || normalText(wanted) === normalText(found)
      ? []
      : [{ field, wanted, found }],
  );
  return [...others, ...dateDifferences(update, shown)];
}

/** The dates that both have, and that are not the same instant. */
function dateDifferences(sent: object, shown: unknown, path = ""): Difference[] {
  return ["created_at", "updated_at", "publicIncidentUpdateDate"].flatMap((name) => {
    const [wanted, found] = [fieldOf(sent, name), fieldOf(shown, name)];
    if (typeof wanted !== "string" || typeof found !== "string") return [];
    // A service may show the day alone.
    const length = Math.min(...[wanted, found].map((date) => (date.includes("T") ? Infinity : 10)));
    const [one, other] = [wanted, found].map((date) => normalInstant(date).slice(0, length));
    return one === other ? [] : [{ field: path + name, wanted, found }];
  });
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

/** What the definition and the service have, in quotes: long texts around the place where they differ. */
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
