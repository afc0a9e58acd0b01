// A service with in-memory state whose document is Swagger 2.0 with a base path. It wraps each answer in {data: …}, has
// perhaps another account header, joins pages with a cursor, edits with PATCH, and answers an added update without its
// id. It shares no code with the sandbox.
import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { ReceivedRequest } from "../../../src/sandbox/route.ts";
import { accountId, apiKey, incidentsPath } from "../../sandbox/requests.ts";
import type { StoredIncident } from "./stored-incident.ts";

type Json = Readonly<Record<string, unknown>>;
type Update = StoredIncident["incidentUpdates"][number];

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message = STATUS_CODES[status] ?? "") {
    super(message);
    this.status = status;
  }
}

const reply = (status: number, value: unknown, headers: Reply["headers"] = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: Buffer.from(JSON.stringify(value)),
});

const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"];
const defaultLimit = 25;
const maxLimit = 200;

interface EnvelopedOptions {
  readonly ids: "kept" | "replaced";
  /** The header that it requires, in lower case. */
  readonly accountHeader?: string;
}

export function createEnvelopedService({ accountHeader = "x-service-account", ids }: EnvelopedOptions) {
  const incidents = new Map<string, StoredIncident>();
  const idOf = (given: unknown) => (ids === "kept" && typeof given === "string" ? given : randomUUID());
  const enveloped = (status: number, incident: StoredIncident) => reply(status, { data: incident });

  function find(id: string): StoredIncident {
    const incident = incidents.get(id.toLowerCase());
    if (incident === undefined) throw new Refusal(404);
    return incident;
  }

  function updateOf(body: Json, before: string): Update {
    const { description, status = before, notifySubscribers = false } = body;
    if (typeof description !== "string") throw new Refusal(422, "description is required");
    if (!statuses.includes(String(status))) throw new Refusal(422, "status is not one of the four");
    const now = new Date().toISOString();
    const dates = { publicIncidentUpdateDate: now, created_at: now.slice(0, 10) };
    return { ...dates, ...body, description, status, notifySubscribers, id: idOf(body.id) } as Update;
  }

  function save<T extends StoredIncident>(incident: T): T {
    incidents.set(incident.id.toLowerCase(), incident);
    return incident;
  }

  /** The fields that a create and an edit share. */
  function checkFields({ name, services, severity }: Json): void {
    if (typeof name !== "string" || name === "") throw new Refusal(422, "name is required");
    if (typeof severity !== "string") throw new Refusal(422, "severity is required");
    if (!Array.isArray(services) || services.length === 0) throw new Refusal(422, "services is required");
  }

  function create(body: Json): Reply {
    checkFields(body);
    const id = idOf(body.id);
    if (incidents.has(id.toLowerCase())) throw new Refusal(409, `An incident with the id ${id} exists`);
    let lastUpdateStatus = "INVESTIGATING";
    const incidentUpdates = ((body.incidentUpdates ?? []) as readonly Json[]).map((each) => {
      const update = updateOf(each, lastUpdateStatus);
      lastUpdateStatus = update.status;
      return update;
    });
    const today = new Date().toISOString().slice(0, 10);
    const incident = { created_at: today, duration: null, ...body, id, incidentUpdates, lastUpdateStatus };
    return enveloped(201, save(incident as unknown as StoredIncident));
  }

  function edit(incident: StoredIncident, body: Json): Reply {
    checkFields({ ...incident, ...body });
    const unknown = Object.keys(body).find((name) => !["name", "severity", "services"].includes(name));
    if (unknown !== undefined) throw new Refusal(422, `${unknown} is not a known field`);
    return enveloped(200, save({ ...incident, ...body }));
  }

  function add(incident: StoredIncident, body: Json): Reply {
    const update = updateOf(body, incident.lastUpdateStatus);
    const incidentUpdates = [...incident.incidentUpdates, update];
    save({ ...incident, incidentUpdates, lastUpdateStatus: update.status });
    const { id: _, ...answer } = update;
    return reply(200, { data: answer });
  }

  function pageOf(items: readonly { readonly id?: unknown }[], query: URLSearchParams): Reply {
    const limit = Number(query.get("limit") ?? defaultLimit);
    if (!(limit >= 1 && limit <= maxLimit)) throw new Refusal(422, "limit is out of range");
    const start = Number(query.get("cursor")?.replace("after-", "") ?? 0);
    const cursor = start + limit < items.length ? `after-${start + limit}` : "";
    return reply(200, { data: { items: items.slice(start, start + limit), cursor } });
  }

  function answer({ body, headers, method, url }: ReceivedRequest): Reply {
    const { pathname, searchParams } = new URL(url);
    if (method === "GET" && pathname === "/openapi.json") return reply(200, envelopedDocument(accountHeader));
    if (headers.authorization !== `Bearer ${apiKey}`) throw new Refusal(401, "Bad Token");
    if (headers[accountHeader] !== accountId) throw new Refusal(403);
    const value = (): Json => JSON.parse(Buffer.from(body ?? "").toString());
    const all = [...incidents.values()];
    if (method === "GET" && pathname === "/v1/status-pages/services") {
      const own = { name: "Checkout", id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b", accountId };
      return pageOf([own, ...all.flatMap(({ services }) => services)], searchParams);
    }
    if (pathname === incidentsPath) {
      if (method === "GET") return pageOf(all.reverse(), searchParams);
      if (method === "POST") return create(value());
    }
    const [id = "", segment, ...others] = pathname.startsWith(`${incidentsPath}/`)
      ? pathname.slice(incidentsPath.length + 1).split("/")
      : [];
    const incident = find(id);
    if (others.length > 0) throw new Refusal(404);
    if (segment === undefined && method === "GET") return enveloped(200, incident);
    if (segment === undefined && method === "PATCH") return edit(incident, value());
    if (segment === "status_updates" && method === "POST") return add(incident, value());
    if (segment === "status_updates" && method === "GET")
      return reply(200, { data: incident.incidentUpdates });
    throw new Refusal(405);
  }

  return {
    incidents: () => [...incidents.values()],
    async handle(request: ReceivedRequest): Promise<Reply> {
      try {
        return answer(request);
      } catch (error) {
        const { message, status } = error instanceof Refusal ? error : new Refusal(400, String(error));
        return reply(status, { statusCode: status, error: STATUS_CODES[status], message });
      }
    },
  };
}

const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
const text = { type: "string" };
const status = { type: "string", enum: statuses };
const severity = { type: "string", enum: ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] };
const listOf = (name: string) => ({ type: "array", items: ref(name) });
const data = (schema: object) => ({ type: "object", properties: { data: schema } });
const success = (schema: object, code = 200) => ({
  responses: { [code]: { description: "Successful", schema: data(schema) } },
});
const incidentId = { name: "incident_id", in: "path", required: true, type: "string" };
const bodyOf = (name: string) => ({ name: "body", in: "body", required: true, schema: ref(name) });
const paging = [
  { name: "limit", in: "query", type: "integer", minimum: 1, maximum: maxLimit, default: defaultLimit },
  { name: "cursor", in: "query", type: "string" },
];
const pagesOf = (name: string) => ({
  parameters: paging,
  ...success({ type: "object", properties: { items: listOf(name), cursor: text } }),
});
const updateFields = {
  description: text,
  status,
  notifySubscribers: { type: "boolean", default: false },
  id: { type: "string", format: "uuid" },
  publicIncidentUpdateDate: { type: "string", format: "date-time", default: "2025-01-01T00:00:00.000Z" },
  created_at: text,
};
const fields = { name: { type: "string", maxLength: 255 }, severity, services: listOf("Service") };

