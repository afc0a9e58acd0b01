// The JSON schemas of the API's spec (spec 2, 4.2 and 7). The sandbox publishes them in its OpenAPI document and checks
// create bodies against them.
import { assumptions } from "./assumptions.ts";
import type { Schema } from "./schema.ts";

const guid = { type: "string", format: "uuid" } as const satisfies Schema;
const date = { type: "string", format: "date" } as const satisfies Schema;
const text = { type: "string" } as const satisfies Schema;
const name = { type: "string", maxLength: 255 } as const satisfies Schema;
const severity = { $ref: "#/components/schemas/IncidentSeverity" } as const satisfies Schema;
const status = { $ref: "#/components/schemas/IncidentStatus" } as const satisfies Schema;

const listOf = (item: string): Schema => ({ type: "array", items: { $ref: `#/components/schemas/${item}` } });

const service = {
  name: text,
  id: guid,
  accountId: guid,
  created_at: date,
  updated_at: { type: ["string", "null"], format: "date" },
} as const satisfies Record<string, Schema>;

const update = {
  description: text,
  status,
  publicIncidentUpdateDate: {
    type: "string",
    format: "date-time",
    // Spec 2.3 shows that the default is a timestamp, but not its value.
    default: "2025-01-01T00:00:00.000Z",
    description:
      "The default only marks that the schema carries one; the sandbox takes the time of the create.",
    "x-not-shown": assumptions.dateTimes,
  },
  notifySubscribers: { type: "boolean", default: false },
  id: guid,
  created_at: date,
} as const satisfies Record<string, Schema>;

/** The schema of an error body (spec 7): status, reason phrase, and attributes for 401 and 429. */
const errorBody = (statusCode: number, error: string): Schema => ({
  type: "object",
  required: ["statusCode", "error"],
  properties: {
    statusCode: { type: "number", const: statusCode },
    error: { type: "string", const: error },
    message: text,
    ...(statusCode === 401 || statusCode === 429 ? { attributes: { type: "object" } } : {}),
  },
});

export const schemas = {
  IncidentSeverity: { type: "string", enum: ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] },
  IncidentStatus: { type: "string", enum: ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] },
  Incident: {
    type: "object",
    required: ["name", "severity", "id", "services", "incidentUpdates", "lastUpdateStatus", "created_at"],
    properties: {
      name,
      severity,
      id: guid,
      services: listOf("Service"),
      incidentUpdates: listOf("IncidentUpdate"),
      lastUpdateStatus: status,
      duration: { type: ["integer", "null"], "x-not-shown": "Its unit is not shown (spec 2.5)." },
      created_at: date,
      updated_at: date,
    },
  },
  Service: { type: "object", required: ["name", "id", "accountId", "created_at"], properties: service },
  IncidentUpdate: { type: "object", required: ["description", "id", "created_at"], properties: update },
  CreateIncident: {
    type: "object",
    description: assumptions.unknownFields,
    "x-not-shown": assumptions.requiredFields,
    additionalProperties: false,
    required: ["name", "severity", "services", "incidentUpdates"],
    properties: {
      name,
      severity,
      services: { ...listOf("CreateService"), minItems: 1 },
      incidentUpdates: listOf("CreateIncidentUpdate"),
      id: { ...guid, "x-not-shown": assumptions.clientId },
      created_at: date,
      updated_at: date,
      duration: { type: "integer" },
    },
  },
  CreateService: {
    type: "object",
    "x-not-shown": `${assumptions.requiredFields} ${assumptions.filledIn}`,
    additionalProperties: false,
    required: ["name", "id", "accountId"],
    properties: service,
  },
  CreateIncidentUpdate: {
    type: "object",
    "x-not-shown": `${assumptions.filledIn} ${assumptions.firstStatus}`,
    additionalProperties: false,
    required: ["description"],
    properties: update,
  },
  Error: {
    type: "object",
    required: ["statusCode", "error"],
    properties: {
      statusCode: { type: "number" },
      error: text,
      message: text,
      attributes: { type: "object" },
    },
  },
  Error401: errorBody(401, "Unauthorized"),
  Error403: errorBody(403, "Forbidden"),
  Error404: errorBody(404, "Not Found"),
  Error429: errorBody(429, "Too Many Requests"),
} as const satisfies Record<string, Schema>;
