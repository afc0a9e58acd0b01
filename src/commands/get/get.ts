// `incident get`: reads incidents by id, once or until a condition is met. Results are in the order of the ids.
import { cancellation, Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { CommandSpec, Run } from "../../kit/command.ts";
import { flag } from "../../kit/flags.ts";
import { statusValues } from "../../kit/shared-flags.ts";
import { readIds, readIncident } from "../shared/incident-ids.ts";

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

export const run: Run<typeof spec> = async (context, input) => {
  const { flags, operands } = input;
  if (flags.waitTimeout !== undefined && flags.waitFor === undefined)
    throw new Failure("usage", "--wait-timeout needs --wait-for", {
      hint: "add --wait-for STATUS; --timeout is for a single request",
    });
  const ids = readIds(operands);
  if (flags.watch || flags.waitFor !== undefined) {
    const { follow } = await import("./follow.ts");
    return follow(context, input, ids);
  }
  const { connect } = await import("../../api/connect.ts");
  const { linkedReport } = await import("../shared/incident-list.ts");
  const { client } = await connect(context);
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
  const { system } = context;
  if (failure === undefined && system.signal.aborted)
    throw cancellation(system.signal, "what was read is not shown; run it again");
  return linkedReport(incidents, ids.length, client.settings.webUrl, failure);
};
