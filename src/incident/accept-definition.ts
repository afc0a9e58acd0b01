// For speed: accepts valid definitions without the library of the schema, which takes longer to load than to check a
// file. It only accepts; the schema in definition.ts judges all other values, and a test compares the two.
import type { Definition, Service, Update } from "./definition.ts";
import {
  codePointLength,
  isDate,
  isDateTime,
  isGuid,
  maxNameLength,
  severities,
  statuses,
  visiblePattern,
} from "./rules.ts";

/** Whether a field can have the value; a missing field is `undefined`. */
type Accepts = (value: unknown) => boolean;

/** Every field, in the order of the schema. */
type Fields<T> = { readonly [Field in keyof Required<T>]: Accepts };

const isTextOf =
  (accepts: (text: string) => boolean): Accepts =>
  (value) =>
    typeof value === "string" && accepts(value);

const optional =
  (accepts: Accepts): Accepts =>
  (value) =>
    value === undefined || accepts(value);

const isVisible = isTextOf((text) => visiblePattern.test(text));
const isId = isTextOf(isGuid);
const isDay = isTextOf(isDate);

const serviceFields: Fields<Service> = {
  name: isVisible,
  id: isId,
  accountId: optional(isId),
  created_at: optional(isDay),
  updated_at: optional((value) => value === null || isDay(value)),
};

const updateFields: Fields<Update> = {
  description: isVisible,
  id: optional(isId),
  publicIncidentUpdateDate: optional(isTextOf(isDateTime)),
  created_at: optional(isDay),
  notifySubscribers: optional((value) => typeof value === "boolean"),
  status: optional((value) => statuses.some((status) => status === value)),
};

const definitionFields: Fields<Definition> = {
  name: (value) => isVisible(value) && codePointLength(value as string) <= maxNameLength,
  severity: (value) => severities.some((severity) => severity === value),
  services: isFilledList,
  incidentUpdates: isFilledList,
  id: optional(isId),
  created_at: optional(isDay),
  updated_at: optional(isDay),
  duration: optional(Number.isSafeInteger),
};

/** The definition as the schema returns it; `undefined` unless the value is certainly valid. */
export function acceptDefinition(value: unknown): Definition | undefined {
  const definition = accept<Definition>(value, definitionFields);
  if (definition === undefined) return undefined;
  const services = acceptAll<Service>(definition.services, serviceFields);
  const incidentUpdates = acceptAll<Update>(definition.incidentUpdates, updateFields);
  if (services === undefined || incidentUpdates === undefined) return undefined;
  return Object.assign(definition, { services, incidentUpdates });
}

function acceptAll<T extends object>(values: readonly unknown[], fields: Fields<T>): T[] | undefined {
  const accepted = values.flatMap((value) => accept(value, fields) ?? []);
  return accepted.length === values.length ? accepted : undefined;
}

/** A copy of the mapping with its fields in the order of the schema; `undefined` for an unknown or a wrong field. */
function accept<T extends object>(value: unknown, fields: Fields<T>): T | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const given = value as Partial<Record<keyof T, unknown>>;
  const copy: Partial<Record<keyof T, unknown>> = {};
  let count = 0;
  for (const field in fields) {
    const own = Object.hasOwn(given, field) ? given[field] : undefined;
    if (!fields[field](own)) return undefined;
    if (own === undefined) continue;
    copy[field] = own;
    count += 1;
  }
  return count === Object.keys(given).length ? (copy as T) : undefined;
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
