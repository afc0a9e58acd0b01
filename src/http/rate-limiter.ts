// Keeps the requests of a command within the service's rate limit (spec 8), which other processes may share.
import { parseRetryAfter, type RetryDeps } from "./retry.ts";
import type { Transport } from "./transport.ts";

/** `requests` in any `window` of milliseconds (spec 8). */
const serviceRate = { requests: 600, window: 60_000 };

type Rate = typeof serviceRate;

/** A pause after a 429. For a window after its end, one request is sent at a time: other processes come back as well. */
export interface Pause {
  readonly until: number;
  /** How many 429 came one after another, each within a window of the pause before it. */
  readonly refusals: number;
}

export const noPause: Pause = { until: Number.NEGATIVE_INFINITY, refusals: 0 };

/** The requests of this process that the service still counts. */
interface Usage {
  readonly inFlight: number;
  /** The times of the answers within the window, oldest first. */
  readonly answers: readonly number[];
}

/** The shortest pause, in milliseconds: after a 429 with a Retry-After, and without one. It doubles with each refusal. */
const shortestPause = { asked: 1000, unasked: 5000 };

const longestPause = 60_000;

/** The wait for the answer to a request in flight, before its capacity is counted again, in milliseconds. */
const recheckInterval = 50;

/** Milliseconds until a request may be sent; 0 for now. */
export function delayFor(rate: Rate, { until }: Pause, { answers, inFlight }: Usage, now: number): number {
  if (now < until) return until - now;
  if (now < until + rate.window && inFlight > 0) return recheckInterval;
  const tooMany = answers.length + inFlight - rate.requests;
  if (tooMany < 0) return 0;
  const last = answers[tooMany];
  return last === undefined ? recheckInterval : last + rate.window - now + 1;
}

interface Refusal {
  readonly sentAt: number;
  /** The milliseconds of its Retry-After. */
  readonly asked: number | undefined;
  /** A random number from 0 to below 1: processes that were refused together do not come back together. */
  readonly fraction: number;
}

/** The pause after a 429. Of several requests that were sent together, the first one decides. */
export function pauseAfter(rate: Rate, last: Pause, now: number, refusal: Refusal): Pause {
  const { asked, fraction, sentAt } = refusal;
  if (sentAt < last.until) return last;
  const refusals = sentAt < last.until + rate.window ? last.refusals + 1 : 1;
  const shortest = asked === undefined ? shortestPause.unasked : shortestPause.asked;
  const pause = Math.min(longestPause, Math.max(asked ?? 0, shortest * 2 ** (refusals - 1)));
  return { until: now + pause * (1 + fraction / 4), refusals };
}

/**
 * A request counts until a whole window after its answer: the service counted it no later than that, so requests
 * that follow this limiter never exceed the service's limit. One that was not sent, or was refused with a 429, does not.
 */
export function withRateLimit(
  transport: Transport,
  { system: { clock, random }, withSpinner }: RetryDeps,
  rate = serviceRate,
): Transport {
  let pause = noPause;
  let inFlight = 0;
  /** On the monotonic clock. */
  const answers: number[] = [];

  function delay(): number {
    const now = clock.monotonic();
    const firstCurrent = answers.findIndex((at) => at > now - rate.window);
    if (firstCurrent !== 0) answers.splice(0, firstCurrent < 0 ? answers.length : firstCurrent);
    return delayFor(rate, pause, { inFlight, answers }, now);
  }

  /** Waits for the turn of a request, shows the reason of a long wait, and takes the turn at once. */
  async function takeTurn(signal: AbortSignal | undefined): Promise<boolean> {
    for (let milliseconds = delay(); milliseconds > 0; milliseconds = delay()) {
      const say = () => `keeping to the rate limit for ${Math.ceil(milliseconds / 1000)} s`;
      await withSpinner(say, () => clock.sleep(milliseconds, signal));
      if (signal?.aborted) return false;
    }
    inFlight += 1;
    return true;
  }

  return async (request, control) => {
    if (!(await takeTurn(control.signal)))
      return { phase: "unsent", reason: "cancelled", detail: "cancelled while waiting for the rate limit" };
    try {
      const sentAt = clock.monotonic();
      const outcome = await transport(request, control);
      if (outcome.phase === "answered" && outcome.status === 429) {
        const asked = parseRetryAfter(outcome.headers, clock.now());
        pause = pauseAfter(rate, pause, clock.monotonic(), { asked, fraction: random.fraction(), sentAt });
      } else if (outcome.phase !== "unsent") answers.push(clock.monotonic());
      return outcome;
    } finally {
      inFlight -= 1;
    }
  };
}
