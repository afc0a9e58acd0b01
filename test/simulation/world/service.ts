// The service of the simulation: what it does with ids. Its state is the list of all incidents that it ever created.
import type { Answered } from "../../../src/http/transport.ts";

/**
 * How a service treats the id of a create: keeps it and refuses, replaces or duplicates on a second create with the
 * same id, gives ids of its own, or refuses creates with an id.
 */
export const serviceKinds = [
  "refuses-second",
  "replaces",
  "keeps-both",
  "ignores-ids",
  "refuses-ids",
] as const;
export type ServiceKind = (typeof serviceKinds)[number];

export interface SimulatedIncident {
  readonly id: string;
  readonly name: string;
  /** The id that the client chose: it names the operation also where the service chose another. */
  readonly operation: string;
  readonly text: string;
  /** How many incidents were resolved before it; absent while it is open. */
  readonly resolved?: number;
}

/** An answer as data. */
export interface ServiceAnswer {
  readonly status: number;
  readonly text: string;
  /** In seconds. */
  readonly retryAfter?: number;
}

type Created = readonly SimulatedIncident[];

/** The answer to a create, and the incidents after it. */
export function create(
  kind: ServiceKind,
  created: Created,
  text: string,
  operation: string,
): { readonly answer: ServiceAnswer; readonly created: Created } {
  const body = JSON.parse(text);
  const refuse = (status: number, error: string) => ({ answer: errorAnswer(status, error), created });
  if (body.id !== undefined && kind === "refuses-ids") return refuse(400, "Bad Request");
  const isKept = body.id !== undefined && kind !== "ignores-ids";
  const id = isKept ? body.id : `99999999-0000-4000-8000-${String(created.length + 1).padStart(12, "0")}`;
  if (kind === "refuses-second" && created.some((incident) => incident.id === id))
    return refuse(409, "Conflict");
  const incident = JSON.stringify({ ...body, id, lastUpdateStatus: "INVESTIGATING" });
  return {
    answer: { status: 201, text: incident },
    created: [...created, { id, name: body.name, operation, text: incident }],
  };
}

/** The incidents after a person has resolved this one in the service's web application. */
export function resolve(created: Created, { id }: Pick<SimulatedIncident, "id">): Created {
  const resolved = countResolved(created);
  return created.map((incident) => {
    if (incident.id !== id || incident.resolved !== undefined) return incident;
    const text = JSON.stringify({ ...JSON.parse(incident.text), lastUpdateStatus: "RESOLVED" });
    return { ...incident, text, resolved };
  });
}

export function countResolved(created: Created): number {
  return created.filter(({ resolved }) => resolved !== undefined).length;
}

/** A later incident with the same id stands for an earlier one. */
export function read(created: Created, id: string): ServiceAnswer {
  const incident = created.findLast((each) => each.id === id);
  return incident === undefined ? errorAnswer(404, "Not Found") : { status: 200, text: incident.text };
}

export function errorAnswer(statusCode: number, error: string): ServiceAnswer {
  return { status: statusCode, text: JSON.stringify({ statusCode, error }) };
}

export function toAnswered({ retryAfter, status, text }: ServiceAnswer): Answered {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { phase: "answered", status, headers, body: new TextEncoder().encode(text) };
}
