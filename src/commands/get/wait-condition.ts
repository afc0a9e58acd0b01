// The condition of `--wait-for`: a status, and whether an incident has reached it.
import { expiredLimit, Failure } from "../../failure.ts";
import { type Status, statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";

/** Milliseconds to wait, unless --wait-timeout says otherwise. */
const defaultTimeout = 30 * 60_000;

/** Milliseconds before the end of the wait at which the last read begins, so that it can be answered. */
const lastRead = 1000;

export interface WaitCondition {
  readonly status: Status;
  readonly timeout: number;
  /** Milliseconds from the start of the wait, after which no read begins. */
  readonly lastRead: number;
  isReached(incident: Incident): boolean;
}

/** Accepts the status in any letter case. Throws a `Failure` "usage". */
export function parseWaitCondition(text: string, timeout = defaultTimeout): WaitCondition {
  const status = statuses.find((candidate) => candidate.toLowerCase() === text.toLowerCase());
  if (status === undefined) {
    throw new Failure("usage", `--wait-for: "${text}" is not a status`, {
      hint: withSuggestion(`write one of ${statuses.join(", ")}`, nearest(text, statuses)),
    });
  }
  // Assumption: the spec states no order of the statuses (spec 3). The order of its list is used, so that a deploy
  // that waits for MONITORING also continues when the incident is already RESOLVED.
  const sufficient: readonly (string | undefined)[] = statuses.slice(statuses.indexOf(status));
  return {
    status,
    timeout,
    lastRead: timeout - Math.min(lastRead, timeout / 2),
    isReached: (incident) => sufficient.includes(incidentFacts(incident).status),
  };
}

/** Whether --wait-timeout ended the wait, rather than a person or --deadline. */
export function isTimedOut(signal: AbortSignal): boolean {
  return expiredLimit(signal)?.flag === "--wait-timeout";
}
