// The body of a create (spec 4.2), and the definition of an incident that the service has.
import { defined, entriesOf, type Fields, isMapping, ownValue } from "../untrusted-data.ts";
import {
  type Definition,
  incidentFields,
  type NamedField,
  serviceFields,
  type Update,
  updateFields,
} from "./definition.ts";
import { oldestFirst } from "./updates.ts";
import { placeholder } from "./values.ts";
import { type Incident, incidentFacts, mappingOf } from "./wire.ts";

/** An update in a request. `notifySubscribers` is always present, never left to a default. */
export type SentUpdate = Update & { readonly notifySubscribers: boolean };

/** The JSON body of a create, its fields in the order of spec 4.2. */
export type CreateBody = Omit<Definition, "incidentUpdates"> & { readonly incidentUpdates: SentUpdate[] };

/**
 * The body that declares `definition` under the strictest reading of spec 2.2 and 2.3: each service has an `accountId`,
 * `account` where the definition has none, and each date-time has seconds. `id` replaces the id of the definition;
 * `undefined` sends none. Every other field that the definition has is sent, in the order of the rules. An invalid value
 * stays as it is, for the check against a contract.
 */
export function createBody(
  definition: Definition,
  id: string | undefined,
  account: string | undefined,
): CreateBody {
  const services = mapEntries(definition.services, (service) =>
    inOrder(serviceFields, { ...service, accountId: service.accountId ?? account }),
  );
  const incidentUpdates = mapEntries(definition.incidentUpdates, sentUpdate);
  return inOrder(incidentFields, { ...definition, id, services, incidentUpdates });
}

/** The update with its fields in the order of a request, a date with seconds, and `notifySubscribers`. */
export function sentUpdate(update: Update): SentUpdate {
  const { notifySubscribers = false, publicIncidentUpdateDate: date } = update;
  // RFC 3339 requires the seconds, and ISO 8601 does not.
  const seconds = typeof date === "string" ? date.replace(/T\d{2}:\d{2}(?!:)/, "$&:00") : date;
  return inOrder(updateFields, { ...update, notifySubscribers, publicIncidentUpdateDate: seconds });
}

/** The value with its fields in the order of the table; those that the table lacks come last. */
function inOrder<T extends object>(fields: readonly NamedField[], value: T): T {
  const known = fields.map(({ name }) => [name, ownValue(value as Fields, name)] as const);
  return defined(Object.fromEntries([...known, ...Object.entries(value)])) as T;
}

/** Changes the entries that are mappings. Any other value stays as it is. */
function mapEntries<T, U>(list: T[], change: (entry: T) => U): U[] {
  const changed = (entry: T) => (isMapping(entry) ? change(entry) : entry);
  return (Array.isArray(list) ? list.map(changed) : list) as U[];
}

/** The fields of a create, unchecked, without those that the service fills in. The id stays, so that none is declared twice. */
export function toDefinition(incident: Incident): Fields {
  const facts = incidentFacts(incident);
  const entries = entriesOf(incident.incidentUpdates);
  const services = entriesOf(incident.services);
  return {
    ...kept(incidentFields, incident, ["id", "name", "severity"]),
    // Where the service is shown by its id alone, the author knows its name.
    services: facts.services.map(({ id, name = placeholder }, at) =>
      kept(serviceFields, { ...mappingOf(services[at], "name"), id, name }, []),
    ),
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
  return defined(Object.fromEntries(entries));
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
