// `incident get`: reads incidents by id, once or until a condition is met. Results are in the order of the ids.
import type { Client } from "../../api/client.ts";
import { cancellation, Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import { defineCommand, type Run, type RunContext } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { statusValues } from "../../kit/shared-flags.ts";
import { findIds, type Searched, searchJournal } from "../shared/which-incident.ts";

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
  result: "incidents",
  modes: { watch: "live" },
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

export const run: Run<typeof spec> = async (context, input) => {
  const { flags, format, global, operands } = input;
  if (flags.waitTimeout !== undefined && flags.waitFor === undefined)
    throw new Failure("usage", "--wait-timeout needs --wait-for", {
      hint: "add --wait-for STATUS; --timeout is for a single request",
    });
  const ids = await findIds(context, operands, () => searchAll(context, global), { isReading: true });
  if (flags.watch || flags.waitFor !== undefined) {
    const { openFollowing, waitFor } = await import("./follow.ts");
    const { following, limited } = await openFollowing(context, input, ids);
    if (!flags.watch) return waitFor(limited, following);
    return (await import("./watch.ts")).watch(limited, following, format);
  }
  const { connect } = await import("../../api/connect.ts");
  const { incidentsReport } = await import("../shared/incident-list.ts");
  const connection = await connect(context, global);
  const { failure, incidents, missing } = await readEach(connection.client, ids);
  const { system } = context;
  await system.releaseSignals();
  if (failure === undefined && system.signal.aborted)
    throw cancellation(system.signal, "what was read is not shown; run it again");
  const { tellUnsettled, withBaseUrlSuspect } = await import("../shared/doubts.ts");
  const unsettled = await tellUnsettled(context, global, connection, { failure, incidents, missing });
  const explained = unsettled ?? (failure && (await withBaseUrlSuspect(context, failure, connection)));
  return incidentsReport(incidents, connection.client.settings.webUrl, explained);
};

/** The incidents that exist, and the first failure. A missing incident does not end the reads. */
async function readEach(client: Client, ids: readonly string[]) {
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
