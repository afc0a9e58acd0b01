// `incident get`: reads incidents by id, once, or with --watch and --wait-for repeatedly, within the rate limit of the service and
// through failures of the network. Results are in the order of the ids.
import type { Client } from "../api/client.ts";
import { cancellation, expiredLimit, Failure } from "../failure.ts";
import { normalName, type Status, statuses } from "../incident/values.ts";
import { type Incident, incidentFacts } from "../incident/wire.ts";
import type { CommandSpec, Run, RunContext } from "../kit/command.ts";
import { flag } from "../kit/flags.ts";
import type { Live, Report } from "../kit/report.ts";
import { statusValues } from "../kit/shared-flags.ts";
import { withTimeLimit } from "../platform/deadline.ts";
import { disarmLog, escapeJson, escapeLine, safe } from "../platform/terminal/safe-text.ts";
import { commandText } from "../text/advice.ts";
import { formatElapsed, localTime } from "../text/date-times.ts";
import { readIds, readIncident } from "./shared/incident-ids.ts";

export const spec = {
  operands: "<id...>",
  flags: {
    watch: flag.switch("-w, --watch", "read repeatedly, until Ctrl-C"),
    waitFor: flag.choice(
      "--wait-for <status>",
      "wait for this status or a later one; exit 10 if the time is over",
      statusValues,
    ),
    waitTimeout: flag.duration("--wait-timeout <duration>", "time limit of --wait-for (default: 30m)"),
  },
  result: "definitions",
  modes: { watch: "page" },
  examples: {
    "incident get 7c9e6679-7425-40de-944b-e07fc1f90ae7": "one incident and its timeline",
    "incident get $ID -o json": "the service's own answer",
    "incident get $ID -o definition > checkout.yaml": "as a definition for create and apply",
    "incident get $ID -o markdown": "for a chat or a post-mortem",
    "incident get $ID --watch": "follow an incident as it changes",
    "incident get $ID --wait-for resolved --wait-timeout 1h && ./deploy.sh": "block a deploy until then",
  },
  notes:
    "An id can also be an address with it.\n" +
    "With --watch, each change is one line; with -o json, one line of JSON. After the first answer, a failing\n" +
    "network ends neither --watch nor --wait-for.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { flags, operands }) => {
  const { waitFor: text, waitTimeout, watch } = flags;
  if (waitTimeout !== undefined && text === undefined)
    throw new Failure("usage", "--wait-timeout needs --wait-for", {
      hint: "add --wait-for STATUS; --timeout is for a single request",
    });
  if (waitTimeout === undefined && text !== undefined && context.global.timeout !== undefined)
    throw new Failure("usage", "--wait-for with --timeout needs --wait-timeout", {
      hint: "give the time to wait with --wait-timeout; --timeout is for a single request",
    });
  const ids = readIds(operands);
  const status = normalName(text, statuses);
  const timeout = waitTimeout ?? 30 * 60_000;
  const limit = formatElapsed(timeout);
  const limited = status === undefined ? context : withTimeLimit(context, timeout, "--wait-timeout");
  // The help and completion do not load it.
  const { connect } = await import("../api/connect.ts");
  const client = await connect(limited);
  if (watch) {
    if (status === undefined) context.info("watching until Ctrl-C");
    return { live: () => writeChanges(limited, look(limited, client, ids, status)) };
  }
  return status === undefined
    ? readOnce(context, client, ids)
    : waitFor(limited, client, ids, { status, limit });
};

async function readOnce(context: RunContext, client: Client, ids: readonly string[]) {
  const incidents: Incident[] = [];
  let failure: Failure | undefined;
  for (const id of ids) {
    try {
      incidents.push(await readIncident(context, client, id));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure ??= error;
      // A missing incident does not end the reads.
      if (error.kind !== "missing") break;
    }
  }
  const { signal } = context.system;
  if (failure === undefined && signal.aborted)
    throw cancellation(signal, "what was read is not shown; run it again");
  const { linkedReport } = await import("./shared/incident-list.ts");
  return linkedReport(incidents, ids.length, client.settings.webUrl, failure);
}

/**
 * Assumption: the spec states no order of the statuses (spec 3). The order of its list is used, so that a deploy that waits
 * for MONITORING also continues when the incident is already RESOLVED.
 */
function isReached(status: Status, incident: Incident): boolean {
  const sufficient: readonly (string | undefined)[] = statuses.slice(statuses.indexOf(status));
  return sufficient.includes(incidentFacts(incident).status);
}

