// Compares a definition with an incident of the service. Compares only the fields of the definition: further fields
// and later updates of the incident are no difference.
import { type CreateBody, type Incident, incidentFacts } from "./wire.ts";

export interface Difference {
  /** The path of the field in a definition: `severity`, `incidentUpdates[0].description`. */
  readonly field: string;
  readonly wanted: string;
  /** Undefined if the service has no value for the field. */
  readonly found: string | undefined;
}

/** All differences in the fields of the definition; none for the same incident. */
export function compareIncident(body: CreateBody, incident: Incident): Difference[] {
  const facts = incidentFacts(incident);
  const differences: Difference[] = [];
  const compare = (field: string, wanted: string | undefined, found: string | undefined) => {
    if (wanted !== undefined && wanted !== found) differences.push({ field, wanted, found });
  };
  compare("name", body.name, facts.name);
  compare("severity", body.severity, facts.severity);
  if (body.duration !== undefined) compare("duration", String(body.duration), facts.duration);

  // A service is known by its id. Its account follows from the id, so an answer may leave it out or spell it otherwise.
  const wantedServices = body.services.map(({ id }) => id.toLowerCase()).sort();
  const foundServices = facts.services.map(({ id }) => id?.toLowerCase() ?? "").sort();
  compare("services", wantedServices.join(", "), foundServices.join(", "));

  // The spec does not state the order of updates, so the comparison finds each by its text.
  const statuses = new Map<string | undefined, Set<string | undefined>>();
  for (const { description, status } of facts.updates) {
    statuses.set(description, (statuses.get(description) ?? new Set()).add(status));
  }
  for (const [at, update] of body.incidentUpdates.entries()) {
    const same = statuses.get(update.description);
    if (same === undefined) {
      compare(`incidentUpdates[${at}].description`, update.description, facts.updates[at]?.description);
    } else if (update.status !== undefined && !same.has(update.status)) {
      compare(`incidentUpdates[${at}].status`, update.status, [...same][0]);
    }
  }
  return differences;
}

/** The differences in fields that the answer has: an answer that leaves a field out does not contradict it. */
export function contradictions(body: CreateBody, incident: Incident): Difference[] {
  const { services } = incident;
  return compareIncident(body, incident).filter(
    ({ field, found }) => found !== undefined && (field !== "services" || Array.isArray(services)),
  );
}

/** The differences as one line for a person. */
export function describeDifferences(differences: readonly Difference[]): string {
  return differences
    .map(
      ({ field, wanted, found }) =>
        `${field} is ${found === undefined ? "not there" : quote(found)}, not ${quote(wanted)}`,
    )
    .join("; ");
}

function quote(text: string): string {
  const short = [...text.slice(0, 122)];
  return `"${short.length > 60 ? `${short.slice(0, 59).join("")}…` : text}"`;
}
