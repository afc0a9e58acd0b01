// The rate limit of spec 8 as a sliding log of request times, so that no window of that length exceeds the limit.

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/**
 * Returns a function that counts a request at `now` (milliseconds): 0, or the seconds to wait if the request exceeds the
 * limit. Refused requests do not count, so that waiting for the returned time is always enough.
 */
export function createRateLimit({ requests, seconds }: RateLimit): (now: number) => number {
  const counted: number[] = [];
  return (now) => {
    const start = now - seconds * 1000;
    const firstInWindow = counted.findIndex((time) => time > start);
    counted.splice(0, firstInWindow < 0 ? counted.length : firstInWindow);
    if (counted.length >= requests) return Math.max(1, Math.ceil(((counted[0] ?? now) - start) / 1000));
    counted.push(now);
    return 0;
  };
}
