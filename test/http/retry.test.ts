// The pure rules of retries: Retry-After, which outcomes are repeatable, and the delay.
import { describe, expect, it } from "vitest";
import { isRepeatable, parseRetryAfter, retryDelay } from "../../src/http/retry.ts";
import type { Answered, Outcome, Unanswered, Unsent } from "../../src/http/transport.ts";

const now = Date.parse("2026-11-20T06:31:00Z");

function answered(
  status: number,
  headers: Record<string, string> = {},
  bodyError?: Answered["bodyError"],
): Answered {
  return { phase: "answered", status, headers, body: new Uint8Array(), ...(bodyError && { bodyError }) };
}

describe("Retry-After", () => {
  it.each([
    ["seconds", { "retry-after": "7" }, 7000],
    ["zero", { "retry-after": "0" }, 0],
    ["nothing", {}, undefined],
    ["nonsense", { "retry-after": "soon" }, undefined],
    ["a negative number", { "retry-after": "-5" }, undefined],
    ["a fraction", { "retry-after": "1.5" }, undefined],
    ["a date, against this clock", { "retry-after": "Fri, 20 Nov 2026 06:31:30 GMT" }, 30_000],
    [
      "a date, against the answer's own Date",
      { "retry-after": "Fri, 20 Nov 2026 09:00:10 GMT", date: "Fri, 20 Nov 2026 09:00:00 GMT" },
      10_000,
    ],
    [
      "a date in the past",
      { "retry-after": "Fri, 20 Nov 2026 06:00:00 GMT", date: "Fri, 20 Nov 2026 09:00:00 GMT" },
      0,
    ],
  ])("reads %s", (_, headers, milliseconds) => {
    expect(parseRetryAfter(headers, now)).toBe(milliseconds);
  });
});

const unsent = (reason: Unsent["reason"]): Outcome => ({ phase: "unsent", reason, detail: "" });
const unanswered = (reason: Unanswered["reason"]): Outcome => ({ phase: "unanswered", reason, detail: "" });

describe("isRepeatable", () => {
  it.each([
    [unsent("connection"), true, true],
    [unsent("unresolved"), true, true],
    [unsent("timeout"), true, true],
    [unsent("connection"), true, true],
    [unsent("proxy"), true, true],
    [unsent("tls"), false, false],
    [unsent("proxy-login"), false, false],
    [unsent("cancelled"), false, false],
    [unanswered("reset"), true, false],
    [unanswered("timeout"), true, false],
    [unanswered("cancelled"), false, false],
    [answered(200), false, false],
    [answered(200, {}, "truncated"), true, false],
    [answered(200, {}, "too-large"), false, false],
    [answered(301), false, false],
    [answered(400), false, false],
    [answered(401), false, false],
    [answered(404), false, false],
    [answered(408), true, false],
    [answered(409), false, false],
    [answered(429), true, true],
    [answered(500), true, false],
    [answered(503), true, false],
  ])("%j: a read %s, a create %s", (outcome, read, create) => {
    expect(isRepeatable("GET", outcome)).toBe(read);
    expect(isRepeatable("POST", outcome)).toBe(create);
  });
});

describe("retryDelay", () => {
  const attempt = { method: "GET", number: 1, maxRetries: 3, fraction: 0.5, now } as const;

  it("spreads evenly up to a ceiling that doubles, and stops growing at a minute", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((number) =>
      retryDelay(unsent("connection"), { ...attempt, number, maxRetries: 9, fraction: 0.999 }),
    );
    expect(delays).toEqual([999, 1998, 3996, 7992, 15_984, 31_968, 59_940, 59_940]);
    expect(retryDelay(unsent("connection"), { ...attempt, fraction: 0 })).toBe(0);
  });

  it("ends after the last retry", () => {
    expect(retryDelay(unsent("connection"), { ...attempt, number: 3 })).toBeTypeOf("number");
    expect(retryDelay(unsent("connection"), { ...attempt, number: 4 })).toBeUndefined();
    expect(retryDelay(unsent("connection"), { ...attempt, maxRetries: 0 })).toBeUndefined();
  });

  it("follows Retry-After up to a minute and ends for a longer one", () => {
    expect(retryDelay(answered(429, { "retry-after": "60" }), attempt)).toBe(60_000);
    expect(retryDelay(answered(429, { "retry-after": "61" }), attempt)).toBeUndefined();
  });
});
