// Keeps all requests of a command within the service's rate limit (spec 8). A 429 shows that the limit is lower or
// shared with others; it slows all requests down together.
import type { Reporter, System } from "../platform/context.ts";
import { longestWait, parseRetryAfter } from "./retry.ts";
import type { Outcome, Transport } from "./transport.ts";

/** `requests` in any `window` of milliseconds. */
export interface Rate {
  readonly requests: number;
  readonly window: number;
}

/** Spec 8: 600 requests every 60 seconds. */
export const documentedRate: Rate = { requests: 600, window: 60_000 };

/** A 429 after more requests than this means a lower limit; after fewer, that others use the same key. */
const fewestForLowerLimit = 20;

/** The pause after a 429 without a Retry-After, in milliseconds. */
const defaultPause = 5000;

/** The wait for the answer to a request in flight, before its capacity is counted again, in milliseconds. */
const recheckInterval = 50;

export interface RateLimiterOptions {
  readonly clock: System["clock"];
  readonly rate: Rate;
  /** Waits, and shows the reason. Ends at once when `signal` is aborted. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface RateLimiter {
  /** Wraps a transport so that each request waits until the rate permits it. */
  limit(transport: Transport): Transport;
  /** Waits until the rate permits `requests`, or `signal` is aborted. Returns the number that it permits then. */
  waitForCapacity(requests: number, signal: AbortSignal): Promise<number>;
}

/**
 * A request counts until a whole window after its answer: the service counted it no later than that, so requests
 * that follow this limiter never exceed the service's limit.
 */
export function createRateLimiter({ clock, pause, rate }: RateLimiterOptions): RateLimiter {
  let limit = rate.requests;
  let inFlight = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  /** The times of the answers within the window, oldest first, on the monotonic clock. */
  const answerTimes: number[] = [];

  function capacity(now: number): number {
    const firstCurrent = answerTimes.findIndex((at) => at > now - rate.window);
    if (firstCurrent !== 0) answerTimes.splice(0, firstCurrent < 0 ? answerTimes.length : firstCurrent);
    return limit - answerTimes.length - inFlight;
  }

  /** Milliseconds until the rate permits `requests`; 0 for now. */
  function delayFor(now: number, requests = 1): number {
    if (pausedUntil > now) return pausedUntil - now;
    const missing = Math.min(requests, limit) - capacity(now);
    if (missing <= 0) return 0;
    const last = answerTimes[missing - 1];
    return last === undefined ? recheckInterval : last + rate.window - now + 1;
  }

  function slowDown(outcome: Outcome): void {
    if (outcome.phase !== "answered" || outcome.status !== 429) return;
    const asked = parseRetryAfter(outcome.headers, clock.now()) ?? defaultPause;
    pausedUntil = Math.max(pausedUntil, clock.monotonic() + Math.min(asked, longestWait));
    const own = answerTimes.length + inFlight;
    if (own > fewestForLowerLimit) limit = Math.min(limit, Math.floor(own * 0.9));
  }

  return {
    limit: (transport) => async (request, control) => {
      for (;;) {
        const delay = delayFor(clock.monotonic());
        if (delay === 0) break;
        await pause(delay, control.signal);
        if (control.signal?.aborted) {
          return {
            phase: "unsent",
            reason: "cancelled",
            detail: "cancelled while waiting for the rate limit",
          };
        }
      }
      inFlight += 1;
      try {
        const outcome = await transport(request, control);
        slowDown(outcome);
        return outcome;
      } finally {
        inFlight -= 1;
        answerTimes.push(clock.monotonic());
      }
    },
    async waitForCapacity(requests, signal) {
      for (;;) {
        const delay = delayFor(clock.monotonic(), requests);
        if (delay === 0 || signal.aborted) return capacity(clock.monotonic());
        await pause(delay, signal);
      }
    },
  };
}

/** Pauses with the clock, and shows a person the reason. */
export function createRatePause(
  clock: System["clock"],
  { progress }: Pick<Reporter, "progress">,
): RateLimiterOptions["pause"] {
  return async (milliseconds, signal) => {
    progress(`keeping to the rate limit; going on in ${Math.ceil(milliseconds / 1000)} s`);
    await clock.sleep(milliseconds, signal);
    progress("");
  };
}
