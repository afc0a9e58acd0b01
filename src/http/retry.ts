// Whether and when a request is sent again: pure rules, and the wrapper that follows them. A create is sent
// again only where nothing can have come of the first.
import type { Context } from "../platform/context.ts";
import type { Answered, Outcome, Transport } from "./transport.ts";

/** How often a request is sent again, unless --max-retries says otherwise. */
export const defaultMaxRetries = 4;

/** A longer wait than this is the caller's to decide: the request ends and says when to come back. */
export const longestWait = 60_000;

/** No retry of a read begins later than this after its first attempt, however short the waits are. */
const patience = 120_000;

const firstBackoff = 500;

/**
 * Milliseconds that an answer's Retry-After asks for: seconds, or a date that is measured against the answer's
 * own Date, since this machine's clock may be wrong. Undefined where there is none that can be read.
 */
export function parseRetryAfter(headers: Answered["headers"], now: number): number | undefined {
  const value = headers["retry-after"]?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  if (Number.isNaN(at) || !/[a-z]/i.test(value)) return undefined;
  const answered = Date.parse(headers.date ?? "");
  return Math.max(0, at - (Number.isNaN(answered) ? now : answered));
}

/** Whether the same request can be sent again without any risk. */
export function isRepeatable(method: "GET" | "POST", outcome: Outcome): boolean {
  switch (outcome.phase) {
    case "unsent":
      return !["cancelled", "certificate", "proxy-login"].includes(outcome.reason);
    case "unanswered":
      return method === "GET" && outcome.reason !== "cancelled";
    case "answered":
      if (outcome.status === 429) return true;
      if (method === "POST") return false;
      if (outcome.bodyError !== undefined)
        return outcome.bodyError === "truncated" || outcome.bodyError === "timeout";
      return outcome.status >= 500 || outcome.status === 408;
  }
}

export interface Attempt {
  readonly method: "GET" | "POST";
  /** 1 for the first. */
  readonly number: number;
  readonly maxRetries: number;
  /** At least 0, below 1; spreads the clients of a service that comes back. */
  readonly fraction: number;
  readonly now: number;
}

/** Milliseconds until the next attempt; undefined when this outcome is the last. */
export function retryDelay(outcome: Outcome, attempt: Attempt): number | undefined {
  if (attempt.number > attempt.maxRetries || !isRepeatable(attempt.method, outcome)) return undefined;
  const asked = outcome.phase === "answered" ? parseRetryAfter(outcome.headers, attempt.now) : undefined;
  if (asked !== undefined) return asked <= longestWait ? asked : undefined;
  const ceiling = Math.min(longestWait, firstBackoff * 2 ** attempt.number);
  return Math.round(ceiling * attempt.fraction);
}

/** Why there is a wait and for how long, for a person who looks on. */
export function describeWait(outcome: Outcome, milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (outcome.phase !== "answered") return `${outcome.detail}; trying again in ${seconds} s`;
  const why = outcome.status === 429 ? "rate limited" : `the service answered ${outcome.status}`;
  return `${why}; sending again in ${seconds} s`;
}

/** How a request ended that was to be sent again, and was not. */
export const cancelledWhileWaiting: Outcome = {
  phase: "unsent",
  reason: "cancelled",
  detail: "cancelled while waiting to send again",
};

export interface RetryOptions extends Pick<Context, "clock" | "random"> {
  readonly maxRetries: number;
  /** Waits, and says why and for how long. Ends at once when `signal` is aborted. */
  readonly waitForRetry: (outcome: Outcome, milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** Wraps an transport so that reads are retried; everything else passes through once. */
export function withRetries(
  transport: Transport,
  { clock, random, maxRetries, waitForRetry }: RetryOptions,
): Transport {
  return async (request, control) => {
    if (request.method !== "GET") return transport(request, control);
    const start = clock.monotonic();
    let left = control.budget ?? Number.POSITIVE_INFINITY;
    for (let number = 1; ; number += 1) {
      const deadline = Math.max(1, Math.min(control.deadline, left));
      const begun = clock.monotonic();
      const outcome = await transport(request, { ...control, deadline });
      left -= Math.min(clock.monotonic() - begun, deadline);
      const now = clock.now();
      const attempt = { method: request.method, number, maxRetries, fraction: random.fraction(), now };
      const delay = retryDelay(outcome, attempt);
      if (delay === undefined || clock.monotonic() + delay - start > patience) return outcome;
      // A service that asks for patience can be read.
      if (outcome.phase !== "answered" || outcome.status !== 429) left -= delay;
      if (left <= 0) return outcome;
      await waitForRetry(outcome, delay, control.signal);
      if (control.signal?.aborted) return cancelledWhileWaiting;
    }
  };
}
