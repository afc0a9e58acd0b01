// Converts an incident from the service to a definition: the fields that a create takes, without those that the
// service fills in. Does not check the result.

import { rulesOf } from "../rules/schema-facts.ts";
import { entriesOf, type Fields, isMapping, ownValue } from "../untrusted-data.ts";
import { definitionRules } from "./definition.ts";
import { oldestFirst } from "./updates.ts";
import { type Incident, incidentFacts } from "./wire.ts";

/** The fields that the service fills in. Every other field of a definition is kept. */
const filledIn: ReadonlySet<string> = new Set([
  "created_at",
  "updated_at",
  "duration",
  "services[].created_at",
  "services[].updated_at",
  "incidentUpdates[].id",
  "incidentUpdates[].created_at",
]);

/** The fields of a definition. Keeps the id, so that the incident is not declared a second time. */
export function toDefinition(incident: Incident): Fields {
  const facts = incidentFacts(incident);
  const entries = entriesOf(incident.incidentUpdates);
  return {
    ...kept("", incident, ["id", "name", "severity"]),
    services: entriesOf(incident.services).map((entry) =>
      kept("services[]", fieldsOf(entry), ["name", "id", "accountId"]),
    ),
    incidentUpdates: oldestFirst(facts).map((shown) => {
      const update = fieldsOf(entries[facts.updates.indexOf(shown)]);
      const own = { ...update, publicIncidentUpdateDate: explicitDate(update) };
      return kept("incidentUpdates[]", own, ["status", "description", "notifySubscribers"]);
    }),
  };
}

/** The fields of the rules at a path that are one value, those of `first` before the others. */
function kept(path: string, fields: Fields, first: readonly string[]): Fields {
  const { properties = {} } = rulesOf(definitionRules, path) ?? {};
  const prefix = path === "" ? "" : `${path}.`;
  const others = Object.keys(properties).filter(
    (name) =>
      !filledIn.has(prefix + name) &&
      ownValue(properties, name)?.items === undefined &&
      !first.includes(name),
  );
  return present(Object.fromEntries([...first, ...others].map((name) => [name, ownValue(fields, name)])));
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

function present(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function fieldsOf(value: unknown): Fields {
  return isMapping(value) ? value : {};
}
