import { describe, expect, it } from "vitest";
import { formatElapsed } from "../../src/text/date-times.ts";
import { createStyle, noColors } from "../../src/view/terminal/style.ts";

const hours = (count: number) => () => count * 60;

describe("a time", () => {
  it.each([
    ["2026-11-20T06:31:00Z", hours(1), "2026-11-20 07:31 +01:00"],
    ["2026-11-20T06:31:59.999Z", hours(0), "2026-11-20 06:31 +00:00"],
    ["2026-11-20T06:31Z", hours(5.5), "2026-11-20 12:01 +05:30"],
    ["2026-11-20T06:31:00+02:00", hours(-3.5), "2026-11-20 01:01 -03:30"],
    ["2026-12-31T23:59:00Z", hours(14), "2027-01-01 13:59 +14:00"],
    ["2026-11-20", hours(1), "2026-11-20"],
    ["2026-13-40T06:31:00Z", hours(1), "2026-13-40T06:31:00Z"],
    ["soon\u0007", hours(1), "soon\\u{7}"],
  ])("%j is shown in local time", (text, localOffset, shown) => {
    const style = createStyle({ columns: 80, isTerminal: false }, noColors, localOffset);
    expect(style.time(text)).toBe(shown);
  });
});

describe("an elapsed time", () => {
  it.each([
    [0, "0 s"],
    [999, "0 s"],
    [42_000, "42 s"],
    [60_000, "1 m"],
    [130_900, "2 m 10 s"],
    [1_800_000, "30 m"],
    [3_600_000, "1 h"],
    [3_901_000, "1 h 5 m"],
    [-5, "0 s"],
  ])("%i ms is %j", (milliseconds, shown) => {
    expect(formatElapsed(milliseconds)).toBe(shown);
  });
});
