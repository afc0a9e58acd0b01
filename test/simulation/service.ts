// The service of the simulation: what it does with ids, and every incident that it ever created.
import type { Answered } from "../../src/http/transport.ts";

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
}

export interface SimulatedService {
  /** Every incident that was created, also one that was replaced: customers were notified of it. */
  readonly created: readonly SimulatedIncident[];
  create(body: string, operation: string): Answered;
  read(id: string): Answered;
}

export function createService(kind: ServiceKind): SimulatedService {
  const created: SimulatedIncident[] = [];
  const bodies = new Map<string, unknown>();
  return {
    created,
    create(text, operation) {
      const body = JSON.parse(text);
      if (body.id !== undefined && kind === "refuses-ids") return errorAnswer(400, "Bad Request");
      const isKept = body.id !== undefined && kind !== "ignores-ids";
      const id = isKept ? body.id : `99999999-0000-4000-8000-${String(created.length + 1).padStart(12, "0")}`;
      if (bodies.has(id) && kind === "refuses-second") return errorAnswer(409, "Conflict");
      const incident = { ...body, id, lastUpdateStatus: "INVESTIGATING" };
      bodies.set(id, incident);
      created.push({ id, name: body.name, operation });
      return answer(201, incident);
    },
    read(id) {
      const incident = bodies.get(id);
      return incident === undefined ? errorAnswer(404, "Not Found") : answer(200, incident);
    },
  };
}

export function errorAnswer(statusCode: number, error: string): Answered {
  return answer(statusCode, { statusCode, error });
}

function answer(status: number, body: unknown): Answered {
  return { phase: "answered", status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) };
}
