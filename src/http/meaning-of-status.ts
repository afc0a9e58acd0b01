// What the status of an answer says about a write, such as a create: whether it took effect. The body can say more.

/** "unclear": the write may have taken effect. "conflict": its id exists. */
export function meaningOfStatus(status: number): "conflict" | "rate-limited" | "refused" | "unclear" {
  if (status === 429) return "rate-limited";
  if (status === 409) return "conflict";
  // A gateway that gave up waiting.
  if (status === 408 || status === 499) return "unclear";
  // 307 and 308 ask for the same request elsewhere. The other redirects are also how a write that succeeded is answered.
  if (status === 307 || status === 308) return "refused";
  return status >= 400 && status < 500 ? "refused" : "unclear";
}

/** 500 and 503 come from the service, rarely after a commit. 502 and 504 come from a gateway in front of it. */
export function isServersOwnError(status: number | undefined): boolean {
  return status === 500 || status === 503;
}
