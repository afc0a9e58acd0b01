import { describe, expect, it } from "vitest";
import * as z from "zod";
import { definitionSchema } from "../../src/incident/definition.ts";
import { maxNameLength, severities, statuses } from "../../src/incident/values.ts";
import { definition, service } from "../harness/builders.ts";

function accepts(changes: object): boolean {
  return definitionSchema.safeParse({ ...definition(), ...changes }).success;
}

describe("a definition", () => {
  it.each(severities)("accepts the severity %s (spec 2.4)", (severity) => {
    expect(accepts({ severity })).toBe(true);
  });

  it.each(statuses)("accepts an update with the status %s (spec 2.4)", (status) => {
    expect(accepts({ incidentUpdates: [{ description: "x", status }] })).toBe(true);
  });

  it("limits the name to 255 code points, not UTF-16 code units (spec 8)", () => {
    expect(accepts({ name: "🚨".repeat(maxNameLength) })).toBe(true);
    expect(accepts({ name: "🚨".repeat(maxNameLength + 1) })).toBe(false);
  });

  it.each([
    [
      "every optional field",
      {
        id: "7C9E6679-7425-40DE-944B-E07FC1F90AE7",
        created_at: "2026-03-01",
        updated_at: "2026-03-01",
        duration: 0,
      },
      true,
    ],
    ["a null as a service's updated_at (spec 2.2)", { services: [{ ...service, updated_at: null }] }, true],
    ["no services", { services: [] }, false],
    ["no updates", { incidentUpdates: [] }, false],
    ["a blank name", { name: " \t" }, false],
    ["an invisible name", { name: "\u200b\u2060" }, false],
    ["an unknown field", { title: "x" }, false],
    ["a null duration", { duration: null }, false],
    ["a fraction as duration", { duration: 0.5 }, false],
  ])("validates %s", (_, changes, isValid) => {
    expect(accepts(changes)).toBe(isValid);
  });

  it("has a JSON Schema with a description of every field", () => {
    const schema = z.toJSONSchema(definitionSchema);
    const described = Object.values(schema.properties ?? {}).map(
      (field) => typeof field === "object" && field.description,
    );
    expect(described).toHaveLength(8);
    expect(described.every((sentence) => typeof sentence === "string" && sentence.endsWith("."))).toBe(true);
    expect(schema).toMatchObject({
      additionalProperties: false,
      required: ["name", "severity", "services", "incidentUpdates"],
      properties: { name: { maxLength: 255 }, id: { format: "uuid" }, services: { minItems: 1 } },
    });
  });
});
