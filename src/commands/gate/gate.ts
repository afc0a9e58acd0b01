// `incident gate`: reads the incidents of the list of the service and of the journal, and fails while one of them is open.

import type { Client } from "../../api/client.ts";
import { nilId } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { clientIds, type DeliveryOptions } from "../../delivery/delivery-options.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { inParallel } from "../../delivery/parallel.ts";
import { lacking } from "../../document/operations.ts";
import { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import { newest } from "../../journal/model.ts";
import type { CommandSpec, FlagsOf, Run, RunContext } from "../../kit/command.ts";
import { flag } from "../../kit/flags.ts";
import { incidentsReport } from "../../kit/report.ts";
import { definitionFlags, filterFlags } from "../../kit/shared-flags.ts";
import { countOf } from "../../text/lengths.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { linked, readFilter, readSince } from "../shared/incident-list.ts";
import {
  incidentsIn,
  type KnownIncident,
  knownIncidents,
  type Observing,
  type Standing,
  standingOf,
  standingOfUnread,
  unread,
  verdictOf,
} from "./verdict.ts";

const { file, recursive } = definitionFlags;

export const spec = {
  flags: {
    ...filterFlags,
    file: { ...file, summary: "also the incidents of a YAML file or a folder, by their ids (repeatable)" },
    recursive,
    allowUnknown: flag.switch(
      "--allow-unknown",
      "pass also where nothing is known here, the service's document cannot be read, or its list not to the end",
    ),
  },
  result: "incidents",
  examples: {
    "incident gate && ./deploy.sh": "deploy only while no known incident is open",
    "incident gate --service checkout --severity major": "only incidents of one service, MAJOR or worse",
    "incident gate -f incidents/ -R": "also the incidents of a folder",
  },
  notes:
    "Where the service's own document describes a list, these are all incidents of the account, of any origin.\n" +
    "What the journal and the files name, and the list lacks, is read by its id. Without a list, these are all that is\n" +
    "known: a journal that several machines share has those of all machines.\n" +
    "An incident that was deleted is closed once neither its id nor a complete list shows it. Exit code 0: none is open.\n" +
    "12: the open ones are listed. 7: something that is known, or the end of the list, could not be read. 2: nothing is\n" +
    "known.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { flags }) => {
  const filter = await readFilter(context, flags);
  const fromFiles = await readFiles(context, flags);
  const since = readSince(context, flags.since);
  const delivery = await openDelivery(context);
  const { client } = delivery;
  const journal = await readJournal(delivery);
  const isEmpty = fromFiles.length + journal.incidents.size === 0 && journal.failure === undefined;
  const list = await readList(context, client, flags.allowUnknown ?? false, isEmpty);
  const known = knownIncidents(fromFiles, journal.incidents, list.entries, since);
  const all = await observeAll(context, client, known, {
    filter,
    keepsIds: clientIds(delivery) === "honoured",
    isListWhole: list.isWhole,
    system: delivery.system,
  });
  // No other read shows that the key is refused.
  if (known.length === 0 && !list.isWhole && list.failure?.kind !== "unavailable")
    await client.findIncident(nilId).catch(unreadBy);
  const open = all.flatMap((each) => (each === undefined || each instanceof Failure ? [] : [each]));
  open.sort((one, other) => one.id.localeCompare(other.id));
  const unknown = [
    ...known.map(({ id, name }, at) => ({ id, name, failure: all[at] })),
    { id: "the journal", name: undefined, failure: journal.failure },
    { id: "the list of the service", name: undefined, failure: list.failure },
  ].flatMap(({ failure, ...each }) => (failure instanceof Failure ? { ...each, failure } : []));
  const failure = verdictOf(open, unknown, context.system.signal);
  const problems = unknown.map(({ failure, id, name }) => ({ id, name, problem: failure.message }));
  for (const { id, problem } of problems)
    if (!failure?.message.includes(problem)) context.warn(`${id}: ${problem}`);
  if (failure === undefined)
    context.info(`not blocked: ${countOf(known.length, "known incident")}, none of which blocks`);
  const data = { blocked: open.length > 0, known: known.length, incidents: open, unknown: problems };
  const report = incidentsReport(data, open, linked(open, client.settings.webUrl), { isList: true });
  return { ...report, failure };
};

/** A journal that cannot be read may know of an open incident. */
async function readJournal({ journal, service }: DeliveryOptions) {
  try {
    return { incidents: incidentsIn(newest(await journal.model(service))) };
  } catch (error) {
    if (!(error instanceof Failure) || error.retryable) throw error;
    return { incidents: incidentsIn([]), failure: error };
  }
}

/**
 * The list by the service's own document, never by a file of the checkout. It is read to its end, because its order is not certain.
 * Throws the `Failure` of a key that is not accepted.
 */
async function readList(context: RunContext, client: Client, allowsUnknown: boolean, isEmpty: boolean) {
  let entries: readonly Incident[] = [];
  /** `isWhole`: an incident that it lacks does not exist. */
  const listed = (isWhole: boolean, failure?: Failure) => ({ entries, isWhole, failure });
  const without = (lacks: string) =>
    listed(false, isEmpty && !allowsUnknown ? nothingKnown(client, lacks) : undefined);
  try {
    const workspace = { contract: async () => undefined };
    const known = await operationsOf({ ...context, workspace }, client.settings);
    if (known instanceof Failure) {
      const { kind, message } = known;
      if (kind !== "unavailable") return without(message);
      if (allowsUnknown) return listed(false);
      const hint = "run it again; or look only at what the journal and the files name, with --allow-unknown";
      return listed(false, unread(message, { hint, retryable: false }));
    }
    const { list, unfit } = known;
    if (list === undefined) {
      const problem = `the service's document does not describe ${lacking(known, "list")}`;
      // A list that the document describes, and that cannot be read, may have any incident.
      return unfit?.includes("list") ? listed(false, unread(problem)) : without(problem);
    }
    const isEnough = (all: readonly Incident[]) => {
      entries = all;
      return false;
    };
    const read = await client.list("incidents", list, { most: 10_000, isEnough });
    entries = read.entries;
    if (read.isComplete || allowsUnknown) return listed(read.isComplete);
    const hint =
      "the rest may have an open one: look at the status page; --allow-unknown passes without the rest";
    return listed(false, unread("it was not read to its end", { hint, retryable: false }));
  } catch (error) {
    return listed(false, unreadBy(error));
  }
}

function nothingKnown({ settings }: Client, lacks: string): Failure {
  const message = `no incident is known here, so it is not known whether one is open: nothing was declared at ${settings.baseUrl.value} from here, and ${lacks}`;
  return new Failure("usage", message, {
    hint: "set INCIDENT_CLI_JOURNAL to a journal that the machines share, name the definitions with -f, or pass anyway with --allow-unknown",
  });
}

/** Throws the `Failure` of a key that is not accepted, which every other read would get as well. */
function unreadBy(error: unknown): Failure {
  if (!(error instanceof Failure) || error.kind === "credentials" || error.kind === "usage") throw error;
  return unread(error.message);
}

/** The standing of each incident: from the list, else from a read by its id. */
async function observeAll(
  context: RunContext,
  client: Client,
  known: readonly KnownIncident[],
  observing: Observing,
): Promise<readonly Standing[]> {
  const standings = known.map((each) =>
    each.listed ? standingOf(each.listed, each, observing) : unread("it was not read"),
  );
  const hidden = [...known.entries()].filter(([, { listed }]) => listed === undefined);
  const { signal: stop } = context.system;
  await inParallel(hidden, { stop, reporter: context }, async ([place, one]) => {
    const look = async () => standingOf(await client.findIncident(one.id), one, observing);
    standings[place] = await look().catch((error) => standingOfUnread(unreadBy(error), one, observing));
  });
  return standings;
}

/** The definitions with an id, which may have been declared elsewhere. */
async function readFiles(context: RunContext, { file = [], recursive }: FlagsOf<typeof spec>) {
  if (file.length === 0) return [];
  const { definitions } = await readDefinitions(context, file, { ...(recursive && { recursive }) });
  const named = definitions.flatMap(({ definition: { id, name } }) =>
    id === undefined ? [] : [{ id: id.toLowerCase(), name }],
  );
  const count = definitions.length - named.length;
  if (count > 0) context.warn(`left out ${countOf(count, "definition")} without an id`);
  return named;
}
