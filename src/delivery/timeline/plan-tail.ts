// Which updates of a definition are still to be posted: those after the last one that the journal or the service has.
import type { KnownOperations } from "../../api/known-operations.ts";
import type { Failure } from "../../failure.ts";
import type { Difference } from "../../incident/comparison.ts";
import type { Update } from "../../incident/definition.ts";
import { occurrenceOf, planTimeline } from "../../incident/timeline.ts";
import { isSameUpdate } from "../../incident/updates.ts";
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import { readEqual, updateKey } from "../changes/update-identity.ts";
import { openUpdateMemory } from "../changes/update-memory.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { readUnsettledUpdates } from "../unsettled.ts";
import { editedFailure, timelineFailure, unpublishedFailure } from "./timeline-failures.ts";

export interface TimelineOptions extends DeliveryOptions {
  /** How the service takes an update and an edit; read when it is needed. */
  readonly operations: () => Promise<KnownOperations>;
  /** `--reopen`: posts after a RESOLVED that the definition does not have. */
  readonly reopens: boolean;
}

export interface Tail {
  /** Places in the definition, in their order: those to post, and those before them whose outcome is not known. */
  readonly updates: readonly number[];
  /** The number of those to post. */
  readonly count: number;
  /** Updates that the service shows in other words. */
  readonly reworded: readonly Difference[];
  /** Why nothing is posted. */
  readonly failure?: Failure;
  /** A problem that a person has to correct, although the rest is posted. */
  readonly problem?: Failure;
  /** The logs of the updates that were not sent with the create, by their places. */
  readonly logs: ReadonlyMap<number, OperationLog>;
}

/** `sent`: the number of updates that the create had, where the journal knows that. */
export async function planTail(
  options: TimelineOptions,
  incident: Incident,
  file: readonly Update[],
  sent: number,
): Promise<Tail> {
  const logs = await readUpdateLogs(options, incident.id, file, sent);
  const posted = new Map<number, string | undefined>();
  for (let at = 0; at < sent; at += 1) posted.set(at, undefined);
  for (const [at, { created }] of logs) if (created !== undefined) posted.set(at, created.serviceId);
  const { status: liveStatus, updates: shown } = incidentFacts(incident);
  const isShown = Array.isArray(incident.incidentUpdates);
  // A service that shows no updates does not say that there are none. An incident has its first one.
  if (!isShown && posted.size === 0 && file.length === 1)
    return { updates: [], count: 0, reworded: [], logs };
  const order = openUpdateMemory(options.notes, options.service).order();
  const facts = { file, shown, posted, liveStatus, order };
  const first = planTimeline(facts);
  const hasRest = first.tail.length > 0 && first.problem !== "nothing-published";
  const planned = hasRest
    ? planTimeline({ ...facts, own: await readOwn(options, incident, file, shown) })
    : first;
  const { problem, reworded, tail, unpublished } = planned;
  const edited = tail.length > 0 ? await findEdited(options, incident, [...logs.values()]) : undefined;
  if (edited !== undefined) return { updates: [], count: 0, reworded: [], failure: edited, logs };
  const isForbidden = problem !== undefined && !(problem === "resolved" && options.reopens);
  if (isForbidden) {
    const failure = timelineFailure(options, incident, problem, tail.length);
    return { updates: [], count: 0, reworded: [], failure, logs };
  }
  const isKnown = (at: number) => logs.get(at)?.uncertain === undefined;
  const [next = file.length] = tail;
  const unsettled = [...file.keys()].filter((at) => at < next && !isKnown(at));
  const lacking = unpublished.filter(isKnown);
  return {
    updates: [...unsettled, ...tail],
    count: tail.length,
    reworded: isShown ? describeReworded(reworded.filter(isKnown), file, shown) : [],
    ...(isShown && lacking.length > 0 && { problem: unpublishedFailure(options, incident, lacking) }),
    logs,
  };
}

/** The updates of the list that were posted from here for a file, and that this file no longer has. */
async function readOwn(
  options: TimelineOptions,
  incident: Incident,
  file: readonly Update[],
  shown: readonly UpdateFacts[],
): Promise<ReadonlySet<UpdateFacts>> {
  const own = new Set<UpdateFacts>();
  for (const update of othersIn(shown, file)) {
    const count = shown.filter((each) => isSameUpdate(each, update)).length;
    const equal = await readEqual(options, incident.id, update, count);
    if (equal.some((log) => log.created !== undefined && isOfFile(log))) own.add(update);
  }
  return own;
}

/** An update without a known outcome that the file no longer has: its text may have been corrected since. */
async function findEdited(
  options: TimelineOptions,
  incident: Incident,
  logs: readonly OperationLog[],
): Promise<Failure | undefined> {
  const own = new Set(logs.map(({ key }) => key.id));
  const unsettled = await readUnsettledUpdates(options, incident.id);
  const edited = unsettled.find((log) => isOfFile(log) && !own.has(log.key.id));
  return edited && editedFailure(options, edited);
}

/** No command line has asked for it. */
function isOfFile({ change }: OperationLog): boolean {
  return change?.kind === "update" && !change.isUnnumbered;
}

function othersIn(shown: readonly UpdateFacts[], file: readonly Update[]): readonly UpdateFacts[] {
  return shown.filter((update) => !file.some((each) => isSameUpdate(each, update)));
}

/** The text that is shown is known to be that of the update where there is one of each. */
function describeReworded(
  places: readonly number[],
  file: readonly Update[],
  shown: readonly UpdateFacts[],
): readonly Difference[] {
  const others = othersIn(shown, file);
  const found =
    places.length === 1 && others.length === 1 ? (others[0]?.description ?? "other words") : "other words";
  return places.map((at) => {
    const { description: wanted } = file[at] as Update;
    return { field: `incidentUpdates[${at}].description`, wanted, found };
  });
}

/** The updates from the place `sent` on, as the journal has them. */
export async function readUpdateLogs(
  { journal, service }: Pick<DeliveryOptions, "journal" | "service">,
  incidentId: string,
  file: readonly Update[],
  sent: number,
): Promise<ReadonlyMap<number, OperationLog>> {
  const logs = new Map<number, OperationLog>();
  for (const [at, update] of file.entries()) {
    if (at < sent) continue;
    logs.set(at, await journal.read(updateKey(service, incidentId, update, occurrenceOf(file, at))));
  }
  return logs;
}
