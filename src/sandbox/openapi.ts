// The service's own description: of the operations of the spec alone, written from it (spec 9.2), and of all operations.
import { STATUS_CODES } from "node:http";
import { allSchemas, schemas } from "./schemas.ts";

type SchemaName = keyof typeof allSchemas;

const jsonOf = (name: SchemaName) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});

/** The answers of an operation: of the successful one, those that the spec shows, and other errors. */
function responses(status: number, name: SchemaName, ...errors: readonly number[]) {
  const refused = [401, 403, 404, 429, ...errors].map((code) => [code, "Error"] as const);
  return Object.fromEntries(
    [[status, name] as const, ...refused].map(([code, schema]) => [
      code,
      { description: STATUS_CODES[code] ?? "", content: jsonOf(schema) },
    ]),
  );
}

const bodyOf = (name: SchemaName) => ({ requestBody: { required: true, content: jsonOf(name) } });

const guid = { type: "string", format: "uuid" };

const account = {
  name: "x-service-account",
  in: "header",
  required: false,
  description: "The account identifier.",
  schema: guid,
};

const oneIncident = [account, { name: "incidentId", in: "path", required: true, schema: guid }];

const size = { type: "integer", minimum: 1, maximum: 100, default: 20 };

const pages = [
  account,
  { name: "limit", in: "query", required: false, schema: size },
  { name: "nextId", in: "query", required: false, schema: { type: "string" } },
];

const operation = <Parameter>(summary: string, parameters: readonly Parameter[], of: object) => ({
  summary,
  parameters,
  ...of,
});

const create = operation("Create a new incident", [account], {
  ...bodyOf("CreateIncident"),
  responses: responses(201, "Incident", 400, 409, 413, 415),
});

const get = operation("Retrieve an incident by id", oneIncident, {
  operationId: "getV1StatuspagesIncidentsIncidentid",
  description: "Returns incident details, including the incident history and the affected services.",
  responses: responses(200, "Incident"),
});

const list = operation("List the incidents", pages, { responses: responses(200, "IncidentPage", 400) });

const edit = operation("Edit an incident", oneIncident, {
  ...bodyOf("EditIncident"),
  responses: responses(200, "Incident", 400, 413, 415),
});

const update = operation("Add an update to an incident", oneIncident, {
  ...bodyOf("CreateIncidentUpdate"),
  responses: responses(200, "IncidentUpdate", 400, 409, 413, 415),
});

const services = operation("List the services", pages, { responses: responses(200, "ServicePage", 400) });

/** The operations of the spec alone. */
export const openapi = {
  openapi: "3.1.0",
  info: {
    title: "Status Page Incidents API",
    version: "v1",
    description: "Status page incidents. Most routes allow 600 requests every 60 seconds.",
  },
  servers: [{ url: "/" }],
  security: [{ bearer: [] }],
  paths: {
    "/v1/status-pages/incidents": { post: create },
    "/v1/status-pages/incidents/{incidentId}": { get },
  },
  components: {
    securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key." } },
    schemas,
  },
};

export const wholeOpenapi = {
  ...openapi,
  paths: {
    "/v1/status-pages/incidents": { post: create, get: list },
    "/v1/status-pages/incidents/{incidentId}": { get, put: edit },
    "/v1/status-pages/incidents/{incidentId}/incident-updates": { post: update },
    "/v1/status-pages/services": { get: services },
  },
  components: { ...openapi.components, schemas: allSchemas },
};
