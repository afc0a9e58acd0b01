// The habits of services that do not echo: each writes an incident in another way than it was sent.
import { jsonResponse, type ServiceResponse } from "./response.ts";
import type { Operation } from "./route.ts";
import { escapeMarkup } from "./status-page/html.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Habit {
  readonly meaning: string;
  readonly write: (incident: Fields, operation: Operation) => Fields;
}

const list = (value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : []);
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const entries = (value: unknown, change: (entry: Fields) => unknown) =>
  list(value).map((entry) => (isFields(entry) ? change(entry) : entry));

const texts =
  (names: readonly string[], change: (text: string) => string): Habit["write"] =>
  (incident) => {
    const changeText = ([name, value]: [name: string, value: unknown]) =>
      [name, typeof value === "string" && names.includes(name) ? change(value) : value] as const;
    const changed = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).map(changeText));
    return { ...changed(incident), incidentUpdates: entries(incident.incidentUpdates, changed) };
  };

const words = ["name", "description"];
const services =
  (change: (service: Fields) => unknown): Habit["write"] =>
  (incident) => ({ ...incident, services: entries(incident.services, change) });

const parentId = "5e7f1c0a-0000-4000-8000-000000000001";
const ownUpdate = { description: "The incident was created.", status: "INVESTIGATING" };

/** Several habits apply in this order. */
const habits = {
  trim: { meaning: "removes outer white space", write: texts(words, (text) => text.trim()) },
  nfc: { meaning: "normalizes Unicode", write: texts(words, (text) => text.normalize("NFC")) },
  spaces: { meaning: "collapses spaces", write: texts(words, (text) => text.replace(/ +/g, " ")) },
  "line-ends": {
    meaning: "ends lines with CR and LF",
    write: texts(words, (text) => text.replace(/\r?\n/g, "\r\n")),
  },
  tags: {
    meaning: "removes HTML tags",
    write: texts(words, (text) => text.replace(/<\/?[a-z][^<>]*>/gi, "")),
  },
  cut: {
    meaning: "cuts texts after 120 characters",
    write: texts(words, (text) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)),
  },
  escape: { meaning: "escapes texts for HTML", write: texts(words, escapeMarkup) },
  case: {
    meaning: "writes severities and statuses in lower case",
    write: texts(["severity", "status", "lastUpdateStatus"], (text) => text.toLowerCase()),
  },
  duration: { meaning: "computes the duration", write: (incident) => ({ ...incident, duration: 0 }) },
  "own-update": {
    meaning: "adds an update of its own, and answers a create with this one alone",
    write: ({ incidentUpdates, ...incident }, operation) => ({
      ...incident,
      incidentUpdates: [ownUpdate, ...(operation === "create" ? [] : list(incidentUpdates))],
    }),
  },
  parents: {
    meaning: "adds a parent service",
    write: (incident) => ({
      ...incident,
      services: [...list(incident.services), { id: parentId, name: "All services" }],
    }),
  },
  "bare-ids": { meaning: "writes a service as its id", write: services(({ id }) => id) },
  "service-id": {
    meaning: "writes a service as {serviceId}",
    write: services(({ id }) => ({ serviceId: id })),
  },
  names: { meaning: "writes a service as its name", write: services(({ name }) => name) },
  envelope: { meaning: "wraps the incident in {data: INCIDENT}", write: (data) => ({ data }) },
} as const satisfies Readonly<Record<string, Habit>>;

export type HabitName = keyof typeof habits;

export const habitNames = Object.keys(habits) as readonly HabitName[];

export const habitMeanings: readonly (readonly [name: string, meaning: string])[] = habitNames.map((name) => [
  name,
  habits[name].meaning,
]);

/** Undefined unless each of the names, separated by commas, is a habit. */
export function parseHabits(text: string): readonly HabitName[] | undefined {
  const names = text.split(",");
  const habits = habitNames.filter((name) => names.includes(name));
  return habits.length === names.length ? habits : undefined;
}

export function withHabits(
  response: ServiceResponse,
  operation: Operation,
  names: readonly HabitName[],
): ServiceResponse {
  if (names.length === 0 || response.status >= 300) return response;
  const value: unknown = JSON.parse(new TextDecoder().decode(response.body));
  const write = (incident: Fields, chosen = names) =>
    habitNames
      .filter((name) => chosen.includes(name))
      .reduce((fields, name) => habits[name].write(fields, operation), incident);
  if (operation === "create" || operation === "get" || operation === "edit")
    return jsonResponse(response.status, isFields(value) ? write(value) : value, response.headers);
  const inside = names.filter((name) => name !== "envelope");
  const written = writeInside(value, operation, (incident) => write(incident, inside));
  const whole = names.includes("envelope") ? { data: written } : written;
  return jsonResponse(response.status, whole, response.headers);
}

/** The incidents of a list, or the updates, as they are in an incident. Services have no habit. */
function writeInside(value: unknown, operation: Operation, write: (incident: Fields) => Fields): unknown {
  const writeUpdate = (update: unknown) => list(write({ incidentUpdates: [update] }).incidentUpdates).at(-1);
  if (operation === "update") return writeUpdate(value);
  if (operation === "updates") return entries(value, writeUpdate);
  return operation === "list" && isFields(value)
    ? { ...value, entries: entries(value.entries, write) }
    : value;
}
