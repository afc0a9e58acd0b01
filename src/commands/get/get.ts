// `incident get`: reads incidents by id, once or until a condition is met. Results are in the order of the ids.

import type { Client } from "../../api/client.ts";
import { connect, connectTo } from "../../api/connect.ts";
import { cancellation, Failure, TimeLimit } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import { defineCommand, type Run, type RunContext } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { statusValues } from "../../kit/shared-flags.ts";
import { withTimeLimit } from "../../platform/deadline.ts";
import { withBaseUrlSuspect } from "../shared/base-url/suspect-base-url.ts";
import { mayHaveUnsettled } from "../shared/journal/may-have-unsettled.ts";
import { findIds, type Searched, searchJournal } from "../shared/which-incident.ts";
import type { PollOptions, WaitCondition } from "./poll.ts";
import { reportIncidents } from "./report-incidents.ts";

export const spec = defineCommand({
  name: "get",
  operands: "<id...>",
  completions: "incidents",
  flags: {
    watch: flag.switch("-w, --watch", "read repeatedly, until Ctrl-C"),
    waitFor: flag.text(
      "--wait-for <status>",
      "wait for this status or a later one; exit 10 if the time is over",
      statusValues,
    ),
    waitTimeout: flag.duration("--wait-timeout <duration>", "time limit of --wait-for (default: 30m)"),
  },
  outputs: ["table", "json", "id", "markdown", "definition"],
  modes: { watch: ["table", "json"] },
  examples: {
    "incident get 7c9e6679-7425-40de-944b-e07fc1f90ae7": "one incident and its timeline",
    "incident get $ID -o json": "the service's own answer",
    "incident get $ID -o definition > checkout.yaml": "as a definition for create and apply",
    "incident get $ID -o markdown": "for a chat or a post-mortem",
    "incident get $ID --watch": "follow an incident as it changes",
    "incident get $ID --wait-for resolved --wait-timeout 1h && ./deploy.sh": "block a deploy until then",
  },
  notes:
    "An id can also be its first eight digits, the address of an incident, or latest: the newest of the service,\n" +
    "or of the journal where the service has no list.\n" +
    "With --watch and without a terminal, each change is one line; with -o json, one line of JSON. After the\n" +
    "first answer, a failing network ends neither --watch nor --wait-for.",
});

/** Milliseconds between two reads. */
const pollInterval = 10_000;

/** One poll a second is a tenth of the rate limit (spec 8), which other clients share with the same key. */
const shortestInterval = 1000;

export const run: Run<typeof spec> = async (context, input) => {
  const { flags, format, global, operands } = input;
  const { waitFor: waitStatus, waitTimeout, watch: isWatch = false } = flags;
  if (waitTimeout !== undefined && waitStatus === undefined)
    throw new Failure("usage", "--wait-timeout needs --wait-for", {
      hint: "add --wait-for STATUS; --timeout is for a single request",
    });
  const ids = await findIds(context, operands, () => searchAll(context, global), { isReading: true });
  const condition =
    waitStatus === undefined
      ? undefined
      : (await import("./wait-for.ts")).parseWaitCondition(context, waitStatus, waitTimeout);
  const limited = condition === undefined ? context : await limitWait(context, condition);
  const polling = { condition, ids };
  if (isWatch) {
    const { watch } = await import("./watch.ts");
    // Messages would break a page that is redrawn in place.
    const quiet = { ...limited, info: () => undefined, progress: () => undefined, withSpinner: runSilently };
    return watch(limited, await createPollOptions(quiet, global, polling), format);
  }
  if (condition !== undefined) {
    const { waitFor } = await import("./wait-for.ts");
    return waitFor(limited, await createPollOptions(limited, global, polling), condition);
  }
  const connection = await connect(context, global);
  const { failure, incidents, missing } = await getAll(connection.client, ids);
  const { system } = context;
  await system.releaseSignals();
  if (failure === undefined && system.signal.aborted)
    throw cancellation(system.signal, "what was read is not shown; run it again");
  let unsettled: Failure | undefined;
  if (mayHaveUnsettled(context)) {
    const { tellUnsettled } = await import("../shared/journal/unsettled-creates.ts");
    unsettled = await tellUnsettled(context, global, connection, { failure, incidents, missing });
  }
  const explained = unsettled ?? (failure && (await withBaseUrlSuspect(context, failure, connection)));
  return reportIncidents(context, incidents, connection.client.settings.webUrl, explained);
};

/** The incidents that exist, and the first failure. A missing incident does not end the reads. */
async function getAll(client: Client, ids: readonly string[]) {
  const incidents: Incident[] = [];
  let failure: Failure | undefined;
  let missing: string | undefined;
  for (const id of ids) {
    try {
      incidents.push(await client.getIncident(id));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure ??= error;
      if (error.kind !== "missing") break;
      missing ??= id;
    }
  }
  return { incidents, failure, missing };
}

async function searchAll(context: RunContext, global: GlobalFlags): Promise<Searched> {
  const { incidents, place } = await searchJournal(context);
  const { readListed } = await import("../shared/incident-list.ts");
  const listed = await readListed(context, global);
  if (listed === undefined) return { incidents, place };
  return { incidents: [...incidents, ...listed], place: `${place} or of the service's list` };
}

const runSilently = <T>(_say: unknown, work: () => Promise<T>) => work();

async function limitWait(context: RunContext, { timeout }: WaitCondition): Promise<RunContext> {
  const { formatElapsed } = await import("../../view/terminal/time.ts");
  const reason = new TimeLimit("--wait-timeout", formatElapsed(timeout));
  return withTimeLimit(context, timeout, reason).context;
}

async function createPollOptions(
  context: RunContext,
  global: GlobalFlags,
  { condition, ids }: Pick<PollOptions, "condition" | "ids">,
): Promise<PollOptions> {
  const { client } = await connect(context, global);
  const { client: clientWithoutRetries } = connectTo(context, client.settings, {
    ...global,
    maxRetries: 0,
  });
  // Each incident is a request: with more incidents, poll less often.
  return {
    system: context.system,
    client,
    clientWithoutRetries,
    ids,
    interval: Math.max(pollInterval, (ids.length * shortestInterval) / 5),
    condition,
  };
}
