// The faults of a run, and the other events that happen now and then. A scenario gives a budget: how many of each may
// happen.
export const faultNames = [
  "crash",
  "lost-answer",
  "lost-request",
  "late-request",
  "late-commit",
  "stale-read",
  "refusal",
  "refused-commit",
  "conflict",
  "refused-read",
  "bad-gateway",
  "empty-success",
  "server-error",
  "redirect",
  "rate-limit",
  "resolution",
  "other-update",
  "equal-update",
  "equal-incident",
  "failed-read",
  "store-ambiguous",
  "store-late",
  "store-unreachable",
  "signal",
  "deletion",
  "pause",
] as const;
export type Fault = (typeof faultNames)[number];
export type Budget = Readonly<Partial<Record<Fault, number>>>;
