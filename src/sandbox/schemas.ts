// The JSON schemas of the API (spec 2, 4.2 and 7), and of the operations that the spec does not show. The sandbox
// publishes them in its OpenAPI document and checks bodies against them.
import type { Schema } from "./check-schema.ts";

type Fields = Readonly<Record<string, Schema>>;

const text = { type: "string" } as const;
const guid = { type: "string", format: "uuid" } as const;
const date = { type: "string", format: "date" } as const;
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string): Schema => ({ type: "array", items: ref(name) });
const answer = (required: string[], properties: Fields): Schema => ({
  type: "object",
  required,
  properties,
});
const body = (required: string[], properties: Fields): Schema => ({
  ...answer(required, properties),
  additionalProperties: false,
});

const service: Fields = {
  name: text,
  id: guid,
  accountId: guid,
  created_at: date,
  updated_at: { type: ["string", "null"], format: "date" },
};

const update: Fields = {
  description: text,
  status: ref("IncidentStatus"),
  // Spec 2.3 shows that the default is a timestamp, but not its value. The sandbox takes the present.
  publicIncidentUpdateDate: { type: "string", format: "date-time", default: "2025-01-01T00:00:00.000Z" },
  notifySubscribers: { type: "boolean", default: false },
  id: guid,
  created_at: date,
};

const incident: Fields = {
  name: { type: "string", maxLength: 255 },
  severity: ref("IncidentSeverity"),
  id: guid,
  created_at: date,
  updated_at: date,
};

const edit: Fields = {
  ...incident,
  services: { ...listOf("CreateService"), minItems: 1 },
  duration: { type: "integer" },
};

const page = (name: string): Schema =>
  answer(["length", "entries", "nextId"], {
    length: { type: "integer" },
    entries: listOf(name),
    nextId: { type: ["string", "null"] },
  });

/** The schemas of the spec. */
export const schemas = {
  IncidentSeverity: { type: "string", enum: ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] },
  IncidentStatus: { type: "string", enum: ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] },
  Incident: answer(
    ["name", "severity", "id", "services", "incidentUpdates", "lastUpdateStatus", "created_at"],
    {
      ...incident,
      services: listOf("Service"),
      incidentUpdates: listOf("IncidentUpdate"),
      lastUpdateStatus: ref("IncidentStatus"),
      duration: { type: ["integer", "null"] },
    },
  ),
  Service: answer(["name", "id", "accountId", "created_at"], service),
  IncidentUpdate: answer(["description", "id", "created_at"], update),
  CreateIncident: body(["name", "severity", "services", "incidentUpdates"], {
    ...edit,
    incidentUpdates: listOf("CreateIncidentUpdate"),
  }),
  CreateService: body(["name", "id", "accountId"], service),
  CreateIncidentUpdate: body(["description"], update),
  /** An error body (spec 7), with attributes for 401 and 429. */
  Error: answer(["statusCode", "error"], {
    statusCode: { type: "number" },
    error: text,
    message: text,
    attributes: { type: "object" },
  }),
} satisfies Record<string, Schema>;

export const allSchemas = {
  ...schemas,
  EditIncident: body(["name", "severity", "services"], edit),
  IncidentPage: page("Incident"),
  ServicePage: page("Service"),
} satisfies Record<string, Schema>;
