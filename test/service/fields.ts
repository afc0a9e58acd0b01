// Spec 2.1 to 2.3, row by row: the fields of answers. They follow from the published document alone, so they hold for
// any server of it.
import { beforeEach, describe, expect, it } from "vitest";
import type { Schema } from "../../src/sandbox/check-schema.ts";
import { bothAnswers, type JsonObject, openService, type TestService, withService } from "./service.ts";

type Kind =
  | "string"
  | "guid"
  | "date"
  | "date or null"
  | "date-time"
  | "boolean"
  | "integer or null"
  | "array";

const kinds: Record<Kind, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  guid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value)),
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)),
  "date or null": (value) => value === null || kinds.date(value),
  "date-time": (value) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(String(value)),
  boolean: (value) => typeof value === "boolean",
  "integer or null": (value) => value === null || Number.isInteger(value),
  array: Array.isArray,
};

type Row = readonly [field: string, kind: Kind, required: "yes" | "no"];

const incidentRows: readonly Row[] = [
  ["name", "string", "yes"],
  ["severity", "string", "yes"],
  ["id", "guid", "yes"],
  ["services", "array", "yes"],
  ["incidentUpdates", "array", "yes"],
  ["lastUpdateStatus", "string", "yes"],
  ["duration", "integer or null", "no"],
  ["created_at", "date", "yes"],
  ["updated_at", "date", "no"],
];

const serviceRows: readonly Row[] = [
  ["name", "string", "yes"],
  ["id", "guid", "yes"],
  ["accountId", "guid", "yes"],
  ["created_at", "date", "yes"],
  ["updated_at", "date or null", "no"],
];

const updateRows: readonly Row[] = [
  ["description", "string", "yes"],
  ["status", "string", "no"],
  ["publicIncidentUpdateDate", "date-time", "no"],
  ["notifySubscribers", "boolean", "no"],
  ["id", "guid", "yes"],
  ["created_at", "date", "yes"],
];

const first = (value: unknown): JsonObject => (value as readonly JsonObject[])[0] ?? {};

const tables = [
  ["spec 2.1 Incident", "Incident", incidentRows, (incident: JsonObject) => incident],
  ["spec 2.2 Service", "Service", serviceRows, (incident: JsonObject) => first(incident.services)],
  ["spec 2.3 Incident update", "IncidentUpdate", updateRows, (one: JsonObject) => first(one.incidentUpdates)],
] as const;

interface OpenApi {
  readonly components: { readonly schemas: Record<string, Schema> };
}

/** The fields of both answers, and of the published schemas. */
export function describeFields(): void {
  let service: TestService;
  beforeEach(() => {
    service = openService();
  });

  describe.each(tables)("%s", (_title, schemaName, rows, partOf) => {
    it.each(rows)("%s: %s, required: %s", async (field, kind, required) => {
      for (const incident of await bothAnswers(service, withService({ updated_at: null }))) {
        expect(partOf(incident)[field]).toSatisfy(kinds[kind]);
      }
      const { json } = await service.get("/openapi.json");
      const { schemas } = (json as unknown as OpenApi).components;
      expect(schemas[schemaName]?.required?.includes(field)).toBe(required === "yes");
    });

    it("has no field that the spec does not list", async () => {
      const { json } = await service.get("/openapi.json");
      const { schemas } = (json as unknown as OpenApi).components;
      const schema = schemas[schemaName] ?? {};
      expect(Object.keys(schema.properties ?? {}).sort()).toEqual(rows.map(([field]) => field).sort());
      for (const incident of await bothAnswers(service)) {
        expect(rows.map(([field]) => field)).toEqual(expect.arrayContaining(Object.keys(partOf(incident))));
      }
    });
  });
}
