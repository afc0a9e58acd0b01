// For speed: accepts valid definitions without the library of the schema, which takes longer to load than to check a
// file. It only accepts; the schema in definition.ts judges all other values, and a test compares the two. Each field
// is named where it is read and written, because V8 makes such access several times faster than a loop over names.
import type { Definition, Service, Update } from "./definition.ts";
import {
  codePointLength,
  isDate,
  isDateTime,
  isGuid,
  maxNameLength,
  type Severity,
  type Status,
  severities,
  statuses,
  visiblePattern,
} from "./rules.ts";

/** A mapping that may have the fields of `T`, and others. */
type Given<T> = { readonly [Field in keyof T]?: unknown };

/** The definition as the schema returns it; `undefined` unless the value is certainly valid. */
export function acceptDefinition(value: unknown): Definition | undefined {
  if (!isMapping<Definition>(value)) return undefined;
  const { name, severity, id, created_at, updated_at, duration } = value;
  if (!isVisible(name) || !isShort(name) || !isSeverity(severity)) return undefined;
  if (!isOptionalId(id) || !isOptionalDay(created_at) || !isOptionalDay(updated_at)) return undefined;
  if (!isOptionalInteger(duration)) return undefined;
  const services = acceptAll(value.services, acceptService);
  const incidentUpdates = acceptAll(value.incidentUpdates, acceptUpdate);
  if (services === undefined || incidentUpdates === undefined) return undefined;
  const definition: Definition = { name, severity, services, incidentUpdates };
  if (id !== undefined) definition.id = id;
  if (created_at !== undefined) definition.created_at = created_at;
  if (updated_at !== undefined) definition.updated_at = updated_at;
  if (duration !== undefined) definition.duration = duration;
  return unlessMore(value, definition);
}

function acceptService(value: unknown): Service | undefined {
  if (!isMapping<Service>(value)) return undefined;
  const { name, id, accountId, created_at, updated_at } = value;
  if (!isVisible(name) || !isId(id) || !isOptionalId(accountId)) return undefined;
  if (!isOptionalDay(created_at) || !(updated_at === null || isOptionalDay(updated_at))) return undefined;
  const service: Service = { name, id };
  if (accountId !== undefined) service.accountId = accountId;
  if (created_at !== undefined) service.created_at = created_at;
  if (updated_at !== undefined) service.updated_at = updated_at;
  return unlessMore(value, service);
}

function acceptUpdate(value: unknown): Update | undefined {
  if (!isMapping<Update>(value)) return undefined;
  const { description, id, publicIncidentUpdateDate, created_at, notifySubscribers, status } = value;
  if (!isVisible(description) || !isOptionalId(id)) return undefined;
  if (!isOptionalDateTime(publicIncidentUpdateDate) || !isOptionalDay(created_at)) return undefined;
  if (!isOptionalBoolean(notifySubscribers) || !isOptionalStatus(status)) return undefined;
  const update: Update = { description };
  if (id !== undefined) update.id = id;
  if (publicIncidentUpdateDate !== undefined) update.publicIncidentUpdateDate = publicIncidentUpdateDate;
  if (created_at !== undefined) update.created_at = created_at;
  if (notifySubscribers !== undefined) update.notifySubscribers = notifySubscribers;
  if (status !== undefined) update.status = status;
  return unlessMore(value, update);
}

/** The accepted entries of a filled list; `undefined` unless all are accepted. */
function acceptAll<T>(values: unknown, accept: (value: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const accepted: T[] = [];
  for (const value of values) {
    const entry = accept(value);
    if (entry === undefined) return undefined;
    accepted.push(entry);
  }
  return accepted;
}

/** The copy; `undefined` if the mapping has an unknown field, or a field of its copy only by its prototype. */
function unlessMore<T extends object>(value: object, copy: T): T | undefined {
  return Object.keys(value).length === Object.keys(copy).length ? copy : undefined;
}

function isMapping<T>(value: unknown): value is Given<T> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isVisible(value: unknown): value is string {
  return typeof value === "string" && (/[!-~]/.test(value) || visiblePattern().test(value));
}

/** A text has at least as many code units as code points, and counting the units takes no time. */
function isShort(name: string): boolean {
  return name.length <= maxNameLength || codePointLength(name) <= maxNameLength;
}

function isSeverity(value: unknown): value is Severity {
  return severities.includes(value as Severity);
}

function isId(value: unknown): value is string {
  return typeof value === "string" && isGuid(value);
}

function isOptionalId(value: unknown): value is string | undefined {
  return value === undefined || isId(value);
}

function isOptionalDay(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && isDate(value));
}

function isOptionalDateTime(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && isDateTime(value));
}

function isOptionalBoolean(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === "boolean";
}

function isOptionalStatus(value: unknown): value is Status | undefined {
  return value === undefined || statuses.includes(value as Status);
}

function isOptionalInteger(value: unknown): value is number | undefined {
  return value === undefined || Number.isSafeInteger(value);
}
