// Decides in pure functions whether and when a request is sent again: a create, only where the first one had no effect.
import { expiredLimit } from "../failure.ts";
import type { Reporter, System } from "../platform/context.ts";
import type { Answered, Outcome, Transport, WireRequest } from "./transport.ts";

export const defaultMaxRetries = 4;

/** The longest wait within a command, in milliseconds. For a longer Retry-After the request ends and reports it. */
const longestWait = 60_000;

/** Milliseconds after the first attempt of a read in which retries may begin, except after a 429. */
const retryWindow = 120_000;

/** Half of the longest first backoff, in milliseconds. Each further one is up to twice as long. */
const baseBackoff = 500;

/**
 * Milliseconds, from seconds or from a date, which counts from the answer's own Date because this machine's clock may be wrong.
 * Undefined for a missing or malformed header.
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

export function isRepeatable(method: WireRequest["method"], outcome: Outcome): boolean {
  switch (outcome.phase) {
    case "unsent":
      return !["cancelled", "tls", "proxy-login"].includes(outcome.reason);
    case "unanswered":
      return method === "GET" && outcome.reason !== "cancelled";
    case "answered":
      if (outcome.status === 429) return true;
      if (method !== "GET") return false;
      if (outcome.bodyError !== undefined)
        return outcome.bodyError === "truncated" || outcome.bodyError === "timeout";
      return outcome.status >= 500 || outcome.status === 408;
  }
}

interface Attempt {
  readonly method: WireRequest["method"];
  readonly number: number;
  readonly maxRetries: number;
  /** Random, at least 0 and below 1: full jitter, which spreads the clients of a recovering service. */
  readonly fraction: number;
  readonly now: number;
}

export function retryDelay(outcome: Outcome, attempt: Attempt): number | undefined {
  if (attempt.number > attempt.maxRetries || !isRepeatable(attempt.method, outcome)) return undefined;
  const asked = outcome.phase === "answered" ? parseRetryAfter(outcome.headers, attempt.now) : undefined;
  if (asked !== undefined) return asked <= longestWait ? asked : undefined;
  const ceiling = Math.min(longestWait, baseBackoff * 2 ** attempt.number);
  return Math.round(ceiling * attempt.fraction);
}

export interface RetryDeps extends Pick<Reporter, "withSpinner"> {
  readonly system: Pick<System, "clock" | "random">;
}

/** Wraps a transport so that reads are retried after a delay. Any other request passes through once. */
export function withRetries(transport: Transport, context: RetryDeps, maxRetries: number): Transport {
  const { clock, random } = context.system;
  return async (request, control) => {
    if (request.method !== "GET") return transport(request, control);
    const start = clock.monotonic();
    let left = control.budget ?? Number.POSITIVE_INFINITY;
    for (let number = 1; ; number += 1) {
      const deadline = Math.max(1, Math.min(control.deadline, left));
      let begun = clock.monotonic();
      const beforeSend = () => {
        begun = clock.monotonic();
      };
      const outcome = await transport(request, { ...control, deadline, beforeSend });
      left -= Math.min(clock.monotonic() - begun, deadline);
      const now = clock.now();
      const attempt = { method: request.method, number, maxRetries, fraction: random.fraction(), now };
      const delay = retryDelay(outcome, attempt);
      if (delay === undefined) return outcome;
      // After a 429 the service can be read, so only the number of attempts ends the retries.
      if (outcome.phase !== "answered" || outcome.status !== 429) {
        if (clock.monotonic() + delay - start > retryWindow) return outcome;
        left -= delay;
      }
      if (left <= 0) return outcome;
      await waitForRetry(context, outcome, delay, control.signal);
      // At a time limit, the last outcome says more than the limit.
      if (expiredLimit(control.signal)) return outcome;
      if (control.signal?.aborted)
        return { phase: "unsent", reason: "cancelled", detail: "cancelled while waiting to send again" };
    }
  };
}

/** Waits before a retry and shows the reason, and ends at once when `signal` is aborted. */
export function waitForRetry(
  { system: { clock }, withSpinner }: RetryDeps,
  outcome: Outcome,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const until = clock.monotonic() + milliseconds;
  const status = outcome.phase === "answered" ? outcome.status : undefined;
  const answered = status === 429 ? "rate limited" : `the service answered ${status}`;
  const why = outcome.phase === "answered" ? answered : outcome.detail;
  const say = () => `${why}; trying again in ${Math.ceil((until - clock.monotonic()) / 1000)} s`;
  return withSpinner(say, () => clock.sleep(milliseconds, signal), "noted");
}
