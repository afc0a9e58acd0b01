// The habits of services that do not echo: each writes an incident in another way than it was sent.
import type { Outcome } from "../../src/http/transport.ts";
import type { Sandbox } from "../../src/sandbox/app.ts";
import { matchRoute, type Operation, operations, type ReceivedRequest } from "../../src/sandbox/route.ts";
import { parseJson } from "../../src/untrusted-data.ts";

type Fields = Readonly<Record<string, unknown>>;

type Habit = (incident: Fields, operation: Operation) => Fields;

const list = (value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : []);
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

const entries = (value: unknown, change: (entry: Fields) => unknown) =>
  list(value).map((entry) => (isFields(entry) ? change(entry) : entry));

const texts =
  (names: readonly string[], change: (text: string) => string): Habit =>
  (incident) => {
    const changeText = ([name, value]: [name: string, value: unknown]) =>
      [name, typeof value === "string" && names.includes(name) ? change(value) : value] as const;
    const changed = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).map(changeText));
    return { ...changed(incident), incidentUpdates: entries(incident.incidentUpdates, changed) };
  };

const words = ["name", "description"];
const services =
  (change: (service: Fields) => unknown): Habit =>
  (incident) => ({ ...incident, services: entries(incident.services, change) });

const parentId = "5e7f1c0a-0000-4000-8000-000000000001";
const ownUpdate = { description: "The incident was created.", status: "INVESTIGATING" };

/** Several habits apply in this order. */
const habits = {
  trim: texts(words, (text) => text.trim()),
  nfc: texts(words, (text) => text.normalize("NFC")),
  spaces: texts(words, (text) => text.replace(/ +/g, " ")),
  "line-ends": texts(words, (text) => text.replace(/\r?\n/g, "\r\n")),
  tags: texts(words, (text) => text.replace(/<\/?[a-z][^<>]*>/gi, "")),
  cut: texts(words, (text) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)),
  escape: texts(words, (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")),
  case: texts(["severity", "status", "lastUpdateStatus"], (text) => text.toLowerCase()),
  duration: (incident) => ({ ...incident, duration: 0 }),
  /** Adds an update of its own, and answers a create with this one alone. */
  "own-update": ({ incidentUpdates, ...incident }, operation) => ({
    ...incident,
    incidentUpdates: [ownUpdate, ...(operation === "create" ? [] : list(incidentUpdates))],
  }),
  parents: (incident) => ({
    ...incident,
    services: [...list(incident.services), { id: parentId, name: "All services" }],
  }),
  "bare-ids": services(({ id }) => id),
  "service-id": services(({ id }) => ({ serviceId: id })),
  names: services(({ name }) => name),
  envelope: (data) => ({ data }),
} as const satisfies Readonly<Record<string, Habit>>;

export type HabitName = keyof typeof habits;

export const habitNames = Object.keys(habits) as readonly HabitName[];

const inIncident: readonly Operation[] = ["create", "get", "edit"];

/** The sandbox with all answers of the API written in these ways. Errors and broken bodies stay as they are. */
export function withHabits<S extends Pick<Sandbox, "transport">>(sandbox: S, names: readonly HabitName[]): S {
  const write = (incident: Fields, operation: Operation, chosen = names) =>
    habitNames
      .filter((name) => chosen.includes(name))
      .reduce((fields, name) => habits[name](fields, operation), incident);
  return rewriteAnswers(sandbox, (value, operation) => {
    if (inIncident.includes(operation)) return write(value, operation);
    const inside = names.filter((name) => name !== "envelope");
    const written = writeInside(value, operation, (incident) => write(incident, operation, inside));
    return names.includes("envelope") ? { data: written } : written;
  });
}

/** The sandbox with `rewrite` for each answer of the API that is JSON and no error. */
export function rewriteAnswers<S extends Pick<Sandbox, "transport">>(
  sandbox: S,
  rewrite: (value: Fields, operation: Operation) => unknown,
): S {
  const rewritten = <O extends Outcome>(request: ReceivedRequest, outcome: O): O => {
    const { kind } = matchRoute(request);
    const operation = operations.find((known) => known === kind);
    if (operation === undefined || outcome.phase !== "answered" || outcome.status >= 300) return outcome;
    const value = parseJson(new TextDecoder().decode(outcome.body));
    return isFields(value)
      ? { ...outcome, body: Buffer.from(JSON.stringify(rewrite(value, operation))) }
      : outcome;
  };
  return {
    ...sandbox,
    transport: async (request, control) => rewritten(request, await sandbox.transport(request, control)),
  };
}

/** The incidents of a list, or the updates, as they are in an incident. Services have no habit. */
function writeInside(value: Fields, operation: Operation, write: (incident: Fields) => Fields): unknown {
  const writeUpdate = (update: unknown) => list(write({ incidentUpdates: [update] }).incidentUpdates).at(-1);
  if (operation === "update") return writeUpdate(value);
  return operation === "list" ? { ...value, entries: entries(value.entries, write) } : value;
}
