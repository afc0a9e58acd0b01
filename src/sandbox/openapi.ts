// The service's API descriptions, written from the spec alone: the current OpenAPI document and the deprecated one
// before it (spec 9). `x-not-shown` marks the parts that the spec leaves open.
import { assumptions } from "./assumptions.ts";
import { schemas } from "./schemas.ts";

export const jsonOf = <Name extends string = keyof typeof schemas>(schema: Name) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${schema}` } },
});

export const documented = {
  "401": { description: "Unauthorized", content: jsonOf("Error401") },
  "403": {
    description: "Forbidden",
    content: jsonOf("Error403"),
    "x-not-shown": "Which permissions or roles lead here is not shown (spec 5.5).",
  },
  "404": { description: "Not Found", content: jsonOf("Error404") },
  "429": {
    description: "Too Many Requests",
    content: jsonOf("Error429"),
    "x-not-shown": assumptions.retryAfter,
  },
};

export const undocumented = (description: string, assumption: string) => ({
  description,
  content: jsonOf("Error"),
  "x-not-shown": assumption,
});

export const account = {
  name: "x-service-account",
  in: "header",
  required: false,
  description: "The account identifier.",
  schema: { type: "string", format: "uuid" },
  "x-not-shown": assumptions.account,
};

export const incidentIdParameter = {
  name: "incidentId",
  in: "path",
  required: true,
  schema: { type: "string", format: "uuid" },
  "x-not-shown": assumptions.malformedId,
};

/** The current document, served at /openapi.json (spec 9.2), with the operations of the spec alone. */
export const openapi = {
  openapi: "3.1.0",
  info: {
    title: "Status Page Incidents API",
    version: "v1",
    description: "Reads and creates status page incidents. Most routes allow 600 requests every 60 seconds.",
    "x-not-shown": [
      assumptions.rateWindow,
      assumptions.unknownPath,
      assumptions.statusPage,
      assumptions.documents,
    ],
  },
  servers: [{ url: "/" }],
  security: [{ bearer: [] }],
  paths: {
    "/v1/status-pages/incidents": {
      post: {
        summary: "Create a new incident",
        parameters: [account],
        requestBody: { required: true, content: jsonOf("CreateIncident") },
        responses: {
          "201": {
            description: "Created",
            content: jsonOf("Incident"),
            "x-not-shown": [assumptions.lastStatus, assumptions.transitions],
          },
          "400": undocumented("Bad Request", assumptions.invalidBody),
          ...documented,
          "409": undocumented("Conflict", assumptions.duplicateId),
          "413": undocumented("Payload Too Large", assumptions.bodySize),
          "415": undocumented("Unsupported Media Type", assumptions.mediaType),
        },
      },
    },
    "/v1/status-pages/incidents/{incidentId}": {
      get: {
        operationId: "getV1StatuspagesIncidentsIncidentid",
        summary: "Retrieve an incident by id",
        description: "Returns incident details, including the incident history and the affected services.",
        parameters: [account, incidentIdParameter],
        responses: { "200": { description: "Successful", content: jsonOf("Incident") }, ...documented },
      },
    },
  },
  components: {
    securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key." } },
    schemas,
  },
};

const plainResponses = (...statuses: string[]) =>
  Object.fromEntries(statuses.map((status) => [status, { description: `See ${status} in openapi.json.` }]));

/** The deprecated document, served at /swagger.json (spec 9.3). */
export const swagger = {
  swagger: "2.0",
  info: {
    title: openapi.info.title,
    version: "v1",
    description: "Deprecated: this document receives no updates. Use openapi.json.",
    "x-deprecated": true,
  },
  paths: {
    "/v1/status-pages/incidents": { post: { responses: plainResponses("201", "401", "403", "404", "429") } },
    "/v1/status-pages/incidents/{incidentId}": {
      get: {
        operationId: "getV1StatuspagesIncidentsIncidentid",
        parameters: [{ name: "incidentId", in: "path", required: true, type: "string" }],
        responses: plainResponses("200", "401", "403", "404", "429"),
      },
    },
  },
};
