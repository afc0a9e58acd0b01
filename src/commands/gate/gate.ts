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
import type { Incident } from "../../incident/wire.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import { newest } from "../../journal/model.ts";
import { defineCommand, type FlagsOf, type Run, type RunContext } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { definitionFlags, filterFlags } from "../../kit/shared-flags.ts";
import { countOf } from "../../text/lengths.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { isPast, linked, mostListed, readFilter, readSince } from "../shared/incident-list.ts";
import {
  type KnownIncident,
  knownIncidents,
  type Observing,
  type Sources,
  type Standing,
  standingOf,
  type Unknown,
  verdictOf,
} from "./verdict.ts";

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
    "known: a journal that several machines share has those of all machines. Nothing in the checkout hides the list.\n" +
    `Each run reads at most ${mostReads} incidents by their ids, the newest first. One that was deleted is closed once\n` +
    "neither its id nor a complete list shows it. Exit code 0: none is open. 12: the open ones are listed. 7: something\n" +
    "that is known, or the end of the list, could not be read. 2: nothing is known.",
});

const concurrency = 8;

export const run: Run<typeof spec> = async (context, { flags, global }) => {
  const filter = await readFilter(context, flags);
  const fromFiles = await readFiles(context, flags);
  const since = readSince(context, flags.since);
  const connection = await connect(context, { ...global, readsDocument: true });
  const { client } = connection;
  const { settings } = client;
  const { delivery } = await openDelivery(context, connection, global);
  const journal = await readJournal(delivery);
  const list = await readList(context, client, since, flags.allowUnknown ?? false);
  const known = knownIncidents({ fromFiles, logs: journal.logs, listed: list.entries, since });
  const isEmpty = knownIncidents({ fromFiles, logs: journal.logs }).length === 0;
  const ids = clientIds(delivery);
  const { all, left } = await readAll(context, delivery, known, list.entries, {
    filter,
    keepsIds: ids !== "unknown" && canBeFound(ids),
    isListWhole: list.isWhole,
    system: delivery.system,
  });
  const open = all.flatMap((each) => (each.is === "open" ? [each.incident] : []));
  open.sort((one, other) => one.id.localeCompare(other.id));
  const unknown: readonly Unknown[] = [
    ...all.flatMap((each) => (each.is === "unknown" ? [each] : [])),
    ...left,
    ...journal.unknown,
    ...list.unknown,
  ];
  const isUnread = known.length === 0 && !list.isWhole && list.unknown.length === 0;
  // No other read shows that the key is refused.
  if (isUnread) await checkKey(client);
  const isBlind = isEmpty && !flags.allowUnknown;
  const nothing =
    isBlind && list.lacks !== undefined
      ? `nothing was declared at ${settings.baseUrl.value} from here, and ${list.lacks}`
      : undefined;
  const failure = verdictOf({ open, unknown, nothing }, context.system.signal);
  for (const { id, problem } of failure?.kind === "unavailable" ? unknown.slice(1) : unknown)
    context.warn(`${id}: ${problem}`);
  const range = flags.since === undefined ? "" : `; --since ${flags.since} leaves out older ones`;
  if (failure === undefined) context.info(`not blocked: ${describeKnown(all, list.isWhole)}${range}`);
  return {
    ...linked(open, settings.webUrl),
    data: {
      blocked: open.length > 0,
      known: known.length,
      incidents: open,
      unknown: unknown.map(({ id, name, problem }) => ({ id, name, problem })),
    },
    isList: true,
    ...(failure && { failure }),
  };
};

/** Throws the `Failure` of a key that is not accepted. */
async function checkKey(client: Client): Promise<void> {
  try {
    await readNothing(client);
  } catch (error) {
    if (error instanceof Failure && error.kind === "credentials") throw error;
  }
}

/** A journal that cannot be read may know of an open incident. */
async function readJournal({ journal, service }: DeliveryOptions) {
  try {
    return { logs: [...newest(await journal.model(service))], unknown: [] };
  } catch (error) {
    if (!(error instanceof Failure) || error.retryable) throw error;
    return { logs: [], unknown: [{ id: "the journal", problem: error.message }] };
  }
}

interface ListRead {
  readonly entries: readonly Incident[];
  /** Whether it was read to its end: an incident that it lacks does not exist. */
  readonly isWhole: boolean;
  /** Why the service has no list. */
  readonly lacks?: string;
  readonly unknown: readonly Unknown[];
}

