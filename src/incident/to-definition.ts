// Converts an incident from the service to a definition: the fields that a create takes, without those that the
// service fills in. Does not check the result.
import { entriesOf, type Fields, ownValue } from "../untrusted-data.ts";
import { incidentFields, serviceFields, updateFields } from "./definition.ts";
import type { NamedField } from "./field.ts";
import { oldestFirst } from "./updates.ts";
import { type Incident, incidentFacts, mappingOf } from "./wire.ts";

/** The fields of a definition. Keeps the id, so that the incident is not declared a second time. */
export function toDefinition(incident: Incident): Fields {
  const facts = incidentFacts(incident);
  const entries = entriesOf(incident.incidentUpdates);
  return {
    ...kept(incidentFields, incident, ["id", "name", "severity"]),
    services: entriesOf(incident.services).map((entry) => kept(serviceFields, mappingOf(entry, "name"), [])),
    incidentUpdates: oldestFirst(facts).map((shown) => {
      const update = mappingOf(entries[facts.updates.indexOf(shown)], "description");
      const own = { ...update, publicIncidentUpdateDate: explicitDate(update) };
      return kept(updateFields, own, ["status", "description", "notifySubscribers"]);
    }),
  };
}

/** The fields that are one value, and that the service does not fill in: those of `first`, then the others. */
function kept(fields: readonly NamedField[], value: Fields, first: readonly string[]): Fields {
  const own = fields.filter(({ entries, isFilledIn }) => !isFilledIn && entries === undefined);
  const names = new Set([...first, ...own.map(({ name }) => name)]);
  const entries = [...names].map((name) => [name, ownValue(value, name) ?? undefined] as const);
  return Object.fromEntries(entries.filter(([, field]) => field !== undefined));
}

/**
 * Assumption: the service sets the date of an update to the time of its creation (spec 2.3: the default is a
 * timestamp). So a person wrote a date of another day, and it is part of the history.
 */
function explicitDate({ publicIncidentUpdateDate: date, created_at: created }: Fields): unknown {
  return typeof date === "string" && typeof created === "string" && date.slice(0, 10) !== created.slice(0, 10)
    ? date
    : undefined;
}
