// `incident get --watch` and `--wait-for`: read incidents repeatedly, within the rate limit of the service, and go on when
// the network fails.
import type { Client } from "../../api/client.ts";
import { connect, connectTo } from "../../api/connect.ts";
import { cancellation, exitCodes, expiredLimit, Failure, stopOf, TimeLimit } from "../../failure.ts";
import { type Status, statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { Input, RunContext } from "../../kit/define-command.ts";
import type { Conclusion, Report } from "../../kit/report.ts";
import type { Clock } from "../../platform/context.ts";
import { withTimeLimit } from "../../platform/deadline.ts";
import { nearest, withSuggestion } from "../../text/suggest.ts";
import { formatElapsed } from "../../view/terminal/time.ts";
import { incidentsReport } from "../shared/incident-list.ts";

/** Milliseconds between two reads. Each incident is a request: with more incidents, they are fewer. */
const shortestInterval = 10_000;
const intervalPerIncident = 200;

/** The longest pause while the service fails, in milliseconds, unless the interval is longer. */
const longestPause = 60_000;

/** Milliseconds to wait, unless --wait-timeout says otherwise. */
const defaultTimeout = 30 * 60_000;

/** Milliseconds before the end of the wait at which the last read begins, so that it can be answered. */
const lastRead = 1000;

interface FollowFlags {
  readonly watch?: boolean;
  readonly waitFor?: string;
  readonly waitTimeout?: number;
}

interface Condition {
  readonly status: Status;
  readonly timeout: number;
  /** No read begins after this time of the monotonic clock. The wait goes on until its timeout. */
  readonly lastReadAt: number;
}

export interface Following {
  readonly system: { readonly clock: Clock; readonly signal: AbortSignal };
  /** For the first read, which must succeed, so that wrong settings end the command at once. */
  readonly client: Client;
  /** For later reads: the next one is the retry. */
  readonly clientWithoutRetries: Client;
  readonly ids: readonly string[];
  readonly interval: number;
  /** Its end, if there is one. */
  readonly condition: Condition | undefined;
}

export interface Seen {
  readonly incidents: readonly Incident[];
  readonly at: number;
  readonly failure?: Failure;
}

export async function openFollowing(
  context: RunContext,
  { flags, global }: Input<FollowFlags>,
  ids: readonly string[],
): Promise<{ readonly limited: RunContext; readonly following: Following }> {
  const condition = readCondition(context.system.clock, flags);
  const limited = condition === undefined ? context : limitWait(context, condition.timeout);
  // Messages would break a page that is redrawn in place.
  const quiet = { ...limited, info: () => {}, progress: () => {}, withSpinner: silently };
  const own = flags.watch ? quiet : limited;
  const { client } = await connect(own, global);
  const { client: clientWithoutRetries } = connectTo(own, client.settings, { ...global, maxRetries: 0 });
  const interval = Math.max(shortestInterval, ids.length * intervalPerIncident);
  const following = { system: limited.system, client, clientWithoutRetries, ids, interval, condition };
  return { limited, following };
}

const silently = <T>(_say: unknown, work: () => Promise<T>) => work();

function limitWait(context: RunContext, timeout: number): RunContext {
  return withTimeLimit(context, timeout, new TimeLimit("--wait-timeout", formatElapsed(timeout))).context;
}

/** The condition of a wait that starts now. Throws a `Failure` "usage" for a status that is none. */
function readCondition(
  clock: Clock,
  { waitFor: text, waitTimeout: timeout = defaultTimeout }: FollowFlags,
): Condition | undefined {
  if (text === undefined) return undefined;
  const status = statuses.find((candidate) => candidate === text.toUpperCase());
  if (status === undefined)
    throw new Failure("usage", `--wait-for: "${text}" is not a status`, {
      hint: withSuggestion(`write one of ${statuses.join(", ")}`, nearest(text, statuses)),
    });
  return { status, timeout, lastReadAt: clock.monotonic() + timeout - Math.min(lastRead, timeout / 2) };
}

/**
 * Assumption: the spec states no order of the statuses (spec 3). The order of its list is used, so that a deploy that waits
 * for MONITORING also continues when the incident is already RESOLVED.
 */
function isReached({ status }: Condition, incident: Incident): boolean {
  const sufficient: readonly (string | undefined)[] = statuses.slice(statuses.indexOf(status));
  return sufficient.includes(incidentFacts(incident).status);
}

/**
 * Ends when the condition is reached, or the signal is aborted. Throws a `Failure` that is not temporary. With `tick`, the
 * last result is given again after so many milliseconds, for a clock on the screen.
 */
export async function* poll(
  { client, clientWithoutRetries, condition, ids, interval, system: { clock, signal } }: Following,
  tick?: number,
): AsyncGenerator<Seen, void> {
  const lastReadAt = condition?.lastReadAt ?? Number.POSITIVE_INFINITY;
  let seen: Seen = { incidents: await readAll(client, ids), at: clock.now() };
  let failures = 0;
  for (;;) {
    yield seen;
    if (condition !== undefined && seen.incidents.every((each) => isReached(condition, each))) return;
    const pause = Math.min(Math.max(longestPause, interval), interval * 2 ** failures);
    const now = clock.monotonic();
    // After the last read only the signal ends the wait.
    const isLast = now >= lastReadAt;
    const next = isLast ? now + pause : Math.min(now + pause, lastReadAt);
    while (clock.monotonic() < next && !signal.aborted) {
      const remaining = next - clock.monotonic();
      await clock.sleep(Math.min(remaining, tick ?? remaining), signal);
      if (tick !== undefined && clock.monotonic() < next && !signal.aborted) yield seen;
    }
    if (signal.aborted) return;
    if (isLast) continue;
    try {
      seen = { incidents: await readAll(clientWithoutRetries, ids), at: clock.now() };
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure) || error.kind !== "unavailable") throw error;
      seen = { ...seen, failure: error };
      failures += 1;
    }
  }
}