/** Ends at the status or an abort. Throws the `Failure` of the first read, and one that is not temporary. */
async function* look(context: RunContext, client: Client, ids: readonly string[], status?: Status) {
  const { clock, signal } = context.system;
  let last: readonly Incident[] | undefined;
  let isFailing = false;
  for (;;) {
    try {
      const incidents: Incident[] = [];
      const own = last?.map(({ id }) => id) ?? ids;
      for (const id of own) incidents.push(await readIncident(context, client, id));
      const before = last;
      last = incidents;
      isFailing = false;
      yield { incidents, changes: incidents.flatMap((each, at) => changesOf(before?.[at], each)) };
      if (status !== undefined && incidents.every((each) => isReached(status, each))) return;
    } catch (error) {
      if (signal.aborted && last !== undefined) return;
      if (!(error instanceof Failure) || error.kind !== "unavailable" || last === undefined) throw error;
      if (!isFailing) context.warn(`${error.message}; trying again`);
      isFailing = true;
    }
    await clock.sleep(10_000, signal);
    if (signal.aborted) return;
  }
}

async function waitFor(
  context: RunContext,
  client: Client,
  ids: readonly string[],
  { limit, status }: { readonly limit: string; readonly status: Status },
): Promise<Report<"definitions">> {
  const { clock, signal } = context.system;
  const start = clock.monotonic();
  let incidents: readonly Incident[] = [];
  const say = () => {
    const elapsed = formatElapsed(clock.monotonic() - start);
    return `waiting for ${status}, ${incidents.length === 0 ? `at most ${limit}` : `${elapsed} of ${limit}`}`;
  };
  const work = async () => {
    for await (const seen of look(context, client, ids, status)) {
      const changes = incidents.length === 0 ? [] : seen.changes;
      for (const { incident, text } of changes) context.info(`${incident.id}  ${text}`);
      incidents = seen.incidents;
    }
  };
  await context.withSpinner(say, work, "noted");
  const { webUrl } = client.settings;
  const late = incidents.filter((each) => !isReached(status, each));
  const { linkedReport } = await import("./shared/incident-list.ts");
  if (late.length === 0) return linkedReport(incidents, ids.length, webUrl);
  if (expiredLimit(signal)?.flag !== "--wait-timeout")
    throw cancellation(signal, "nothing was changed; run it again to go on waiting");
  const which = late.map((each) => `${each.id} is ${statusOf(each)}`).join(", ");
  const failure = new Failure("timeout", `not ${status} within ${limit}: ${which}`, {
    hint: "check what is blocking it, or wait longer with --wait-timeout",
    commands: [
      {
        command: commandText(["incident", "get", ...late.map(({ id }) => id), "--watch"]),
        purpose: "watch it",
      },
    ],
  });
  return linkedReport(incidents, ids.length, webUrl, failure);
}

/** Writes a line for each incident, then for each change. */
async function* writeChanges(
  { format, system }: RunContext,
  looks: ReturnType<typeof look>,
): ReturnType<Live> {
  const { clock, localOffset, signal } = system;
  for await (const { changes } of looks) {
    const at = localTime(new Date(clock.now()).toISOString(), localOffset, "seconds");
    for (const { incident, text } of changes)
      yield format === "json"
        ? safe`${escapeJson(JSON.stringify(incident))}\n`
        : disarmLog(safe`${escapeLine(`${at}  ${incident.id}  ${text}`)}\n`);
  }
  if (!signal.aborted) return {};
  if (expiredLimit(signal) !== undefined)
    return { failure: cancellation(signal, "nothing was changed; run it again to go on watching") };
  return { exitCode: cancellation(signal, "").exitCode };
}

/** A change for each new update, else one for any other difference or the first read. */
function changesOf(previous: Incident | undefined, incident: Incident) {
  if (previous !== undefined && JSON.stringify(previous) === JSON.stringify(incident)) return [];
  const { name = "(no name)", updates } = incidentFacts(incident);
  const known = new Set(previous && incidentFacts(previous).updates.map((each) => JSON.stringify(each)));
  const added = previous === undefined ? [] : updates.filter((each) => !known.has(JSON.stringify(each)));
  if (added.length === 0) return [{ incident, text: `${statusOf(incident)}  ${name}` }];
  return added.map(({ description = "", status = statusOf(incident) }) => {
    return { incident, text: `${status}  ${name}: ${description.replace(/\s+/g, " ").trim()}` };
  });
}

function statusOf(incident: Incident): string {
  return incidentFacts(incident).status ?? "without a status";
}
