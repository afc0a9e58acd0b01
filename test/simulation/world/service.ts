// The service of the simulation: what it does with ids. Its state is the list of all incidents that it ever created.

import type { Answered } from "../../../src/http/transport.ts";
import type { ClientIds } from "../../../src/journal/events.ts";

/**
 * How a service treats the id of a create: keeps it and refuses, replaces or duplicates on a second create with the
 * same id, gives ids of its own, or refuses creates with an id.
 */
export const allKinds = ["refuses-second", "replaces", "keeps-both", "ignores-ids", "refuses-ids"] as const;
export type ServiceKind = (typeof allKinds)[number];

export interface Service {
  readonly kind: ServiceKind;
  /** Whether updates have new ids once the incident has another one. */
  readonly renames?: true | undefined;
  /** Whether its document describes a list. */
  readonly lists?: true | undefined;
}

/** Whether an incident has the id that was chosen for it. */
export function canBeRead({ kind }: Service): boolean {
  return kind !== "ignores-ids" && kind !== "refuses-ids";
}

/** What the answers of such a service show of its support for ids. */
export function shownBy(kind: ServiceKind): ClientIds {
  return kind === "ignores-ids" || kind === "refuses-ids" ? "ignored" : "honoured";
}

/** Of an incident that another person has declared. */
export const byPerson = { operation: "another person", place: "" };

export interface SimulatedIncident {
  readonly id: string;
  readonly name: string;
  /** The id that the client chose: it names the operation also where the service chose another. */
  readonly operation: string;
  /** Where the logs of its sender are. */
  readonly place: string;
  /** As the service keeps it. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** How many resolutions there were before the one that it is resolved by; absent while it is open. */
  readonly resolved?: number;
  /** How often it was resolved: an update with another status reopens it. */
  readonly resolutions?: number;
  /** Before the last update or edit. */
  readonly earlier?: Readonly<Record<string, unknown>>;
  /** Whether a person has deleted it. */
  readonly isDeleted?: true;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly text: string;
  /** In seconds. */
  readonly retryAfter?: number;
}

type Created = readonly SimulatedIncident[];

/** The answer to a create, and the incidents after it. */
export function create(
  service: Service,
  created: Created,
  text: string,
  { operation, place }: Pick<SimulatedIncident, "operation" | "place">,
): { readonly answer: ServiceAnswer; readonly created: Created } {
  const body = JSON.parse(text);
  const { kind } = service;
  const refuse = (status: number, error: string) => ({ answer: errorAnswer(status, error), created });
  if (body.id !== undefined && kind === "refuses-ids") return refuse(400, "Bad Request");
  const isKept = body.id !== undefined && kind !== "ignores-ids";
  const id = isKept ? body.id : `99999999-0000-4000-8000-${String(created.length + 1).padStart(12, "0")}`;
  if (kind === "refuses-second" && created.some((each) => each.id === id && !each.isDeleted))
    return refuse(409, "Conflict");
  const fields = { ...body, id, lastUpdateStatus: "INVESTIGATING" };
  return {
    answer: { status: 201, text: answerText(service, fields) },
    created: [...created, { id, name: body.name, operation, place, fields }],
  };
}

/** The incidents after a person has resolved this one in the service's web application. */
export function resolve(created: Created, { id }: Pick<SimulatedIncident, "id">): Created {
  return created.map((incident) => {
    if (incident.id !== id || incident.resolved !== undefined) return incident;
    const fields = { ...incident.fields, lastUpdateStatus: "RESOLVED" };
    return { ...incident, fields, ...resolutionOf(incident, created) };
  });
}

/** What a resolution changes: nothing where the incident is resolved already. */
export function resolutionOf(
  { resolutions = 0, resolved }: SimulatedIncident,
  created: Created,
): Pick<SimulatedIncident, "resolved" | "resolutions"> {
  if (resolved !== undefined) return {};
  return { resolved: countResolutions(created), resolutions: resolutions + 1 };
}

/** Those of all incidents, with those that were reopened. */
export function countResolutions(created: Created): number {
  return created.reduce((sum, { resolutions = 0 }) => sum + resolutions, 0);
}

/** The incidents after a person has deleted this one in the service's web application. */
export function remove(created: Created, { id }: Pick<SimulatedIncident, "id">): Created {
  return created.map((incident) => (incident.id === id ? { ...incident, isDeleted: true } : incident));
}

/** A later incident with the same id stands for an earlier one. */
export function read(service: Service, created: Created, id: string): ServiceAnswer {
  const incident = created.findLast((each) => each.id === id && !each.isDeleted);
  if (incident === undefined) return missing;
  return { status: 200, text: answerText(service, incident.fields) };
}

/** The list of the incidents that are not deleted. */
export function list(service: Service, created: Created): ServiceAnswer {
  const texts = created
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ fields }) => answerText(service, fields));
  return { status: 200, text: `[${texts.join()}]` };
}

/** What a cache or a replica may still answer: that there is no such incident, or how it was before its last change. */
export function readStale(service: Service, created: Created, id: string): readonly ServiceAnswer[] {
  const incident = created.findLast((each) => each.id === id);
  if (incident === undefined) return [];
  if (incident.isDeleted) return [{ status: 200, text: answerText(service, incident.fields) }];
  if (incident.earlier !== undefined)
    return [missing, { status: 200, text: answerText(service, incident.earlier) }];
  const fields = { ...incident.fields, lastUpdateStatus: "INVESTIGATING" };
  const wasOpen = { status: 200, text: answerText(service, fields) };
  return incident.resolved === undefined ? [missing] : [missing, wasOpen];
}

type Fields = Readonly<Record<string, unknown>>;

export function answerText({ renames }: Service, { incidentUpdates, ...incident }: Fields): string {
  if (!renames || !Array.isArray(incidentUpdates))
    return JSON.stringify({ ...incident, ...(incidentUpdates !== undefined && { incidentUpdates }) });
  const idAt = (at: number) =>
    `66666666-0000-4000-8000-${String(100 * incidentUpdates.length + at).padStart(12, "0")}`;
  const renamed = incidentUpdates.map((each, at) => ({ ...each, id: idAt(at) }));
  return JSON.stringify({ ...incident, incidentUpdates: renamed });
}

const missing = errorAnswer(404, "Not Found");

export function errorAnswer(statusCode: number, error: string): ServiceAnswer {
  return { status: statusCode, text: JSON.stringify({ statusCode, error }) };
}

export function toAnswered({ retryAfter, status, text }: ServiceAnswer): Answered {
  const headers = { ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }) };
  return { phase: "answered", status, headers, body: new TextEncoder().encode(text) };
}
