// `incident gate`: reads the incidents that the service lists and those that the journal knows, and fails while one of them
// is open.
import { readNothing } from "../../api/access.ts";
import type { Client } from "../../api/client.ts";
import { connect } from "../../api/connect.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { inParallel } from "../../delivery/parallel.ts";
import { bestEffort, Failure } from "../../failure.ts";
import { incidentFacts } from "../../incident/wire.ts";
import { canBeFound } from "../../journal/client-ids.ts";
import { operationName } from "../../journal/journal.ts";
import type { FlagsOf, Run, RunContext } from "../../kit/define-command.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { isDescribed } from "../shared/base-url/suspect-base-url.ts";
import { readFilter, readSince } from "../shared/incident-filter.ts";
import { linkedFacts } from "../shared/incident-report.ts";
import { readDefinitions } from "../shared/read-definitions.ts";
import {
  byId,
  elsewhere,
  incidentsIn,
  judge,
  type KnownIncident,
  type Observation,
  observe,
} from "./known-incidents.ts";
import { type ListFacts, latestTimeOf, readList } from "./read-list.ts";
import { mostReads, type spec } from "./spec.ts";
import { failureOf, findingsOf } from "./verdict.ts";

const formatVersion = 1;

const concurrency = 8;

export const run: Run<typeof spec> = async (context, { flags, global }) => {
  const filter = await readFilter(context, flags);
  const fromFiles = await readFiles(context, flags);
  const connection = await connect(context, global);
  const { delivery, state } = await openDelivery(context, connection, global);
  const resolved = state.resolved(delivery.service);
  const { look, names: seen } = resolved.read();
  const journal = await state.journal.list({
    since: look && { last: look.last, others: look.left },
    skip: (operation) => seen.has(operation),
  });
  const seenBefore = look?.resolved ?? seen.size;
  const since = readSince(context, flags.since);
  const created = incidentsIn(journal.logs, delivery.service);
  const changes = byId(incidentsIn(journal.changes, delivery.service));
  const createdIds = new Set(created.map(({ id }) => id.toLowerCase()));
  // Declared elsewhere, or seen resolved and changed since.
  const changed = [...changes].flatMap(([id, [newest]]) =>
    newest === undefined || createdIds.has(id) ? [] : [newest],
  );
  const here = [...created, ...changed];
  const inJournal = here.filter(({ at }) => since === undefined || Date.parse(at) >= since);
  const inLog = new Set(inJournal.map(({ id }) => id.toLowerCase()));
  const inFiles = fromFiles
    .map((each) => ({ ...each, at: "", operation: operationName({ ...delivery.service, id: each.id }) }))
    .filter(({ id, operation }) => !inLog.has(id) && !seen.has(operation));
  const { entries, facts: list } = await readList(context, connection.client, global, since);
  const listed = new Map(entries.map((incident) => [incident.id.toLowerCase(), incident]));
  // A person names the files, so that they come first.
  const own: readonly KnownIncident[] = [...inFiles, ...inJournal];
  const named = new Set(own.map(({ id }) => id.toLowerCase()));
  const inList = entries.flatMap((incident) => {
    const { id } = incident;
    const time = latestTimeOf(incident);
    const isLeftOut = since !== undefined && time !== undefined && time < since;
    if (isLeftOut || named.has(id.toLowerCase())) return [];
    const { createdAt: at = "", name } = incidentFacts(incident);
    return [{ id, name, at, operation: operationName({ ...delivery.service, id }) }];
  });
  const known = [...own, ...inList];
  const observed = new Map<number, Observation>();
  const nowResolved: string[] = [];
  const changesResolved: string[] = [];
  const note = (index: number, observation: Observation) => {
    observed.set(index, observation);
    const { id, log, operation } = known[index] as KnownIncident;
    const isDeclared = log === undefined || log.created !== undefined;
    if (observation.is !== "resolved" || !isDeclared || index >= own.length) return;
    nowResolved.push(operation);
    // An update whose outcome is not known may still reopen it.
    const others = (changes.get(id.toLowerCase()) ?? []).filter((each) => each.log?.created !== undefined);
    changesResolved.push(...others.map((each) => each.operation).filter((each) => each !== operation));
  };
  const toRead: number[] = [];
  for (const [index, { id }] of known.entries()) {
    const entry = listed.get(id.toLowerCase());
    if (entry === undefined) toRead.push(index);
    else note(index, judge(entry, filter));
  }
  const count = Math.min(toRead.length, mostReads);
  const ids = delivery.clientIds.latest();
  const isWhole = list.is === "read" && list.isComplete;
  const observing = { filter, keepsIds: isWhole || (ids !== "unknown" && canBeFound(ids)) };
  const isEmpty = !state.isShared && seenBefore + here.length === 0 && fromFiles.length === 0;
  const { signal } = context.system;
  try {
    if (known.length + seenBefore === 0 && list.is === "none") await checkKey(context, connection.client);
    let done = 0;
    await inParallel({ concurrency, stop: signal, count }, async (at) => {
      const index = toRead[at] as number;
      const observation = await observe(delivery, known[index] as KnownIncident, observing);
      if (observation === undefined) return;
      note(index, observation);
      context.progress(`${++done} of ${count} known incidents read`);
    });
  } finally {
    context.progress("");
    // The newest last: they are asked for again.
    await bestEffort(context, async () => resolved.add([...changesResolved, ...nowResolved.toReversed()]));
  }
  // With --since, the journal was not looked at as a whole.
  await bestEffort(context, async () => {
    const { last } = journal;
    const over = new Set([
      ...[...seen, ...nowResolved, ...changesResolved],
      ...elsewhere(journal, delivery.service),
    ]);
    const left = journal.names.filter((name) => !over.has(name));
    if (last !== undefined && since === undefined)
      resolved.keep({ last, left, resolved: seenBefore + nowResolved.length });
  });
  const findings = findingsOf(known, observed, journal.broken);
  const { missing, open, others, unknown, unsettled } = findings;
  const { client } = connection;
  const wasRead = [...observed.values()].some(
    ({ is }) => is === "open" || is === "other" || is === "resolved",
  );
  const isProven =
    list.is === "read" || wasRead || (missing > 0 && (await isDescribed(context, client, global)));
  const scope = {
    list,
    isEmpty,
    isProven,
    baseUrl: client.settings.baseUrl,
    allowsUnknown: flags.allowUnknown ?? false,
  };
  const failure = failureOf(findings, scope, signal);
  for (const { id, problem } of failure?.kind === "usage" ? [] : [...unknown, ...unsettled])
    context.warn(`the status of ${id} is not known: ${problem}`);
  const range = flags.since === undefined ? "" : `; --since ${flags.since} leaves out older ones`;
  if (failure === undefined)
    context.info(
      `not blocked: ${describeKnown(known.length + (since === undefined ? seenBefore : 0), others, list)}${range}`,
    );
  return {
    data: {
      formatVersion,
      blocked: open.length > 0,
      known: known.length + seenBefore,
      incidents: open,
      unknown: [...unknown, ...unsettled],
    },
    ids: open.map(({ id }) => id),
    page: async (style) => {
      if (open.length === 0) return safe``;
      const { renderIncidents } = await import("../../view/incident.ts");
      return renderIncidents(style, linkedFacts(open, connection.client.settings.webUrl));
    },
    ...(failure && { failure }),
  };
};

/** The definitions with an id, which may have been declared elsewhere. */
async function readFiles(
  context: RunContext,
  { file = [], recursive = false }: FlagsOf<typeof spec>,
): Promise<readonly Omit<KnownIncident, "operation" | "at">[]> {
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