export const envelopedDocument = (accountHeader: string) => ({
  swagger: "2.0",
  info: { title: "Status Page Incidents", version: "v1" },
  basePath: "/v1",
  consumes: ["application/json"],
  produces: ["application/json"],
  paths: {
    "/status-pages/incidents": {
      parameters: [{ name: accountHeader, in: "header", required: true, type: "string" }],
      get: pagesOf("Incident"),
      post: { parameters: [bodyOf("CreateIncident")], ...success(ref("Incident"), 201) },
    },
    "/status-pages/incidents/{incident_id}": {
      get: { parameters: [incidentId], ...success(ref("Incident")) },
      patch: { parameters: [incidentId, bodyOf("EditIncident")], ...success(ref("Incident")) },
    },
    "/status-pages/incidents/{incident_id}/status_updates": {
      get: { parameters: [incidentId], ...success(listOf("Update")) },
      post: { parameters: [incidentId, bodyOf("AddUpdate")], ...success(ref("AddUpdate")) },
    },
    "/status-pages/services": { get: pagesOf("Service") },
  },
  definitions: {
    Service: {
      type: "object",
      required: ["name", "id"],
      properties: { name: text, id: text, accountId: text, created_at: text, updated_at: text },
    },
    Update: { type: "object", required: ["id", "description"], properties: updateFields },
    AddUpdate: { type: "object", required: ["description"], properties: updateFields },
    EditIncident: { type: "object", properties: fields },
    CreateIncident: {
      type: "object",
      required: ["name", "severity", "services"],
      properties: { ...fields, id: text, incidentUpdates: listOf("AddUpdate") },
    },
    Incident: {
      type: "object",
      required: ["id", "name"],
      properties: {
        ...fields,
        id: text,
        incidentUpdates: listOf("Update"),
        lastUpdateStatus: status,
        duration: { type: "integer" },
        created_at: text,
      },
    },
  },
});
