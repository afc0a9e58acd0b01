// Keeps all requests of a command within the service's rate limit (spec 8): carries out the decisions of pace.ts.
import type { Reporter, System } from "../platform/context.ts";
import {
  afterAccepted,
  afterLimited,
  afterSend,
  delayFor,
  type Rate,
  startPace,
  type Usage,
} from "./pace.ts";
import { parseRetryAfter } from "./retry.ts";
import type { Outcome, Transport } from "./transport.ts";

export interface RateLimiterOptions {
  readonly clock: System["clock"];
  readonly random: Pick<System["random"], "fraction">;
  readonly rate: Rate;
  readonly progress: Reporter["progress"];
}

/**
 * A request counts until a whole window after its answer: the service counted it no later than that, so requests
 * that follow this limiter never exceed the service's limit.
 */
export function withRateLimit(
  transport: Transport,
  { clock, progress, random, rate }: RateLimiterOptions,
): Transport {
  let pace = startPace(rate);
  let inFlight = 0;
  /** The times of the answers within the window, oldest first, on the monotonic clock. */
  const answers: number[] = [];

  function usage(now: number): Usage {
    const firstCurrent = answers.findIndex((at) => at > now - rate.window);
    if (firstCurrent !== 0) answers.splice(0, firstCurrent < 0 ? answers.length : firstCurrent);
    return { inFlight, answers };
  }

  function delay(): number {
    const now = clock.monotonic();
    return delayFor(pace, usage(now), now);
  }

  function learn(outcome: Outcome, sentAt: number): boolean {
    if (outcome.phase !== "answered") return false;
    if (outcome.status !== 429) {
      pace = afterAccepted(pace);
      return false;
    }
    const asked = parseRetryAfter(outcome.headers, clock.now());
    pace = afterLimited(pace, clock.monotonic(), { asked, fraction: random.fraction(), sentAt });
    return true;
  }

  /** Waits, and shows the reason of a long wait. Ends at once when `signal` is aborted. */
  async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const isLong = milliseconds >= 1000;
    if (isLong) progress(`keeping to the rate limit; going on in ${Math.ceil(milliseconds / 1000)} s`);
    await clock.sleep(milliseconds, signal);
    if (isLong) progress("");
  }

  /** Waits for the turn of a request, and takes it at once. Returns false if `signal` is aborted first. */
  async function waitForTurn(signal: AbortSignal | undefined): Promise<boolean> {
    for (let milliseconds = delay(); milliseconds > 0; milliseconds = delay()) {
      await pause(milliseconds, signal);
      if (signal?.aborted) return false;
    }
    pace = afterSend(pace, clock.monotonic());
    inFlight += 1;
    return true;
  }

  return async (request, control) => {
    if (!(await waitForTurn(control.signal))) {
      return {
        phase: "unsent",
        reason: "cancelled",
        detail: "cancelled while waiting for the rate limit",
      };
    }
    let isCounted = false;
    try {
      // Nothing else may wait between this call and the request.
      await control.onPermitted?.();
      const sentAt = clock.monotonic();
      isCounted = true;
      const outcome = await transport(request, control);
      isCounted = !learn(outcome, sentAt);
      return outcome;
    } finally {
      inFlight -= 1;
      if (isCounted) answers.push(clock.monotonic());
    }
  };
}
