// `incident gate`: reads the incidents that the service lists and those that the journal knows, and fails while one of them
// is open.
import { readNothing } from "../../api/access.ts";
import type { Client } from "../../api/client.ts";
import { connect } from "../../api/connect.ts";
import type { DeliveryOptions } from "../../delivery/delivery-options.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { inParallel } from "../../delivery/parallel.ts";
import { Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import { newest } from "../../journal/model.ts";
import { defineCommand, type FlagsOf, type Run, type RunContext } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { definitionFlags, filterFlags } from "../../kit/shared-flags.ts";
import { isDescribed } from "../shared/base-url.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { readFilter, readSince } from "../shared/incident-list.ts";
import { linked } from "../shared/incident-report.ts";
import {
  incidentsIn,
  type KnownIncident,
  mergeKnown,
  type Observation,
  type Observing,
  observationOf,
  observe,
  type Sources,
} from "./known-incidents.ts";
import { type ListFacts, readList } from "./read-list.ts";
import { failureOf, findingsOf } from "./verdict.ts";

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
  const { broken, inJournal } = await readJournal(delivery);
  const { entries: listed, facts: list } = await readList(context, client, since);
  const known = mergeKnown({ fromFiles, inJournal, listed }, since);
  if (known.length === 0 && list.is !== "read") await checkKey(context, client);
  const ids = delivery.clientIds();
  const observed = await observeAll(context, delivery, known, listed, {
    filter,
    keepsIds: ids !== "unknown" && canBeFound(ids),
    isListWhole: list.is === "read" && list.isComplete,
  });
  const findings = findingsOf(known, observed, broken);
  const { missing, open, others, unknown, unsettled } = findings;
  const wasRead = [...observed.values()].some(
    ({ is }) => is === "open" || is === "other" || is === "resolved",
  );
  const isProven = list.is === "read" || wasRead || (missing > 0 && (await isDescribed(context, client)));
  const scope = {
    list,
    isEmpty: !state.isShared && inJournal.size === 0 && fromFiles.length === 0,
    isProven,
    baseUrl: client.settings.baseUrl,
    allowsUnknown: flags.allowUnknown ?? false,
  };
  const failure = failureOf(findings, scope, context.system);
  for (const { id, problem } of failure?.kind === "usage" ? [] : [...unknown, ...unsettled])
    context.warn(`the status of ${id} is not known: ${problem}`);
  const range = flags.since === undefined ? "" : `; --since ${flags.since} leaves out older ones`;
  if (failure === undefined)
    context.info(`not blocked: ${describeKnown(known.length, others, list)}${range}`);
  return {
    ...linked(open, client.settings.webUrl),
    data: {
      formatVersion,
      blocked: open.length > 0,
      known: known.length,
      incidents: open,
      unknown: [...unknown, ...unsettled],
    },
    isList: true,
    ...(failure && { failure }),
  };
};

/** A journal that cannot be read may know of an open incident. */
async function readJournal({ journal, service }: DeliveryOptions) {
  try {
    return { inJournal: incidentsIn([...newest(await journal.model(service))]), broken: [] };
  } catch (error) {
    if (!(error instanceof Failure) || error.retryable) throw error;
    return { inJournal: incidentsIn([]), broken: [{ name: "the journal", failure: error }] };
  }
}

/** By the place in `known`. What the list does not show is read by its id. */
async function observeAll(
  context: RunContext,
  delivery: DeliveryOptions,
  known: readonly KnownIncident[],
  listed: readonly Incident[],
  observing: Observing,
): Promise<ReadonlyMap<number, Observation>> {
  const entries = new Map(listed.map((incident) => [incident.id.toLowerCase(), incident]));
  const observed = new Map<number, Observation>();
  const toRead: number[] = [];
  for (const [index, each] of known.entries()) {
    const entry = entries.get(each.id.toLowerCase());
    if (entry === undefined) toRead.push(index);
    else observed.set(index, observationOf(entry, each, observing, context.system));
  }
  const count = Math.min(toRead.length, mostReads);
  let done = 0;
  try {
    await inParallel({ concurrency, stop: context.system.signal, count }, async (at) => {
      const index = toRead[at] as number;
      const observation = await observe(delivery, known[index] as KnownIncident, observing);
      if (observation === undefined) return;
      observed.set(index, observation);
      context.progress(`${++done} of ${count} known incidents read`);
    });
  } finally {
    context.progress("");
  }
  return observed;
}

/** The definitions with an id, which may have been declared elsewhere. */
async function readFiles(
  context: RunContext,
  { file = [], recursive = false }: FlagsOf<typeof spec>,
): Promise<Sources["fromFiles"]> {
  if (file.length === 0) return [];
  const { definitions } = await readDefinitions(context, file, { recurse: recursive });
  const named = definitions.flatMap(({ definition: { id, name } }) =>
    id === undefined ? [] : [{ id: id.toLowerCase(), name }],
  );
  const left = definitions.length - named.length;
  if (left > 0) context.warn(`left out ${left === 1 ? "1 definition" : `${left} definitions`} without an id`);
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

/** `others` are the open incidents that the filter leaves out. */
function describeKnown(known: number, others: number, { is }: ListFacts): string {
  if (known === 0) return is === "read" ? "the service lists no incident" : "no incident is known";
  if (others > 0) {
    const which = known === 1 ? "the known incident" : `${others} of ${known} known incidents`;
    return `${which} ${others === 1 ? "is" : "are"} open, but left out by --service or --severity`;
  }
  return known === 1 ? "the known incident is not open" : `none of ${known} known incidents is open`;
}