/**
 * The list as the service's own document describes it, never as a file of the checkout does. Older ones than `since` need
 * not be read. Throws the `Failure` of a key that is not accepted.
 */
async function readList(
  context: RunContext,
  client: Client,
  since: number | undefined,
  allowsUnknown: boolean,
): Promise<ListRead> {
  const { signal } = context.system;
  const nothing = { entries: [], isWhole: false, unknown: [] };
  const unread = (problem: string, hint?: string) => ({
    ...nothing,
    unknown: [{ id: "the list of the service", problem, hint }],
  });
  const stopped = unread("it was stopped");
  if (signal.aborted) return stopped;
  const known = await operationsOf(context, client.settings, { ignoresContract: true });
  if (signal.aborted) return stopped;
  if (!known.isKnown) {
    const { kind, message } = known.failure;
    if (kind !== "unavailable") return { ...nothing, lacks: message };
    if (allowsUnknown) return nothing;
    const hint = "run it again; or look only at what the journal and the files name, with --allow-unknown";
    return unread(message, hint);
  }
  const { list } = known.operations;
  if (list === undefined) {
    const problem = `the service's document does not describe ${lacking(known.operations, "list")}`;
    // A list that the document describes, and that cannot be read, may have any incident.
    if (known.operations.unfit?.includes("list")) return unread(problem);
    return { ...nothing, lacks: problem };
  }
  try {
    const isEnough = (all: readonly unknown[]) => isPast(all as readonly Incident[], since);
    const { entries, isComplete } = await client.listIncidents(list, { most: mostListed, isEnough });
    if (isComplete || isPast(entries, since)) return { entries, isWhole: true, unknown: [] };
    const hint =
      "the service may have more, which are older: bound the gate with --since, such as --since 30d";
    return { ...unread("it was not read to its end", hint), entries };
  } catch (error) {
    if (signal.aborted) return stopped;
    if (!(error instanceof Failure) || error.kind === "credentials" || error.kind === "usage") throw error;
    return unread(error.message);
  }
}

/** Reads by its id each incident that the list does not show, the newest first. `left`: those over the bound of a run. */
async function readAll(
  context: RunContext,
  { client }: DeliveryOptions,
  known: readonly KnownIncident[],
  listed: readonly Incident[],
  observing: Observing,
): Promise<{ readonly all: readonly Standing[]; readonly left: readonly Unknown[] }> {
  const entries = new Map(listed.map((incident) => [incident.id.toLowerCase(), incident]));
  const shown = known.filter(({ id }) => entries.has(id.toLowerCase()));
  const hidden = known.filter(({ id }) => !entries.has(id.toLowerCase()));
  const toRead = hidden.slice(0, mostReads);
  const count = toRead.length;
  const read = toRead.map(
    ({ id, name }): Standing => ({ is: "unknown", id, name, problem: "it was not read" }),
  );
  let finished = 0;
  try {
    await inParallel({ concurrency, stop: context.system.signal, count }, async (at) => {
      read[at] = await readStanding(client, toRead[at] as KnownIncident, observing);
      context.progress(`${++finished} of ${count} known incidents read`);
    });
  } finally {
    context.progress("");
  }
  const inList = shown.map((each) => standingOf(entries.get(each.id.toLowerCase()), each, observing));
  const rest = hidden.length - count;
  const hint = "bound it with --since, such as --since 30d";
  const problem = `a run reads ${mostReads} by their ids`;
  return { all: [...inList, ...read], left: rest > 0 ? [{ id: `${rest} older ones`, problem, hint }] : [] };
}

/** Throws the `Failure` of a key that is not accepted, which every other read would get as well. */
export async function readStanding(
  client: Pick<Client, "findIncident">,
  known: KnownIncident,
  observing: Observing,
): Promise<Standing> {
  try {
    return standingOf(await client.findIncident(known.id), known, observing);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "credentials" || error.kind === "usage") throw error;
    return { is: "unknown", id: known.id, name: known.name, problem: error.message };
  }
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

function describeKnown(all: readonly Standing[], isListWhole: boolean): string {
  if (all.length === 0) return isListWhole ? "the service lists no incident" : "no incident is known";
  const others = all.filter(({ is }) => is === "other").length;
  const open = others === 0 ? "none is open" : `${others} open, but left out by --service or --severity`;
  return `${countOf(all.length, "known incident")}, ${open}`;
}
