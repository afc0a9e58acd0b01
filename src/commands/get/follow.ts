// `incident get --watch` and `--wait-for`: read incidents repeatedly, within the rate limit of the service, and go on when
// the network fails.
import type { Client } from "../../api/client.ts";
import { connect, connectTo } from "../../api/connect.ts";
import { cancellation, exitCodes, expiredLimit, Failure, stopOf, TimeLimit } from "../../failure.ts";
import { type Status, statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import type { Input, RunContext } from "../../kit/define-command.ts";
import type { Format } from "../../kit/formats.ts";
import type { Live, Report } from "../../kit/report.ts";
import type { Clock } from "../../platform/context.ts";
import { withTimeLimit } from "../../platform/deadline.ts";
import { disarmLog, escapeJson, escapeLine, safe } from "../../platform/terminal/safe-text.ts";
import { localTime } from "../../text/date-times.ts";
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

interface Following {
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

interface Seen {
  readonly incidents: readonly Incident[];
  readonly failure?: Failure;
}

export async function follow(
  context: RunContext,
  { flags, format, global }: Input<FollowFlags>,
  ids: readonly string[],
): Promise<Report<"incidents" | "live">> {
  const condition = readCondition(context.system.clock, flags);
  const limited = condition === undefined ? context : limitWait(context, condition.timeout);
  const { client } = await connect(limited, global);
  const { client: clientWithoutRetries } = connectTo(limited, client.settings, { ...global, maxRetries: 0 });
  const interval = Math.max(shortestInterval, ids.length * intervalPerIncident);
  const following = { system: limited.system, client, clientWithoutRetries, ids, interval, condition };
  if (flags.watch) return { is: "live", live: () => writeChanges(limited, following, format) };
  return waitFor(limited, following, condition as Condition);
}

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

/** Ends when the condition is reached, or the signal is aborted. Throws a `Failure` that is not temporary. */
async function* poll(following: Following): AsyncGenerator<Seen, void> {
  const { client, clientWithoutRetries, condition, ids, interval } = following;
  const { clock, signal } = following.system;
  const lastReadAt = condition?.lastReadAt ?? Number.POSITIVE_INFINITY;
  let seen: Seen = { incidents: await readAll(client, ids) };
  let failures = 0;
  for (;;) {
    yield seen;
    if (condition !== undefined && seen.incidents.every((each) => isReached(condition, each))) return;
    const pause = Math.min(Math.max(longestPause, interval), interval * 2 ** failures);
    const now = clock.monotonic();
    // After the last read only the signal ends the wait.
    const isLast = now >= lastReadAt;
    const next = isLast ? now + pause : Math.min(now + pause, lastReadAt);
    while (clock.monotonic() < next && !signal.aborted) await clock.sleep(next - clock.monotonic(), signal);
    if (signal.aborted) return;
    if (isLast) continue;
    try {
      seen = { incidents: await readAll(clientWithoutRetries, ids) };
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

async function waitFor(
  context: RunContext,
  following: Following,
  condition: Condition,
): Promise<Report<"incidents">> {
  const { clock, signal } = following.system;
  const start = clock.monotonic();
  const limit = formatElapsed(condition.timeout);
  let last: Seen | undefined;
  const say = () => {
    const elapsed = formatElapsed(clock.monotonic() - start);
    return `waiting for ${condition.status}, ${last === undefined ? `at most ${limit}` : `${elapsed} of ${limit}`}`;
  };
  const work = async () => {
    for await (const seen of poll(following)) {
      const changes = changesOf(context, last, seen);
      if (last !== undefined)
        for (const { incident, text } of changes) context.info(`${incident.id}  ${text}`);
      last = seen;
    }
  };
  await context.withSpinner(say, work, "noted");
  const incidents = last?.incidents ?? [];
  const { webUrl } = following.client.settings;
  if (incidents.every((each) => isReached(condition, each))) return incidentsReport(incidents, webUrl);
  if (expiredLimit(signal)?.flag !== "--wait-timeout")
    throw cancellation(signal, "nothing was changed; run it again to go on waiting");
  return incidentsReport(incidents, webUrl, notReached(condition, last));
}

/** A line for each incident, and then for each change. */
async function* writeChanges(context: RunContext, following: Following, format: Format): ReturnType<Live> {
  const { clock, localOffset, signal } = context.system;
  const { condition } = following;
  let last: Seen | undefined;
  for await (const seen of poll(following)) {
    const at = localTime(new Date(clock.now()).toISOString(), localOffset, "seconds");
    for (const { incident, text } of changesOf(context, last, seen))
      yield format === "json"
        ? safe`${escapeJson(JSON.stringify(incident))}\n`
        : disarmLog(safe`${escapeLine(`${at}  ${incident.id}  ${text}`)}\n`);
    last = seen;
  }
  if (condition !== undefined && last?.incidents.every((each) => isReached(condition, each))) return {};
  const limit = expiredLimit(signal)?.flag;
  if (limit === "--deadline")
    return { failure: cancellation(signal, "nothing was changed; run it again to go on watching") };
  if (condition !== undefined && limit === "--wait-timeout") return { failure: notReached(condition, last) };
  return { exitCode: exitCodes[stopOf(signal).kind] };
}

/** A change for each new update; else one for any other difference, and one for the first result. */
function changesOf({ warn }: RunContext, last: Seen | undefined, { failure, incidents }: Seen) {
  if (failure !== undefined && last?.failure === undefined) warn(`${failure.message}; trying again`);
  return incidents.flatMap((incident, index) => {
    const previous = last?.incidents[index];
    if (previous !== undefined && JSON.stringify(previous) === JSON.stringify(incident)) return [];
    const known = new Set(previous && updatesOf(previous).map(keyOf));
    const added = previous === undefined ? [] : updatesOf(incident).filter((each) => !known.has(keyOf(each)));
    const name = incidentFacts(incident).name ?? "(no name)";
    if (added.length === 0) return [{ incident, text: `${statusOf(incident)}  ${name}` }];
    return added.map(({ description = "", status = statusOf(incident) }) => {
      return { incident, text: `${status}  ${name}: ${description.replace(/\s+/g, " ").trim()}` };
    });
  });
}

const updatesOf = (incident: Incident) => incidentFacts(incident).updates;

const keyOf = (update: UpdateFacts) => JSON.stringify(update);

function statusOf(incident: Incident): string {
  return incidentFacts(incident).status ?? "without a status";
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
