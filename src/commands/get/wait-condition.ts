// The condition of `--wait-for`: a status, and whether an incident has reached it.
import { Failure } from "../../failure.ts";
import { type Status, statuses } from "../../incident/definition.ts";
import { nearest, withSuggestion } from "../../incident/rules.ts";
import type { Incident } from "../../incident/wire.ts";

/** Milliseconds to wait, unless --wait-timeout says otherwise. */
const defaultTimeout = 30 * 60_000;

export interface WaitCondition {
  readonly status: Status;
  /** Milliseconds. */
  readonly timeout: number;
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
  const sufficient: readonly unknown[] = statuses.slice(statuses.indexOf(status));
  return { status, timeout, isReached: ({ lastUpdateStatus }) => sufficient.includes(lastUpdateStatus) };
}
