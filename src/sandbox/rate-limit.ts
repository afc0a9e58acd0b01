// The rate limit of spec 8 as a sliding log: it remembers when each counted request came, so that no window's
// edge ever lets more through than the limit says.

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface RateLimiter {
  /** Counts a request at `now` (milliseconds) and gives 0, or the seconds to wait when it is one too many. */
  take(now: number): number;
}

/** Requests that are refused are not counted, so that waiting as long as asked is always enough. */
export function createRateLimiter({ requests, seconds }: RateLimit): RateLimiter {
  const counted: number[] = [];
  return {
    take(now) {
      const start = now - seconds * 1000;
      const gone = counted.findIndex((time) => time > start);
      counted.splice(0, gone < 0 ? counted.length : gone);
      if (counted.length < requests) {
        counted.push(now);
        return 0;
      }
      return Math.max(1, Math.ceil(((counted[0] ?? now) - start) / 1000));
    },
  };
}

/** Reads `600/60`: requests, and the seconds of the window. A problem is a phrase for a person. */
export function parseRateLimit(text: string): RateLimit | { readonly problem: string } {
  const [, requests, seconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  if (requests !== undefined) return { requests: Number(requests), seconds: Number(seconds) };
  return { problem: `"${text}" is not REQUESTS/SECONDS, as in 600/60` };
}