async function readAll(client: Client, ids: readonly string[]): Promise<readonly Incident[]> {
  const incidents: Incident[] = [];
  for (const id of ids) incidents.push(await client.getIncident(id));
  return incidents;
}

export async function waitFor(context: RunContext, following: Following): Promise<Report<"incidents">> {
  const { clock, signal } = following.system;
  const condition = following.condition as Condition;
  const start = clock.monotonic();
  const limit = formatElapsed(condition.timeout);
  let last: Seen | undefined;
  const say = () =>
    last === undefined
      ? `waiting for ${condition.status}, at most ${limit}`
      : `waiting for ${condition.status}: ${describeProgress(last, condition)}, ${formatElapsed(clock.monotonic() - start)} of ${limit}`;
  const work = async () => {
    for await (const seen of poll(following)) {
      tellChanges(context, last, seen);
      last = seen;
    }
  };
  await context.withSpinner(say, work, "noted");
  const hasEnded = last?.incidents.every((each) => isReached(condition, each));
  if (!hasEnded && expiredLimit(signal)?.flag !== "--wait-timeout")
    throw cancellation(signal, "nothing was changed; run it again to go on waiting");
  const { failure } = endOf(following, last);
  return incidentsReport(last?.incidents ?? [], following.client.settings.webUrl, failure);
}

export function endOf({ condition, system: { signal } }: Following, last: Seen | undefined): Conclusion {
  if (condition !== undefined && last?.incidents.every((each) => isReached(condition, each))) return {};
  const limit = expiredLimit(signal)?.flag;
  if (limit === "--deadline")
    return { failure: cancellation(signal, "nothing was changed; run it again to go on watching") };
  if (signal.aborted && limit !== "--wait-timeout") return { exitCode: exitCodes[stopOf(signal).kind] };
  return condition === undefined ? {} : { failure: notReached(condition, last) };
}

function tellChanges(context: RunContext, last: Seen | undefined, { failure, incidents }: Seen): void {
  if (failure !== undefined && last?.failure === undefined) context.warn(`${failure.message}; still waiting`);
  for (const [index, incident] of incidents.entries()) {
    const previous = last?.incidents[index];
    if (previous === undefined || statusOf(previous) === statusOf(incident)) continue;
    context.info(`${incident.id} was ${statusOf(previous)} and is ${statusOf(incident)}`);
  }
}

export function statusOf(incident: Incident): string {
  return incidentFacts(incident).status ?? "without a status";
}

function describeProgress({ incidents }: Seen, condition: Condition): string {
  const [first, ...others] = incidents;
  if (first !== undefined && others.length === 0) return `it is ${statusOf(first)}`;
  return `${incidents.filter((each) => isReached(condition, each)).length} of ${incidents.length} are`;
}

function notReached(condition: Condition, last: Seen | undefined): Failure {
  const late = (last?.incidents ?? []).filter((incident) => !isReached(condition, incident));
  const which = late.map((incident) => `${incident.id} is ${statusOf(incident)}`).join(", ");
  const unread =
    last?.failure === undefined ? "" : `, and could not be read at last: ${last.failure.message}`;
  const message = `not ${condition.status} within ${formatElapsed(condition.timeout)}: ${which}${unread}`;
  return new Failure("timeout", message, {
    hint: "check what is blocking it, or wait longer with --wait-timeout",
    commands: [{ command: ["incident", "get", ...late.map(({ id }) => id), "--watch"], purpose: "watch it" }],
    retryable: true,
  });
}
