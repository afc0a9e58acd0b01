import { describe, expect, it } from "vitest";
import { isDate, isDateTime, isGuid } from "../../src/rules/forms.ts";
import { codePointLength } from "../../src/text/lengths.ts";
import { nearest } from "../../src/text/suggest.ts";

describe("a GUID", () => {
  it.each([
    "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "7C9E6679-7425-40DE-944B-E07FC1F90AE7",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "7c9e6679-7425-f0de-044b-e07fc1f90ae7",
  ])("is %s", (text) => {
    expect(isGuid(text)).toBe(true);
  });

  it.each([
    "",
    "7c9e6679742540de944be07fc1f90ae7",
    "{7c9e6679-7425-40de-944b-e07fc1f90ae7}",
    "7c9e6679-7425-40de-944b-e07fc1f90ae",
    "7c9e6679-7425-40de-944b-e07fc1f90aeg",
    "7c9e6679-7425-40de-944b-e07fc1f90ae7\n",
    " 7c9e6679-7425-40de-944b-e07fc1f90ae7",
  ])("is not %j", (text) => {
    expect(isGuid(text)).toBe(false);
  });
});

describe("a date", () => {
  it.each(["2026-03-01", "2024-02-29", "2000-02-29", "2026-12-31", "2026-04-30"])("is %s", (text) => {
    expect(isDate(text)).toBe(true);
  });

  it.each([
    "2026-02-29",
    "1900-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-1-1",
    "2026-03-01T00:00Z",
    "01.03.2026",
    "",
  ])("is not %j", (text) => {
    expect(isDate(text)).toBe(false);
  });
});

describe("a date-time", () => {
  it.each([
    "2026-03-01T09:30:00Z",
    "2026-03-01T09:30Z",
    "2026-03-01T09:30:00.123456789Z",
    "2026-03-01T10:30:00+01:00",
    "2026-03-01T10:30-23:59",
    "2024-02-29T23:59:59Z",
  ])("is %s", (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  it.each([
    "2026-03-01T09:30:00",
    "2026-03-01 09:30:00Z",
    "2026-03-01",
    "2026-02-29T09:30:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T09:60:00Z",
    "2016-12-31T23:59:60Z",
    "2026-03-01T09:30:00,5Z",
    "2026-03-01T09:30:00.Z",
    "20260301T093000Z",
    "2026-03-01T09:30:00+24:00",
    "2026-03-01T09:30:00+01:60",
    "2026-03-01T09:30:00+01",
    "",
  ])("is not %j", (text) => {
    expect(isDateTime(text)).toBe(false);
  });
});

it("counts an emoji as one code point", () => {
  expect(codePointLength("a🚨é")).toBe(3);
});

describe("the nearest candidate", () => {
  const severities = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"];
  it.each([
    ["major", "MAJOR"],
    ["MAJR", "MAJOR"],
    ["MAJRO", "MAJOR"],
    ["minro", "MINOR"],
    ["CRITCAL", "CRITICAL"],
    ["MEDUIM", "MEDIUM"],
  ])("to %s is %s", (written, meant) => {
    expect(nearest(written, severities)).toBe(meant);
  });

  it.each(["HIGH", "", "M", "MAJORITY", "x".repeat(100_000)])("to %.10s is none", (written) => {
    expect(nearest(written, severities)).toBeUndefined();
  });

  it("is no opposite", () => {
    expect(nearest("unresolved", ["MONITORING", "RESOLVED"])).toBeUndefined();
  });

  it("prefers a difference in letter case only", () => {
    expect(nearest("STATE", ["slate", "state"])).toBe("state");
  });
});
