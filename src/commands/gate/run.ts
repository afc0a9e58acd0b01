// `incident gate`: reads the incidents that the journal knows, and fails while one of them is open.
import { connect } from "../../api/connect.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { inParallel } from "../../delivery/parallel.ts";
import { bestEffort } from "../../failure.ts";
import { operationName } from "../../journal/journal.ts";
import type { FlagsOf, Run, RunContext } from "../../kit/define-command.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { readFilter, readSince } from "../shared/incident-filter.ts";
import { linkedFacts } from "../shared/incident-report.ts";
import { readDefinitions } from "../shared/read-definitions.ts";
import { elsewhere, incidentsIn, type KnownIncident, type Observation, observe } from "./known-incidents.ts";
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
  const inJournal = incidentsIn(journal, delivery.service).filter(
    ({ at }) => since === undefined || Date.parse(at) >= since,
  );
  const own = new Set(inJournal.map(({ id }) => id.toLowerCase()));
  const inFiles = fromFiles
    .map((each) => ({ ...each, at: "", operation: operationName({ ...delivery.service, id: each.id }) }))
    .filter(({ id, operation }) => !own.has(id) && !seen.has(operation));
  // A person names the files, so that they come first.
  const known = [...inFiles, ...inJournal];
  const count = Math.min(known.length, mostReads);

  const observed = new Map<number, Observation>();
  const nowResolved: string[] = [];
  const { signal } = context.system;
  try {
    await inParallel({ concurrency, stop: signal, count }, async (index) => {
      const incident = known[index] as KnownIncident;
      const observation = await observe(delivery, incident, filter);
      if (observation === undefined) return;
      observed.set(index, observation);
      context.progress(`${observed.size} of ${count} known incidents read`);
      const isDeclared = incident.log === undefined || incident.log.created !== undefined;
      if (observation.is === "resolved" && isDeclared) nowResolved.push(incident.operation);
    });
  } finally {
    context.progress("");
    // The newest last: they are asked for again.
    await bestEffort(context, async () => resolved.add(nowResolved.toReversed()));
  }
  // With --since, the journal was not looked at as a whole.
  await bestEffort(context, async () => {
    const { last } = journal;
    const changes = journal.changes.map(({ key }) => operationName(key));
    const over = new Set([...seen, ...nowResolved, ...elsewhere(journal, delivery.service), ...changes]);
    const left = journal.names.filter((name) => !over.has(name));
    if (last !== undefined && since === undefined)
      resolved.keep({ last, left, resolved: seenBefore + nowResolved.length });
  });
  const findings = findingsOf(known, observed, journal.broken);
  const { open, others, unknown, unsettled } = findings;
  for (const { id, problem } of [...unknown, ...unsettled])
    context.warn(`the status of ${id} is not known: ${problem}`);
  const failure = failureOf(findings, signal);
  const range = flags.since === undefined ? "" : `; --since ${flags.since} leaves out older ones`;
  if (failure === undefined)
    context.info(
      `not blocked: ${describeKnown(known.length + (since === undefined ? seenBefore : 0), others)}${range}`,
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

/** `others` are the open incidents that the filter leaves out. */
function describeKnown(known: number, others: number): string {
  if (known === 0) return "no incident is known";
  if (others > 0) {
    const which = known === 1 ? "the known incident" : `${others} of ${known} known incidents`;
    return `${which} ${others === 1 ? "is" : "are"} open, but left out by --service or --severity`;
  }
  return known === 1 ? "the known incident is not open" : `none of ${known} known incidents is open`;
}
