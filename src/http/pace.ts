// How many requests a process may send: a value, and pure functions of it and the time. A 429 halves the limit, and
// it recovers by the same amount in every window, so that processes that know nothing of each other share a limit.
import { Failure } from "../failure.ts";

/** `requests` in any `window` of milliseconds. */
export interface Rate {
  readonly requests: number;
  readonly window: number;
}

export interface Pace {
  readonly rate: Rate;
  /** The requests of a window after the last 429; `rate.requests` before the first. */
  readonly lowered: number;
  readonly loweredAt: number;
  /** No request is sent before this time. The limit recovers from then on. */
  readonly pausedUntil: number;
  /** The time of the next request while the limit is below the permitted rate: requests are then spread evenly. */
  readonly nextAt: number;
  readonly refusals: number;
}

/** The requests of this process that the service still counts. */
export interface Usage {
  readonly inFlight: number;
  /** The times of the answers within the window, oldest first. */
  readonly answers: readonly number[];
}

/** The amount by which the limit recovers in a window, as a part of the permitted rate. */
const recovery = 1 / 5;

/** The lowest limit, as a part of the permitted rate. */
const lowest = 1 / 120;

/** The first pause after a 429 without a Retry-After, in milliseconds; each further one doubles it. */
const firstPause = 5000;

/** The first pause after a 429 with a Retry-After that is shorter, in milliseconds; each further one doubles it. */
const shortestPause = 1000;

/** The limit is lowered once in this time, in milliseconds, or in the time that the service asks for. */
const shortestSpacing = 5000;

const longestPause = 60_000;

/** The most of jitter after a pause, in milliseconds. */
const longestJitter = 5000;

/** The wait for the answer to a request in flight, before its capacity is counted again, in milliseconds. */
const recheckInterval = 50;

const never = Number.NEGATIVE_INFINITY;

export function startPace(rate: Rate): Pace {
  return { rate, lowered: rate.requests, loweredAt: never, pausedUntil: never, nextAt: never, refusals: 0 };
}

function limitAt({ lowered, pausedUntil, rate }: Pace, now: number): number {
  if (lowered >= rate.requests) return rate.requests;
  const windows = Math.max(0, now - pausedUntil) / rate.window;
  return Math.min(rate.requests, lowered + recovery * rate.requests * windows);
}

/** Milliseconds until a request may be sent; 0 for now. */
export function delayFor(pace: Pace, { answers, inFlight }: Usage, now: number): number {
  const limit = limitAt(pace, now);
  const wait = Math.max(pace.pausedUntil, limit < pace.rate.requests ? pace.nextAt : never) - now;
  if (wait > 0) return wait;
  const permitted = Math.max(1, Math.floor(limit));
  const missing = 1 - (permitted - answers.length - inFlight);
  if (missing <= 0) return 0;
  const last = answers[missing - 1];
  return last === undefined ? recheckInterval : last + pace.rate.window - now + 1;
}

export function afterSend(pace: Pace, now: number): Pace {
  const limit = limitAt(pace, now);
  if (limit >= pace.rate.requests) return pace;
  return { ...pace, nextAt: Math.max(now, pace.nextAt) + pace.rate.window / limit };
}

export interface Limited {
  /** When the refused request was sent. */
  readonly sentAt: number;
  readonly asked: number | undefined;
  /** A random number from 0 to below 1: processes that were refused together do not come back together. */
  readonly fraction: number;
}

export function afterAccepted(pace: Pace): Pace {
  return pace.refusals === 0 ? pace : { ...pace, refusals: 0 };
}

/** The pace after a 429. Of several requests that were sent together, only one lowers the limit. */
export function afterLimited(pace: Pace, now: number, { asked, fraction, sentAt }: Limited): Pace {
  const { loweredAt, pausedUntil, rate } = pace;
  const isNew = sentAt >= pausedUntil;
  const refusals = isNew ? pace.refusals + 1 : pace.refusals;
  const backoff = (asked === undefined ? firstPause : shortestPause) * 2 ** Math.max(0, refusals - 1);
  const pause = Math.min(longestPause, Math.max(asked ?? 0, backoff));
  const jitter = fraction * Math.min(longestJitter, pause / 4);
  const spacing = asked === undefined ? rate.window : Math.min(rate.window, Math.max(shortestSpacing, asked));
  const isLowered = isNew && now - loweredAt >= spacing;
  const limit = limitAt(pace, now);
  return {
    ...pace,
    refusals,
    lowered: isLowered ? Math.max(1, limit / 2, rate.requests * lowest) : limit,
    loweredAt: isLowered ? now : loweredAt,
    pausedUntil: Math.max(pausedUntil, now + pause + jitter),
  };
}

/** `origin` names the flag or the variable in the message. Throws a `Failure` "usage". */
export function parseRate(text: string, origin: string): Rate {
  const [, requests, count, unit = "s"] = /^([1-9]\d{0,6})\/([1-9]\d{0,4})?(s|m)?$/.exec(text) ?? [];
  const window = Number(count ?? 1) * (unit === "m" ? 60_000 : 1000);
  if (requests !== undefined && text.at(-1) !== "/") return { requests: Number(requests), window };
  throw new Failure("usage", `${origin} cannot be "${text}"`, {
    hint: "write requests and a time, such as 600/60s",
  });
}
