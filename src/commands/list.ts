// `incident list`: all incidents of the service, also those of other tools.
import { connect } from "../api/connect.ts";
import { describedOperation, operationsOf } from "../api/known-operations.ts";
import { mostListed } from "../api/lists.ts";
import { Failure } from "../failure.ts";
import { type Incident, incidentFacts, isNewestFirst, isResolved } from "../incident/wire.ts";
import type { CommandSpec, FlagsOf, Run, RunContext } from "../kit/command.ts";
import { flag } from "../kit/flags.ts";
import { incidentsReport } from "../kit/report.ts";
import { filterFlags, statusValues } from "../kit/shared-flags.ts";
import { withCommas } from "../text/lengths.ts";
import { inOrder, isBefore, passes, readFilter, readSince } from "./shared/incident-list.ts";

export const spec = {
  flags: {
    open: flag.switch("--open", "only incidents that are not resolved"),
    status: flag.choice("--status <status>", "only with this status; --open for all open", statusValues),
    ...filterFlags,
    limit: flag.count("--limit <count>", `the most incidents to show (default: 50; at most ${mostListed})`),
  },
  result: "incidents",
  examples: {
    "incident list --open": "what is open now, of any origin",
    "incident list --service checkout --since 7d": "the last week of one service",
    "incident list --open -o id": "the ids, for a script",
  },
  notes:
    "The newest come first. The list is an operation that the service's own document describes: where it does not,\n" +
    `the command fails with exit code 6. It reads at most ${mostListed} incidents.`,
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { flags }) => {
  const selection = await readSelection(context, flags);
  const client = await connect(context, { readsDocument: true });
  const known = await operationsOf(context, client.settings);
  const operation = describedOperation(known, client.settings, "list");
  let read: readonly Incident[] = [];
  const isRead = (entries: readonly Incident[]) => {
    read = entries;
    return isEnough(read, selection);
  };
  const list = await client.list("incidents", operation, { isEnough: isRead }).catch((error: unknown) => {
    // A service may answer 404 behind its last page.
    if (!(error instanceof Failure) || read.length === 0 || context.system.signal.aborted) throw error;
    context.warn(`the next page could not be read: ${error.message}`);
    return { entries: read, isComplete: false };
  });
  const found = select(list.entries, selection);
  const shown = found.slice(0, selection.limit);
  if (found.length > shown.length) context.info(`the newest ${withCommas(shown.length)}; --limit shows more`);
  if (!list.isComplete && !isEnough(list.entries, selection))
    context.warn(`the service may have more: ${withCommas(list.entries.length)} were read`);
  const isEmpty = list.entries.length === 0 && list.isComplete;
  if (shown.length === 0) context.info(isEmpty ? "the service has no incidents" : "no incident matches");
  // Leaves out the addresses, which would hide the list.
  const facts = shown.map(incidentFacts).map((each) => ({ ...each, status: each.status ?? "unknown" }));
  return incidentsReport(shown, shown, facts, { isList: true });
};

type Selection = Awaited<ReturnType<typeof readSelection>>;

async function readSelection(context: RunContext, flags: FlagsOf<typeof spec>) {
  const { limit = 50, open = false, since, status } = flags;
  if (limit < 1 || limit > mostListed)
    throw new Failure("usage", `--limit ${limit} is not between 1 and ${withCommas(mostListed)}`, {
      hint: "give a count in between; --since and --open bound the list as well",
    });
  const filter = await readFilter(context, flags);
  return { ...filter, isOpen: open, limit, since: readSince(context, since), status: status?.toUpperCase() };
}

/** The incidents that match, the newest first. `--since` keeps an incident without a time. */
function select(incidents: readonly Incident[], selection: Selection): readonly Incident[] {
  const { isOpen, since, status } = selection;
  return inOrder(incidents).filter((incident) => {
    const hasStatus = status === undefined || incidentFacts(incident).status === status;
    const isLeftOut = isBefore(incident, since) || (isOpen && isResolved(incident));
    return hasStatus && !isLeftOut && passes(incident, selection);
  });
}

function isEnough(incidents: readonly Incident[], selection: Selection): boolean {
  return isNewestFirst(incidents) && select(incidents, selection).length >= selection.limit;
}
