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
