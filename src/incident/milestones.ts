// The times of an incident that a post-mortem needs, from the timestamps of its own updates.
import type { IncidentFacts } from "./wire.ts";

export interface Milestones {
  /** Milliseconds from the first update to the first one with IDENTIFIED. */
  readonly toIdentify: number | undefined;
  /** Milliseconds from the first update to the last one, if that is RESOLVED. */
  readonly toResolve: number | undefined;
}

/**
 * Undefined values where the incident does not say: a status is missing, or a timestamp is only a day. `instantOf` parses
 * a timestamp to milliseconds since the epoch.
 */
export function milestonesOf(
  { updates }: Pick<IncidentFacts, "updates">,
  instantOf: (text: string) => number | undefined,
): Milestones {
  const timed = updates.map(({ at = "", status }) => ({ at: instantOf(at), status }));
  const known = timed.flatMap(({ at, status }) => (at === undefined ? [] : [{ at, status }]));
  if (known.length < timed.length) return { toIdentify: undefined, toResolve: undefined };
  known.sort((one, other) => one.at - other.at);
  const start = known[0]?.at ?? 0;
  const last = known.at(-1);
  const identified = known.find(({ status }) => status === "IDENTIFIED");
  return {
    toIdentify: identified && identified.at - start,
    toResolve: last?.status === "RESOLVED" ? last.at - start : undefined,
  };
}
