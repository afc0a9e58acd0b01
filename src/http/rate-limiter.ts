// Keeps all requests of a command to the service's rate (spec 8), whoever sends them, and slows all of them down
// together when a 429 says that the limit is lower or shared.
import type { Context } from "../platform/context.ts";
import { longestWait, parseRetryAfter } from "./retry.ts";
import type { Transport } from "./transport.ts";

/** `requests` in any `window` of milliseconds. */
export interface Rate {
  readonly requests: number;
  readonly window: number;
}

/** Spec 8: 600 requests every 60 seconds. */
export const documentedRate: Rate = { requests: 600, window: 60_000 };

/** A 429 after more requests than this tells that the limit is lower; after fewer, that others use the same key. */
const telling = 20;

/** A pause after a 429 that does not say how long. */
const unknownPause = 5000;

/** Why there is a pause, for a person who looks on. */
export function describePause(milliseconds: number): string {
  return `keeping to the rate limit; going on in ${Math.ceil(milliseconds / 1000)} s`;
}

export interface RateLimitOptions extends Pick<Context, "clock"> {
  readonly rate: Rate;
  /** Waits, and says why. Ends at once when `signal` is aborted. */
  readonly pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface RateLimited {
  readonly transport: Transport;
  /** Waits until at least `requests` may leave without waiting, or `signal` is aborted; gives how many may. */
  waitForCapacity(requests: number, signal: AbortSignal): Promise<number>;
}

/**
 * Wraps an transport. A request counts for the whole window after its answer came: the service can have counted it
 * no later than that, so requests that keep to this are never too many for it.
 */
export function withRateLimit(transport: Transport, { clock, pause, rate }: RateLimitOptions): RateLimited {
  let limit = rate.requests;
  let underWay = 0;
  let pausedUntil = 0;
  /** When answers came, oldest first. */
  const answered: number[] = [];

  function left(now: number): number {
    // Where the clock was set back, all counts from now, so that nothing is waited for longer than a window.
    if ((answered.at(-1) ?? now) > now) answered.fill(now);
    const current = answered.findIndex((at) => at > now - rate.window);
    if (current !== 0) answered.splice(0, current < 0 ? answered.length : current);
    return limit - answered.length - underWay;
  }

  /** Milliseconds until so many requests may leave; 0 for now. */
  function waitFor(now: number, requests = 1): number {
    // Never longer than the longest pause, should the clock be set back.
    if (pausedUntil > now) return Math.min(pausedUntil - now, longestWait);
    const missing = Math.min(requests, limit) - left(now);
    if (missing <= 0) return 0;
    const last = answered[missing - 1];
    return last === undefined ? 50 : last + rate.window - now + 1;
  }

  const paced: Transport = async (request, control) => {
    for (;;) {
      const wait = waitFor(clock.now());
      if (wait === 0) break;
      await pause(wait, control.signal);
      if (control.signal?.aborted) {
        return { phase: "unsent", reason: "cancelled", detail: "cancelled while waiting for the rate limit" };
      }
    }
    underWay += 1;
    try {
      const outcome = await transport(request, control);
      if (outcome.phase === "answered" && outcome.status === 429) {
        const asked = parseRetryAfter(outcome.headers, clock.now()) ?? unknownPause;
        pausedUntil = Math.max(pausedUntil, clock.now() + Math.min(asked, longestWait));
        const own = answered.length + underWay;
        if (own > telling) limit = Math.min(limit, Math.floor(own * 0.9));
      }
      return outcome;
    } finally {
      underWay -= 1;
      answered.push(clock.now());
    }
  };
  return {
    transport: paced,
    async waitForCapacity(requests, signal) {
      for (;;) {
        const wait = waitFor(clock.now(), requests);
        if (wait === 0 || signal.aborted) return left(clock.now());
        await pause(wait, signal);
      }
    },
  };
}
