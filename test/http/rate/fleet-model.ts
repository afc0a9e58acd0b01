// A model of many processes that share one rate limit and know nothing of each other: the functions of rate-limiter.ts against
// the limiters that services have, on a simulated clock.
import { delayFor, noPause, pauseAfter, type Rate } from "../../../src/http/rate-limiter.ts";
import { createDice } from "../../delivery/dice.ts";

/** Milliseconds until a request may be sent again; 0 where it is accepted. */
type Limiter = (now: number) => number;

const limit = 600;
const minute = 60_000;
const inSeconds = (milliseconds: number) => Math.max(1000, Math.ceil(milliseconds / 1000) * 1000);

/** The kinds of limiters that services have. Refused requests do not count. */
export const limiters = {
  "a sliding window": (): Limiter => {
    const counted: number[] = [];
    return (now) => {
      while (counted[0] !== undefined && counted[0] <= now - minute) counted.shift();
      if (counted.length >= limit) return inSeconds((counted[0] as number) + minute - now);
      counted.push(now);
      return 0;
    };
  },
  "a fixed window": (): Limiter => {
    let window = -1;
    let count = 0;
    return (now) => {
      const current = Math.floor(now / minute);
      if (current !== window) count = 0;
      window = current;
      if (count >= limit) return inSeconds((current + 1) * minute - now);
      count += 1;
      return 0;
    };
  },
  "a token bucket": (): Limiter => {
    let tokens = limit;
    let filledAt = 0;
    return (now) => {
      tokens = Math.min(limit, tokens + ((now - filledAt) * limit) / minute);
      filledAt = now;
      if (tokens < 1) return 1000;
      tokens -= 1;
      return 0;
    };
  },
} satisfies Record<string, () => Limiter>;

export interface Fleet {
  readonly runners: number;
  /** Of each runner. */
  readonly requests: number;
  readonly limiter: keyof typeof limiters;
  /** Whether a 429 says when to come back. */
  readonly hasRetryAfter: boolean;
  readonly seed: number;
  /** What each runner takes for its share. */
  readonly rate?: Rate;
}

export interface FleetResult {
  /** Milliseconds until the last request was accepted. */
  readonly took: number;
  readonly refused: number;
  /** The most refusals of one request. */
  readonly mostRefusals: number;
}

/** The requests of a runner that are on their way, or wait for their turn, at a time. */
const concurrency = 16;

export function runFleet({ hasRetryAfter, limiter, rate, requests, runners, seed }: Fleet): FleetResult {
  const { roll: random } = createDice(seed);
  const take = limiters[limiter]();
  const events = createEvents();
  const result = { took: 0, refused: 0, mostRefusals: 0 };
  for (let runner = 0; runner < runners; runner += 1) {
    const own = rate ?? { requests: limit, window: minute };
    let pause = noPause;
    const answers: number[] = [];
    let inFlight = 0;
    let left = requests;
    const next = () => {
      if (left === 0) return;
      left -= 1;
      attempt(0);
    };
    const attempt = (refusals: number) => {
      while (answers[0] !== undefined && answers[0] <= events.now() - minute) answers.shift();
      const delay = delayFor(own, pause, { inFlight, answers }, events.now());
      if (delay > 0) return events.after(delay, () => attempt(refusals));
      const sentAt = events.now();
      inFlight += 1;
      const latency = 20 + random() * 60;
      events.after(latency, () => {
        const wait = take(events.now());
        events.after(latency, () => answer(wait, sentAt, refusals));
      });
    };
    const answer = (wait: number, sentAt: number, refusals: number) => {
      const now = events.now();
      inFlight -= 1;
      if (wait === 0) {
        answers.push(now);
        result.took = now;
        return next();
      }
      const asked = hasRetryAfter ? wait : undefined;
      pause = pauseAfter(own, pause, now, { sentAt, asked, fraction: random() });
      result.refused += 1;
      result.mostRefusals = Math.max(result.mostRefusals, refusals + 1);
      events.after(asked ?? Math.min(minute, 1000 * 2 ** refusals) * random(), () => attempt(refusals + 1));
    };
    const start = random() * 3000;
    for (let worker = 0; worker < concurrency; worker += 1) events.after(start, next);
  }
  events.run();
  return result;
}

/** Events in the order of their times, on a clock that jumps to the next. */
function createEvents() {
  const heap: { readonly at: number; readonly happen: () => void }[] = [];
  let now = 0;
  const time = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] as (typeof heap)[0], heap[a] as (typeof heap)[0]];
  };
  return {
    now: () => now,
    after(milliseconds: number, happen: () => void) {
      let index = heap.push({ at: now + milliseconds, happen }) - 1;
      for (
        let parent = (index - 1) >> 1;
        index > 0 && time(parent) > time(index);
        parent = (index - 1) >> 1
      ) {
        swap(index, parent);
        index = parent;
      }
    },
    run() {
      while (heap.length > 0) {
        swap(0, heap.length - 1);
        const first = heap.pop();
        for (let index = 0; ; ) {
          const [left, right] = [2 * index + 1, 2 * index + 2];
          const smallest = time(right) < time(left) ? right : left;
          if (time(smallest) >= time(index)) break;
          swap(index, smallest);
          index = smallest;
        }
        now = first?.at ?? now;
        first?.happen();
      }
    },
  };
}
