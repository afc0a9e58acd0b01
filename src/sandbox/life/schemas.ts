// The JSON schemas of the operations that the spec does not show, as the sandbox describes and checks them.
import type { Schema } from "../schema.ts";
import { schemas } from "../schemas.ts";
import { lifeAssumptions } from "./assumptions.ts";

const { incidentUpdates: _, ...editable } = schemas.CreateIncident.properties;

const pageOf = (item: string): Schema => ({
  type: "object",
  required: ["length", "entries", "nextId"],
  properties: {
    length: { type: "integer", description: "The number of entries of this page." },
    entries: { type: "array", items: { $ref: `#/components/schemas/${item}` } },
    nextId: { type: ["string", "null"], description: "The nextId of the next page; null on the last." },
  },
});

export const lifeSchemas = {
  ...schemas,
  EditIncident: {
    type: "object",
    description: lifeAssumptions.edit,
    additionalProperties: false,
    required: ["name", "severity", "services"],
    properties: editable,
  },
  AddIncidentUpdate: { ...schemas.CreateIncidentUpdate, "x-not-shown": lifeAssumptions.addedUpdate },
  AddedIncidentUpdate: { ...schemas.IncidentUpdate, required: ["description", "created_at"] },
  IncidentPage: pageOf("Incident"),
  ServicePage: pageOf("Service"),
} as const satisfies Record<string, Schema>;
