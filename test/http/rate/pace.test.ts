// The pace of requests: its decisions one by one.
import { describe, expect, it } from "vitest";
import { delayFor, noPause, type Pause, pauseAfter } from "../../../src/http/rate-limiter.ts";

const minute = 60_000;
const rate = { requests: 600, window: minute };
const idle = { inFlight: 0, answers: [] };

/** The pause after a 429 at `now`, by default to a request that was sent then. */
const refused = (pause: Pause, now: number, asked?: number, sentAt = now) =>
  pauseAfter(rate, pause, now, { asked, fraction: 0, sentAt });

describe("the pace", () => {
  it("permits a whole window at once before the first 429", () => {
    expect(delayFor(rate, noPause, { inFlight: 599, answers: [] }, 0)).toBe(0);
    expect(delayFor(rate, noPause, { inFlight: 0, answers: Array(600).fill(10) }, 20)).toBe(minute - 9);
  });

  it("after a 429 waits as long as it is asked, then sends one request at a time for a window", () => {
    const pause = refused(noPause, 1000, 30_000);
    const delay = (inFlight: number, now: number) => delayFor(rate, pause, { inFlight, answers: [] }, now);
    expect([delay(0, 1000), delay(0, 31_000), delay(599, 31_000 + minute)]).toEqual([30_000, 0, 0]);
    expect(delay(1, 31_000)).toBeGreaterThan(0);
  });

  it("counts one refusal for the requests that were on their way together", () => {
    const first = refused(noPause, 100, 30_000, 0);
    expect(refused(first, 101, 30_000, 50)).toBe(first);
  });

  it("waits twice as long for each refusal within a window, at most a minute", () => {
    let pause = noPause;
    const waits: number[] = [];
    for (let now = 0; waits.length < 6; ) {
      pause = refused(pause, now);
      waits.push(delayFor(rate, pause, idle, now));
      now += waits.at(-1) ?? 0;
    }
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000, minute, minute]);
    expect(delayFor(rate, refused(pause, 1_000_000), idle, 1_000_000)).toBe(5000);
  });

  it("does not bring processes back together that were refused together", () => {
    const waits = [0, 0.5, 0.9].map((fraction) =>
      delayFor(rate, pauseAfter(rate, noPause, 0, { asked: 20_000, fraction, sentAt: 0 }), idle, 0),
    );
    expect(waits).toEqual([20_000, 22_500, 24_500]);
  });
});
