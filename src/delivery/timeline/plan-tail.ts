// Which updates of a definition are still to be posted: those after the last one that the journal or the service has.
import type { KnownOperations } from "../../api/known-operations.ts";
import type { Failure } from "../../failure.ts";
import type { Difference } from "../../incident/comparison.ts";
import type { Update } from "../../incident/definition.ts";
import { type Mismatch, occurrenceOf, planTimeline } from "../../incident/timeline.ts";
import { isSameUpdate, type TimelineUpdate } from "../../incident/updates.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts, type UpdateFacts } from "../../incident/wire.ts";
import { textDigest } from "../../journal/content.ts";
import type { OperationLog } from "../../journal/events.ts";
import { readEqual, updateKey } from "../changes/update-identity.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import {
  describeNotPosted,
  removedFailure,
  timelineFailure,
  unpublishedFailure,
} from "../incident-failures.ts";
import { readUnsettledUpdates } from "../unsettled.ts";

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
  /** Updates that the definition and the service do not have in the same words. */
  readonly differences: readonly Difference[];
  /** Somebody has resolved the incident, and the definition has not. */
  readonly isOver: boolean;
  /** What is not posted, because somebody has ended the incident already. */
  readonly warning?: string;
  /** Why not all of the definition is posted: nothing is sent, unless it is a drift. */
  readonly failure?: Failure | undefined;
}

/** What the journal knows of the updates of a file, beside those that are shown. */
export interface Posted {
  /** The operations of the updates that the create did not have, by their places. */
  readonly logs: ReadonlyMap<number, OperationLog>;
  /** How many equal ones of a shown update were sent from here for the file. */
  readonly own: (update: TimelineUpdate) => number;
  /** Whether the journal knows which updates the incident was declared with. */
  readonly isRemembered: boolean;
  /** The updates of the incident without a known outcome, which were sent for a file. */
  readonly unsettled: readonly OperationLog[];
}

/** `log`: of the create. */
export async function readPosted(
  options: TimelineOptions,
  incident: Incident,
  file: readonly Update[],
  { created: declared, parts }: OperationLog,
): Promise<Posted> {
  const sent = (declared && parts?.updates) ?? [];
  const unsettled = await readUnsettledUpdates(options, incident.id);
  return {
    logs: await readUpdateLogs(options, incident.id, file, sent),
    own: await countOwn(options, incident.id, incidentFacts(incident).updates, sent),
    isRemembered: sent.length > 0,
    unsettled: unsettled.filter((log) => isOfFile(options, log)),
  };
}

/** A pure function of the file, the incident and the journal. */
export function planTail(
  options: Pick<TimelineOptions, "client" | "clientIds" | "reopens" | "system">,
  incident: Incident,
  file: readonly Update[],
  { isRemembered, logs, own, unsettled }: Posted,
): Tail {
  const posted = new Map<number, string | undefined>();
  for (const at of file.keys()) {
    const log = logs.get(at);
    if (log === undefined || log.created !== undefined) posted.set(at, log?.created?.serviceId);
  }
  const { status: liveStatus, updates: shown } = incidentFacts(incident);
  const isShown = Array.isArray(incident.incidentUpdates);
  const nothing = { updates: [], count: 0, differences: [], isOver: false };
  // A service that shows no updates does not say that there are none. An incident has its first one.
  if (!isShown && posted.size === 0 && file.length === 1) return nothing;
  const planned = planTimeline({ file, shown, posted, own, isRemembered, liveStatus });
  const { isOver, mismatches, problem, tail, unpublished } = planned;
  // An update without a known outcome that the file no longer has: its text may have been corrected since.
  const ofFile = new Set([...logs.values()].map(({ key }) => key.id));
  const edited = tail.length > 0 ? unsettled.find(({ key }) => !ofFile.has(key.id)) : undefined;
  if (edited !== undefined) return { ...nothing, failure: removedFailure(options, edited) };
  const isKnown = (at = -1) => logs.get(at)?.uncertain === undefined;
  const told = isShown ? mismatches.filter(({ at }) => isKnown(at)) : [];
  const isPosted = problem === undefined || (problem === "resolved" && options.reopens);
  // A file that ends the incident has nothing to add to one that is over.
  const isDone = problem === "resolved" && !isPosted && file.at(-1)?.status === "RESOLVED";
  const lacking = isShown ? unpublished.filter(isKnown) : [];
  const failure = isPosted || isDone ? undefined : timelineFailure(options, incident, problem, tail.length);
  return {
    updates: [
      ...[...file.keys()].filter((at) => !isKnown(at) && !tail.includes(at)),
      ...(isPosted ? tail : []),
    ],
    count: isPosted ? tail.length : 0,
    differences: told.map((each) => differenceOf(each, file)),
    isOver: isOver && (tail.length === 0 || isDone),
    ...(isDone && { warning: describeNotPosted(incident, tail.length) }),
    failure: failure ?? (lacking.length > 0 ? unpublishedFailure(incident, lacking, file) : undefined),
  };
}

/** How many equal ones of each shown update were sent from here for a file, with the create or after it. */
async function countOwn(
  options: TimelineOptions,
  incidentId: string,
  shown: readonly UpdateFacts[],
  sent: readonly string[],
): Promise<(update: TimelineUpdate) => number> {
  const counts = new Map<string, number>();
  for (const update of shown) {
    // A service may leave a status out.
    for (const status of update.status === undefined ? [...statuses, undefined] : [update.status]) {
      const own = { ...update, status };
      const count = shown.filter((each) => isSameUpdate(each, own)).length;
      const logs = await readEqual(options, incidentId, own, count);
      const inCreate = sent.filter((digest) => digest === textDigest(own)).length;
      const posted = logs.filter((log) => log.created !== undefined && isOfFile(options, log)).length;
      counts.set(textDigest(update), Math.max(counts.get(textDigest(update)) ?? 0, inCreate + posted));
    }
  }
  return (update) => counts.get(textDigest(update)) ?? 0;
}

function differenceOf({ at, shown }: Mismatch, file: readonly Update[]): Difference {
  const field = at === undefined ? "incidentUpdates" : `incidentUpdates[${at}].description`;
  return { field, wanted: file[at ?? -1]?.description, found: shown?.description };
}

/** No command line has asked for it, and an alert only where this is one. */
function isOfFile({ named }: TimelineOptions, { change }: OperationLog): boolean {
  const isForAlert = named?.dedupKey !== undefined;
  return change?.kind === "update" && !change.isUnnumbered && (isForAlert || !change.isForAlert);
}

/** The logs of the updates that the create did not have, as the journal has them, by their places. */
export async function readUpdateLogs(
  { journal, service }: Pick<DeliveryOptions, "journal" | "service">,
  incidentId: string,
  file: readonly Update[],
  sent: readonly string[],
): Promise<ReadonlyMap<number, OperationLog>> {
  const logs = new Map<number, OperationLog>();
  for (const [at, update] of file.entries()) {
    const occurrence = occurrenceOf(file, at);
    const isInCreate = sent.filter((digest) => digest === textDigest(update)).length > occurrence;
    if (!isInCreate) logs.set(at, await journal.read(updateKey(service, incidentId, update, occurrence)));
  }
  return logs;
}
