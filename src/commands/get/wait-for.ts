// `incident get --wait-for`: ends when every incident has reached a status, or when the timeout expires.

import { cancellation, exitCodes, expiredLimit, Failure, stopOf } from "../../failure.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import { formatElapsed } from "../../view/terminal/time.ts";
import { type PollOptions, type PollResult, poll, type WaitCondition } from "./poll.ts";
import { reportIncidents } from "./report-incidents.ts";

/** Milliseconds to wait, unless --wait-timeout says otherwise. */
const defaultTimeout = 30 * 60_000;

/** Milliseconds before the end of the wait at which the last read begins, so that it can be answered. */
const lastRead = 1000;

/** The condition of a wait that starts now. Accepts the status in any letter case. Throws a `Failure` "usage". */
export function parseWaitCondition(
  { system: { clock } }: Pick<Context, "system">,
  text: string,
  timeout = defaultTimeout,
): WaitCondition {
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
    lastReadAt: clock.monotonic() + timeout - Math.min(lastRead, timeout / 2),
    isReached: (incident) => sufficient.includes(incidentFacts(incident).status),
  };
}

/** Whether --wait-timeout ended the wait, rather than a person or --deadline. */
function isTimedOut(signal: AbortSignal): boolean {
  return expiredLimit(signal)?.flag === "--wait-timeout";
}

export async function waitFor(
  reporter: Reporter,
  options: PollOptions,
  condition: WaitCondition,
): Promise<ReturnType<typeof reportIncidents>> {
  const { clock, signal } = options.system;
  const start = clock.monotonic();
  const elapsed = () => formatElapsed(clock.monotonic() - start);
  const limit = formatElapsed(condition.timeout);
  let last: PollResult | undefined;
  const say = () =>
    last === undefined
      ? `waiting for ${condition.status}, at most ${limit}`
      : `waiting for ${condition.status}: ${describeProgress(last, condition)}, ${elapsed()} of ${limit}`;
  const follow = async () => {
    for await (const result of poll(options)) {
      reportChanges(reporter, last, result);
      last = result;
    }
  };
  await reporter.withSpinner(say, follow, "noted");
  const isReached = last?.incidents.every(condition.isReached);
  if (!isReached && !isTimedOut(signal))
    throw cancellation(signal, "nothing was changed; run it again to go on waiting");
  const { failure } = endOf(options, last);
  return reportIncidents(reporter, last?.incidents ?? [], options.client.settings.webUrl, failure);
}

/** The end of a poll, after its last result. */
export function endOf(
  { condition, system: { signal } }: PollOptions,
  result: PollResult | undefined,
): { readonly failure?: Failure; readonly exitCode?: number } {
  if (condition !== undefined && result?.incidents.every(condition.isReached)) return {};
  if (expiredLimit(signal)?.flag === "--deadline") {
    return { failure: cancellation(signal, "nothing was changed; run it again to go on watching") };
  }
  if (signal.aborted && !isTimedOut(signal)) return { exitCode: exitCodes[stopOf(signal).kind] };
  if (condition === undefined) return {};
  return { failure: notReached(condition, result, formatElapsed(condition.timeout)) };
}

function reportChanges(
  reporter: Pick<Reporter, "info" | "warn">,
  previous: PollResult | undefined,
  result: PollResult,
): void {
  if (result.failure !== undefined && previous?.failure === undefined) {
    reporter.warn(`${result.failure.message}; still waiting`);
  }
  for (const [index, incident] of result.incidents.entries()) {
    const earlier = previous?.incidents[index];
    if (earlier === undefined || statusOf(earlier) === statusOf(incident)) continue;
    reporter.info(`${incident.id} was ${statusOf(earlier)} and is ${statusOf(incident)}`);
  }
}

export function statusOf(incident: Incident): string {
  return incidentFacts(incident).status ?? "without a status";
}

function describeProgress({ incidents }: PollResult, condition: WaitCondition): string {
  const [first, ...others] = incidents;
  if (first !== undefined && others.length === 0) return `it is ${statusOf(first)}`;
  return `${incidents.filter(condition.isReached).length} of ${incidents.length} are`;
}

function notReached(condition: WaitCondition, result: PollResult | undefined, limit: string): Failure {
  const late = (result?.incidents ?? []).filter((incident) => !condition.isReached(incident));
  const which = late.map((incident) => `${incident.id} is ${statusOf(incident)}`).join(", ");
  const lastFailure =
    result?.failure === undefined ? "" : `, and could not be read at last: ${result.failure.message}`;
  return new Failure("timeout", `not ${condition.status} within ${limit}: ${which}${lastFailure}`, {
    hint: "check what is blocking it, or wait longer with --wait-timeout",
    commands: [{ command: ["incident", "get", ...late.map(({ id }) => id), "--watch"], purpose: "watch it" }],
    retryable: true,
  });
}
