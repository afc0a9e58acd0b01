// Definitions and incidents as they cross the wire: the exact body of a create (spec 4.2), and a lenient
// reading of what comes back. What is sent is strict; what is received is shown as it is.
import type { Definition, Service, Update } from "./definition.ts";

/** An update as it is sent: whether subscribers are told is always said, never left to a default. */
export type SentUpdate = Update & { readonly notifySubscribers: boolean };

/** The JSON body of a create, its fields in the order of spec 4.2. */
export type CreateBody = Omit<Definition, "incidentUpdates"> & { readonly incidentUpdates: SentUpdate[] };

export const bodyFields = [
  "name",
  "severity",
  "services",
  "incidentUpdates",
  "id",
  "created_at",
  "updated_at",
  "duration",
] as const satisfies readonly (keyof Definition)[];

export const serviceFields = [
  "name",
  "id",
  "accountId",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Service)[];

export const updateFields = [
  "description",
  "id",
  "publicIncidentUpdateDate",
  "created_at",
  "notifySubscribers",
  "status",
] as const satisfies readonly (keyof Update)[];

/**
 * The body that declares `definition` (spec 4.2). `id` is the one to send, or `undefined` to send none,
 * whatever the definition says. A field that nobody wrote is not sent, but for `notifySubscribers`.
 */
export function createBody(definition: Definition, id: string | undefined): CreateBody {
  const services = definition.services.map((service) => inOrder(service, serviceFields));
  const incidentUpdates = definition.incidentUpdates.map((update) =>
    inOrder({ ...update, notifySubscribers: update.notifySubscribers ?? false }, updateFields),
  );
  return inOrder({ ...definition, id, services, incidentUpdates }, bodyFields);
}

/** A copy with its fields in one order whatever order they were written in, and without the absent ones. */
function inOrder<T extends object>(value: T, fields: readonly (keyof T)[]): T {
  const present = fields.filter((field) => value[field] !== undefined);
  return Object.fromEntries(present.map((field) => [field, value[field]])) as T;
}

/** An incident as the service gave it: an id that is text, and everything else unproven (spec 2.1). */
export interface Incident {
  readonly id: string;
  readonly name?: unknown;
  readonly severity?: unknown;
  readonly services?: unknown;
  readonly incidentUpdates?: unknown;
  readonly lastUpdateStatus?: unknown;
  readonly duration?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
  readonly [field: string]: unknown;
}

/** The incident in a decoded JSON body, or `undefined` when the body is not an object with a text `id`. */
export function parseIncident(body: unknown): Incident | undefined {
  const fields = fieldsOf(body);
  return typeof fields.id === "string" ? { ...fields, id: fields.id } : undefined;
}

export interface UpdateFacts {
  readonly status: string | undefined;
  readonly description: string | undefined;
  /** When it was made, as the service wrote it: its public date, else the day it was created. */
  readonly at: string | undefined;
  /** Whether subscribers were told; `undefined` when the service did not say so in a boolean. */
  readonly notified: boolean | undefined;
}

/** What a page shows of an incident. Each text is as the service wrote it; `undefined` is absent or null. */
export interface IncidentFacts {
  readonly id: string;
  readonly name: string | undefined;
  readonly severity: string | undefined;
  readonly status: string | undefined;
  readonly services: readonly { readonly id: string | undefined; readonly name: string | undefined }[];
  /** In the order of the answer: the spec does not state one. */
  readonly updates: readonly UpdateFacts[];
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly duration: string | undefined;
}

/** Reads an answer for showing it. It never throws, however far the answer is from spec 2.1. */
export function incidentFacts(answer: Incident): IncidentFacts {
  return {
    id: answer.id,
    name: textOf(answer.name),
    severity: textOf(answer.severity),
    status: textOf(answer.lastUpdateStatus),
    services: entriesOf(answer.services).map(serviceFacts),
    updates: entriesOf(answer.incidentUpdates).map(updateFacts),
    createdAt: textOf(answer.created_at),
    updatedAt: textOf(answer.updated_at),
    duration: textOf(answer.duration),
  };
}

/** A service that is no object, such as a bare name, is shown as a name. */
function serviceFacts(entry: unknown): IncidentFacts["services"][number] {
  if (!isObject(entry)) return { id: undefined, name: textOf(entry) };
  return { id: textOf(entry.id), name: textOf(entry.name) };
}

function updateFacts(entry: unknown): UpdateFacts {
  if (!isObject(entry)) {
    return { status: undefined, description: textOf(entry), at: undefined, notified: undefined };
  }
  return {
    status: textOf(entry.status),
    description: textOf(entry.description),
    at: textOf(entry.publicIncidentUpdateDate) ?? textOf(entry.created_at),
    notified: typeof entry.notifySubscribers === "boolean" ? entry.notifySubscribers : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
