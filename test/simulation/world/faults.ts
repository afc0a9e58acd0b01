// The faults of a run. A scenario gives a budget: how many of each may happen.
export const faultNames = [
  "crash",
  "lost-answer",
  "lost-request",
  "late-request",
  "refusal",
  "bad-gateway",
  "redirect",
  "rate-limit",
  "failed-read",
  "store-ambiguous",
  "store-late",
  "store-unreachable",
] as const;
export type Fault = (typeof faultNames)[number];
export type Budget = Readonly<Partial<Record<Fault, number>>>;
