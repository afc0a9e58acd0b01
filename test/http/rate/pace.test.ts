// The pace of requests: its decisions one by one, and a fleet of processes that share a limit, in a model.
import { describe, expect, it } from "vitest";
import {
  afterAccepted,
  afterLimited,
  afterSend,
  delayFor,
  type Pace,
  parseRate,
  startPace,
} from "../../../src/http/pace.ts";
import { type Fleet, limiters, runFleet } from "./fleet-model.ts";

const minute = 60_000;
const rate = { requests: 600, window: minute };
const idle = { inFlight: 0, answers: [] };

/** The requests of a window at `now`, as the next one is spaced out. */
const limitAt = (pace: Pace, now: number) => {
  const { nextAt } = afterSend({ ...pace, nextAt: now }, now);
  return nextAt === now ? pace.rate.requests : Math.round(pace.rate.window / (nextAt - now));
};

/** The pace after a 429 at `now`, by default to a request that was sent then. */
const limited = (pace: Pace, now: number, asked?: number, sentAt = now) =>
  afterLimited(pace, now, { asked, fraction: 0, sentAt });

describe("the pace", () => {
  it("permits a whole window at once before the first 429", () => {
    const pace = afterSend(startPace(rate), 0);
    expect(delayFor(pace, { inFlight: 599, answers: [] }, 0)).toBe(0);
    expect(delayFor(pace, { inFlight: 0, answers: Array(600).fill(10) }, 20)).toBe(minute - 9);
  });

  it("halves after a 429, waits as long as it is asked, and then spreads the requests", () => {
    const pace = limited(startPace(rate), 1000, 30_000);
    expect(delayFor(pace, idle, 1000)).toBe(30_000);
    expect(limitAt(pace, 31_000)).toBe(300);
    expect(delayFor(pace, idle, 31_000)).toBe(0);
    expect(delayFor(afterSend(pace, 31_000), idle, 31_000)).toBe(minute / 300);
  });

  it("recovers by the same amount in every window, up to what is permitted", () => {
    const pace = limited(startPace(rate), 0, 1000);
    expect([0, 1, 2, 3].map((windows) => limitAt(pace, 1000 + windows * minute))).toEqual([
      300, 420, 540, 600,
    ]);
  });

  it("halves once for the requests that were on their way together", () => {
    let pace = limited(startPace(rate), 100, 30_014, 0);
    for (let late = 1; late < 16; late += 1) pace = limited(pace, 100 + late, 30_000 - late, 50);
    expect(limitAt(pace, 100)).toBe(300);
    expect(limitAt(limited(pace, 30_114, 20_000), 30_114)).toBe(150);
  });

  it("waits twice as long for each refusal in a row, at most a minute, and at once again after an answer", () => {
    let pace = startPace(rate);
    const waits: number[] = [];
    for (let now = 0; waits.length < 6; ) {
      pace = limited(pace, now);
      waits.push(delayFor(pace, idle, now));
      now += waits.at(-1) ?? 0;
    }
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000, minute, minute]);
    expect(delayFor(limited(afterAccepted(pace), 1_000_000), idle, 1_000_000)).toBe(5000);
  });

  it("does not bring processes back together that were refused together", () => {
    const waits = [0, 0.5, 0.9].map((fraction) =>
      delayFor(afterLimited(startPace(rate), 0, { asked: 20_000, fraction, sentAt: 0 }), idle, 0),
    );
    expect(waits).toEqual([20_000, 22_500, 24_500]);
  });

  it("never stops", () => {
    let pace = startPace({ requests: 1, window: 1000 });
    for (let now = 0; now < 100 * minute; now += minute) pace = limited(pace, now, 1000);
    expect(delayFor(pace, idle, 200 * minute)).toBe(0);
    expect(limitAt(pace, 99 * minute)).toBe(1);
  });
});

describe("a fleet that knows nothing of each other", () => {
  const seeds = [1, 2, 3, 4, 5];
  /** The least time in which a limit of 600 in a minute lets so many requests pass. */
  const least = ({ requests, runners }: Fleet) => (Math.ceil((runners * requests) / 600) - 1) * minute;
  const run = (fleet: Omit<Fleet, "seed">) =>
    seeds.map((seed) => {
      const result = runFleet({ ...fleet, seed });
      return { ...result, ratio: result.took / least({ ...fleet, seed }) };
    });
  const worst = (fleet: Omit<Fleet, "seed">) => {
    const results = run(fleet);
    return {
      ratio: Math.max(...results.map(({ ratio }) => ratio)),
      refusals: Math.max(...results.map(({ mostRefusals }) => mostRefusals)),
    };
  };

  // Two requests for each definition: a read and a create.
  const fleets = [
    [8, 300],
    [20, 120],
  ] as const;
  const cases = Object.keys(limiters).flatMap((limiter) =>
    fleets.map(([runners, definitions]) => [limiter as keyof typeof limiters, runners, definitions] as const),
  );

  it.each(cases)(
    "%s, %i runners of %i definitions: within 1.5 × the least time",
    (limiter, runners, definitions) => {
      const { ratio, refusals } = worst({ limiter, runners, requests: 2 * definitions, hasRetryAfter: true });
      expect(ratio).toBeLessThan(1.5);
      // A request is sent five times at most.
      expect(refusals).toBeLessThan(7);
    },
  );

  it.each(cases)(
    "%s that does not say when, %i runners of %i: still ends",
    (limiter, runners, definitions) => {
      const { ratio } = worst({ limiter, runners, requests: 2 * definitions, hasRetryAfter: false });
      expect(ratio).toBeLessThan(2);
    },
  );

  it.each(fleets)(
    "%i runners of %i definitions with a share of the limit each are never refused",
    (runners, definitions) => {
      const share = { requests: Math.floor(600 / runners), window: minute };
      const fleet = {
        limiter: "a sliding window",
        runners,
        requests: 2 * definitions,
        hasRetryAfter: true,
        rate: share,
      } as const;
      for (const { ratio, refused } of run(fleet)) {
        expect(refused).toBe(0);
        expect(ratio).toBeLessThan(1.1);
      }
    },
  );

  it.each(Object.keys(limiters) as (keyof typeof limiters)[])(
    "a single runner uses %s to the full",
    (limiter) => {
      const fleet = { limiter, runners: 1, requests: 2400, hasRetryAfter: true };
      for (const { ratio, refused } of run(fleet)) {
        // Of a fixed window, a second one begins within the first of the runner.
        expect(refused).toBe(0);
        expect(ratio).toBeLessThan(1.05);
      }
    },
  );
});

describe("the rate of a process", () => {
  it.each([
    ["600/60s", 600, minute],
    ["600/60", 600, minute],
    ["10/1m", 10, minute],
    ["10/m", 10, minute],
    ["5/s", 5, 1000],
  ])("%s", (text, requests, window) => {
    expect(parseRate(text, "INCIDENT_CLI_RATE")).toEqual({ requests, window });
  });

  it.each(["", "0/60s", "600", "600/", "600/0s", "600/60h", "-1/60s", "1e3/60s", "fast"])(
    "refuses %j",
    (text) => {
      expect(() => parseRate(text, "INCIDENT_CLI_RATE")).toThrow(`INCIDENT_CLI_RATE cannot be "${text}"`);
    },
  );
});
