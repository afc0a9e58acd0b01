// OpenAPI documents with the operations that the spec does not show, in the shapes that services of this kind have.
import type { Json } from "../harness/contracts.ts";

const list = (items: Json): Json => ({ type: "array", items });
const text = { type: "string" };
const status = { type: "string", enum: ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] };
const severity = { type: "string", enum: ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] };
const service = {
  type: "object",
  required: ["name", "id", "accountId"],
  properties: { name: text, id: text, accountId: text },
};
const update = {
  type: "object",
  required: ["description"],
  properties: {
    description: text,
    status,
    notifySubscribers: { type: "boolean", default: false },
    id: text,
    publicIncidentUpdateDate: { type: "string", format: "date-time", default: "2025-01-01T00:00:00.000Z" },
    created_at: text,
  },
};
const incident = {
  type: "object",
  required: ["id", "name"],
  properties: { id: text, name: text, severity, services: list(service), lastUpdateStatus: status },
};

export const content = (schema: Json): Json => ({ content: { "application/json": { schema } } });
export const answers = (schema: Json, code = "200"): Json => ({
  responses: { [code]: { description: "", ...content(schema) } },
});
const query = (name: string, schema: Json = text): Json => ({ in: "query", name, schema });
const page = (items: Json): Json => ({
  type: "object",
  properties: {
    length: { type: "integer" },
    entries: list(items),
    nextId: { type: "string", nullable: true },
  },
});
const paging = [query("limit", { type: "integer", minimum: 1, maximum: 100, default: 20 }), query("nextId")];

export const schemas = { incident, service, update };

export const incidentsPath = "/v1/status-pages/incidents";
export const servicesPath = "/v1/status-pages/services";

/** The document of a service of this kind as it was published: a page with a cursor, a PUT, and `/incident-updates`. */
export function serviceDocument(): Json {
  const account = { in: "header", name: "X-Vendor-Account", schema: text };
  const edit = {
    type: "object",
    required: ["name", "severity", "services"],
    properties: { name: text, severity, services: list(service), duration: { type: "integer" } },
  };
  return {
    openapi: "3.0.3",
    info: { title: "Public API", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: {
      "/v1/incidents": { get: { parameters: paging, ...answers(page(incident)) } },
      "/v1/incidents/{id}/updates": { post: { requestBody: content(update), ...answers(update) } },
      [incidentsPath]: {
        get: { parameters: [account, ...paging], ...answers(page(incident)) },
        post: { parameters: [account], requestBody: content(incident), ...answers(incident, "201") },
      },
      [`${incidentsPath}/{incidentId}`]: {
        get: answers(incident),
        put: { parameters: [account], requestBody: content(edit), ...answers(incident) },
        delete: { responses: { "204": { description: "" } } },
      },
      [`${incidentsPath}/{incidentId}/incident-updates`]: {
        get: answers(list(update)),
        post: { parameters: [account], requestBody: content(update), ...answers(update) },
      },
      [`${incidentsPath}/{incidentId}/incident-updates/{updateId}`]: {
        put: { requestBody: content(update), ...answers(update) },
        delete: { responses: { "204": { description: "" } } },
      },
      [servicesPath]: {
        get: {
          parameters: [account, ...paging, query("paginated", { type: "boolean" })],
          ...answers(page(service)),
        },
      },
    },
  };
}
