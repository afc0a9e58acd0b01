// `incident gate`: reads the incidents that the service lists and those that the journal knows, and fails while one of them
// is open.
import { readNothing } from "../../api/access.ts";
import type { Client } from "../../api/client.ts";
import { connect } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { clientIds, type DeliveryOptions } from "../../delivery/delivery-options.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { inParallel } from "../../delivery/parallel.ts";
import { lacking } from "../../document/operations.ts";
import { Failure } from "../../failure.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import { newest } from "../../journal/model.ts";
import { defineCommand, type FlagsOf, type Run, type RunContext } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { definitionFlags, filterFlags } from "../../kit/shared-flags.ts";
import { countOf } from "../../text/lengths.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { isPast, linked, readFilter, readIncidents, readSince } from "../shared/incident-list.ts";
import {
  type KnownIncident,
  knownIncidents,
  type Observing,
  read,
  type Sources,
  type Standing,
  standingOf,
} from "./known-incidents.ts";
import { failureOf, type ListRead, those } from "./verdict.ts";

const { file, recursive } = definitionFlags;

/** The reads of a run: fewer than the service permits in a minute (spec 8). */
export const mostReads = 500;

export const spec = defineCommand({
  name: "gate",
  flags: {
    ...filterFlags,
    file: { ...file, summary: "also the incidents of a YAML file or a folder, by their ids (repeatable)" },
    recursive,
    since: flag.text(
      "--since <time>",
      "only incidents that were declared since then, such as 7d or 2026-11-01",
    ),
    allowUnknown: flag.switch(
      "--allow-unknown",
      "pass also where nothing is known here, or the service's document cannot be read",
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
    "known: a journal that several machines share speaks for all of them. Nothing in the checkout hides the list.\n" +
    `Each run reads at most ${mostReads} incidents by their ids, the newest first. One that was deleted is closed once\n` +
    "neither its id nor a complete list shows it. Exit code 0: none is open. 12: the open ones are listed. 7: something\n" +
    "that is known, or the end of the list, could not be read. 2: nothing is known, or no answer shows that the base\n" +
    "URL is right.",
});

const formatVersion = 1;

const concurrency = 8;

export const run: Run<typeof spec> = async (context, { flags, global }) => {
  const filter = await readFilter(context, flags);
  const fromFiles = await readFiles(context, flags);
  const since = readSince(context, flags.since);
  const connection = await connect(context, { ...global, readsDocument: true });
  const { client } = connection;
  const { delivery, state } = await openDelivery(context, connection, global);
  const { broken, logs } = await readJournal(delivery);
  const list = await readList(context, client, since);
  const listed = list.is === "read" ? list.entries : [];
  const known = knownIncidents({ fromFiles, logs, listed, since });
  if (known.length === 0 && list.is !== "read") await checkKey(context, client);
  const ids = clientIds(delivery);
  const standings = await readAll(context, delivery, known, listed, {
    filter,
    keepsIds: ids !== "unknown" && canBeFound(ids),
    isListWhole: list.is === "read" && list.isComplete,
    system: delivery.system,
  });
  const scope = {
    list,
    broken,
    isEmpty: !state.isShared && knownIncidents({ fromFiles, logs }).length === 0,
    baseUrl: client.settings.baseUrl,
    allowsUnknown: flags.allowUnknown ?? false,
  };
  const failure = failureOf(standings, scope, context.system.signal);
  const open = those(standings, "open").map(({ incident }) => incident);
  open.sort((one, other) => one.id.localeCompare(other.id));
  const unknown = [
    ...(broken === undefined ? [] : [{ id: "the journal", problem: broken }]),
    ...those(standings, "unknown").map(({ known: { id, name }, problem }) => ({ id, name, problem })),
  ];
  for (const { id, problem } of failure?.kind === "usage" ? [] : unknown)
    context.warn(`the status of ${id} is not known: ${problem}`);
  const range = flags.since === undefined ? "" : `; --since ${flags.since} leaves out older ones`;
  if (failure === undefined) context.info(`not blocked: ${describeKnown(standings, list)}${range}`);
  return {
    ...linked(open, client.settings.webUrl),
    data: { formatVersion, blocked: open.length > 0, known: known.length, incidents: open, unknown },
    isList: true,
    ...(failure && { failure }),
  };
};

/** A journal that cannot be read may know of an open incident: `broken` is its message. */
async function readJournal({ journal, service }: DeliveryOptions) {
  try {
    return { logs: [...newest(await journal.model(service))] };
  } catch (error) {
    if (!(error instanceof Failure) || error.retryable) throw error;
    return { logs: [], broken: error.message };
  }
}

/**
 * The list as the service's own document describes it, never as a file of the checkout does. Older ones than `since` need
 * not be read. Throws the `Failure` of a key that is not accepted.
 */
async function readList(context: RunContext, client: Client, since: number | undefined): Promise<ListRead> {
  const { signal } = context.system;
  const stopped = { is: "unread", isDescribed: true, problem: "it was stopped" } as const;
  if (signal.aborted) return stopped;
  const known = await operationsOf(context, client.settings, { ignoresContract: true });
  if (!known.isKnown) {
    const { kind, message } = known.failure;
    if (kind !== "unavailable") return { is: "none", isDescribed: false, reason: message };
    return { is: "unread", isDescribed: false, problem: message };
  }
  const { list } = known.operations;
  if (list === undefined) {
    const problem = `the service's document does not describe ${lacking(known.operations, "list")}`;
    // A list that the document describes, and that cannot be read, may have any incident.
    if (known.operations.unfit?.includes("list")) return { is: "unread", isDescribed: false, problem };
    return { is: "none", isDescribed: true, reason: problem };
  }
  try {
    const { entries, isComplete } = await readIncidents(context, client, list, (all) => isPast(all, since));
    return { is: "read", isDescribed: true, isComplete: isComplete || isPast(entries, since), entries };
  } catch (error) {
    if (signal.aborted) return stopped;
    if (!(error instanceof Failure) || error.kind === "credentials" || error.kind === "usage") throw error;
    return { is: "unread", isDescribed: true, problem: error.message };
  }
}

/** Reads each incident that the list does not show by its id. */
async function readAll(
  context: RunContext,
  delivery: DeliveryOptions,
  known: readonly KnownIncident[],
  listed: NonNullable<Sources["listed"]>,
  observing: Observing,
): Promise<readonly Standing[]> {
  const entries = new Map(listed.map((incident) => [incident.id.toLowerCase(), incident]));
  const standings = known.map((each): Standing => {
    const entry = entries.get(each.id.toLowerCase());
    return entry === undefined ? { is: "unread", known: each } : standingOf(entry, each, observing);
  });
  const toRead = standings.flatMap(({ is }, at) => (is === "unread" ? [at] : [])).slice(0, mostReads);
  let finished = 0;
  try {
    const options = { concurrency, stop: context.system.signal, count: toRead.length };
    await inParallel(options, async (index) => {
      const at = toRead[index] as number;
      const standing = await read(delivery, known[at] as KnownIncident, observing);
      standings[at] = standing;
      if (standing.is !== "unread")
        context.progress(`${++finished} of ${toRead.length} known incidents read`);
    });
  } finally {
    context.progress("");
  }
  return standings;
}

/** The definitions with an id, which may have been declared elsewhere. */
async function readFiles(
  context: RunContext,
  { file = [], recursive = false }: FlagsOf<typeof spec>,
): Promise<NonNullable<Sources["fromFiles"]>> {
  if (file.length === 0) return [];
  const { definitions } = await readDefinitions(context, file, { recurse: recursive });
  const named = definitions.flatMap(({ definition: { id, name } }) =>
    id === undefined ? [] : [{ id: id.toLowerCase(), name }],
  );
  const count = definitions.length - named.length;
  if (count > 0) context.warn(`left out ${countOf(count, "definition")} without an id`);
  return named;
}

/** Throws the `Failure` of a key that is not accepted, where no other read would show it. */
async function checkKey({ system }: RunContext, client: Client): Promise<void> {
  try {
    await readNothing(client);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "credentials" || system.signal.aborted) throw error;
  }
}

function describeKnown(standings: readonly Standing[], { is }: ListRead): string {
  if (standings.length === 0) return is === "read" ? "the service lists no incident" : "no incident is known";
  const others = those(standings, "other").length;
  const open = others === 0 ? "none is open" : `${others} open, but left out by --service or --severity`;
  return `${countOf(standings.length, "known incident")}, ${open}`;
}
