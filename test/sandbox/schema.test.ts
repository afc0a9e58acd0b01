import { describe, expect, it } from "vitest";
import { checkSchema, type Schema } from "../../src/sandbox/check-schema.ts";

const check = (schema: Schema, value: unknown) => checkSchema(schema, value, {});

describe("formats", () => {
  it.each([
    ["uuid", "7C9E6679-7425-40de-944b-e07fc1f90ae7"],
    ["uuid", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
    ["date", "2024-02-29"],
    ["date-time", "2026-03-10T08:30:00Z"],
    ["date-time", "2026-03-10T08:30:00.123+05:30"],
  ] as const)("%s accepts %s", (format, text) => {
    expect(check({ type: "string", format }, text)).toEqual([]);
  });

  it.each([
    ["uuid", "{7c9e6679-7425-40de-944b-e07fc1f90ae7}"],
    ["uuid", "7c9e6679742540de944be07fc1f90ae7"],
    ["date", "2023-02-29"],
    ["date", "2026-3-1"],
    ["date", "2026-03-10T00:00:00Z"],
    ["date-time", "2026-03-10"],
    ["date-time", "2026-03-10T08:30Z"],
    ["date-time", "2026-03-10T08:30:00"],
    ["date-time", "2026-02-30T08:30:00Z"],
    ["date-time", "2026-03-10T25:00:00Z"],
  ] as const)("%s rejects %s", (format, text) => {
    expect(check({ type: "string", format }, text)).toHaveLength(1);
  });
});

describe("values", () => {
  it("counts characters as Unicode code points", () => {
    const schema: Schema = { type: "string", maxLength: 2 };
    expect(check(schema, "🔥🔥")).toEqual([]);
    expect(check(schema, "🔥🔥🔥")).toEqual(["body must have at most 2 characters"]);
  });

  it("names the path of every invalid field", () => {
    const schema: Schema = {
      type: "object",
      required: ["list", "kind"],
      additionalProperties: false,
      properties: {
        list: {
          type: "array",
          minItems: 1,
          items: { type: "object", properties: { n: { type: "integer" } } },
        },
        kind: { enum: ["A", "B"] },
      },
    };
    expect(check(schema, { list: [{ n: 1 }, { n: 1.5 }], extra: 1 })).toEqual([
      "kind is required",
      "list[1].n must be of type integer",
      "extra is not a known field",
    ]);
    expect(check(schema, { list: [], kind: "C" })).toEqual([
      "list must have at least 1 entries",
      "kind must be one of A, B",
    ]);
  });

  it("treats inherited property names as neither known nor present", () => {
    const schema: Schema = {
      type: "object",
      required: ["toString"],
      additionalProperties: false,
      properties: {},
    };
    expect(check(schema, JSON.parse('{"__proto__": 1}'))).toEqual([
      "toString is required",
      "__proto__ is not a known field",
    ]);
  });

  it("accepts any of several types", () => {
    const schema: Schema = { type: ["string", "null"], format: "date" };
    expect(check(schema, null)).toEqual([]);
    expect(check(schema, 5)).toEqual(["body must be of type string or null"]);
  });

  it("resolves references, and throws for an unknown one", () => {
    const schema: Schema = { $ref: "#/components/schemas/Name" };
    expect(checkSchema(schema, 1, { Name: { type: "string" } })).toEqual(["body must be of type string"]);
    expect(() => check(schema, 1)).toThrow("The document has no #/components/schemas/Name.");
  });
});
