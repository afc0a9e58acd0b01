// Which updates of a definition are still to be posted: those after the last one that the journal or the service has. Pure.
import { Failure } from "../../failure.ts";
import type { Difference } from "../../incident/comparison.ts";
import type { Update } from "../../incident/definition.ts";
import { type Mismatch, occurrenceOf, planTimeline } from "../../incident/timeline.ts";
import { isSameUpdate, type TimelineUpdate } from "../../incident/updates.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import { textDigest } from "../../journal/content.ts";
import type { OperationLog } from "../../journal/events.ts";
import type { Model } from "../../journal/model.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import {
  equalLogs,
  isOfFile,
  postedTo,
  type Recorded,
  unshownFailure,
  unshownUpdate,
  updateLog,
} from "../changes/known-updates.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { uncertainFailure } from "../failures.ts";
import { named, timelineFailure, unpublishedFailure } from "../incident-failures.ts";
import { unsettledUpdates } from "../unsettled.ts";

export interface TimelineOptions extends DeliveryOptions {
  /** `--reopen`: posts after a RESOLVED that the definition does not have. */
  readonly reopens: boolean;
}

/** The updates of a definition, and its incident and log as they were read. */
export interface ReadTimeline {
  readonly file: readonly Update[];
  readonly incident: Incident;
  readonly model: Model;
  /** Of the create. */
  readonly log: OperationLog;
}

export interface Tail {
  /** Places in the definition, in their order: those to post, and those before them whose outcome is not known. */
  readonly updates: readonly number[];
  /** Updates that the definition and the service do not have in the same words. */
  readonly differences: readonly Difference[];
  /** Whether the updates at its end are not posted, because a published text differs. */
  readonly isHeldBack?: boolean;
  /** A person has resolved the incident, and the definition has not. */
  readonly isOver: boolean;
  /** Says which updates are not posted, because a person has ended the incident already. */
  readonly warning?: string;
  /** Why not all of the definition is posted: nothing is sent, unless it is a drift. */
  readonly failure?: Failure | undefined;
}

export function planTail(options: TimelineOptions, { file, incident, log, model }: ReadTimeline): Tail {
  const recorded = { model, service: options.service };
  const sent = (log.created && log.parts?.updates) ?? [];
  const logs = updateLogs(recorded, incident.id, file, sent);
  const posted = new Map<number, string | undefined>();
  for (const at of file.keys()) {
    const update = logs.get(at);
    if (update === undefined || update.created !== undefined) posted.set(at, update?.created?.serviceId);
  }
  const { status: liveStatus, updates: shown } = incidentFacts(incident);
  const isShown = Array.isArray(incident.incidentUpdates);
  const nothing = { updates: [], differences: [], isOver: false };
  // A service that shows no updates does not say that there are none. An incident has its first one.
  if (!isShown && posted.size === 0 && file.length === 1) return nothing;
  const own = (update: TimelineUpdate) => countOwn(recorded, incident, sent, update);
  const isRemembered = sent.length > 0;
  const asPublished = [...file.keys()].map((at) => publishedAs(file[at] as Update, logs.get(at), shown));
  const planned = planTimeline({ file: asPublished, shown, posted, own, isRemembered, liveStatus });
  const { isOver, mismatches, problem, tail, unpublished } = planned;
  // An update without a known outcome that the file no longer has: its text may have been corrected since.
  const ofFile = new Set([...logs.values()].map(({ key }) => key.id));
  const isEdited = (each: OperationLog) => isOfFile(each) && !ofFile.has(each.key.id);
  const edited = tail.length > 0 ? unsettledUpdates(model, incident.id).find(isEdited) : undefined;
  if (edited !== undefined) {
    const cause = new Failure("drift", "its definition no longer has it", { hint: "" });
    return { ...nothing, failure: uncertainFailure(options, edited, cause) };
  }
  const isKnown = (at = -1) => logs.get(at)?.uncertain === undefined;
  const told = isShown ? mismatches.filter(({ at }) => isKnown(at)) : [];
  const unshown = unshownUpdate(incident, postedTo(model, incident.id), options.system);
  // The journal knows the updates that the file posted.
  if (tail.length > 0 && unshown !== undefined && !isOfFile(unshown) && !options.reopens)
    return { ...nothing, failure: unshownFailure(options, unshown) };
  const isPosted = problem === undefined || (problem === "resolved" && options.reopens);
  // A file that ends the incident has nothing to add to one that is over.
  const isDone = problem === "resolved" && !isPosted && file.at(-1)?.status === "RESOLVED";
  const isTold = (at: number) => told.some((each) => each.at === at);
  const heldBack = problem === "changed" ? tail.filter((at) => !isTold(at)) : [];
  const lacking = isShown ? unpublished.filter(isKnown) : [];
  const failure = isPosted || isDone ? undefined : timelineFailure(options, incident, problem);
  return {
    updates: [
      ...[...file.keys()].filter((at) => !isKnown(at) && !tail.includes(at)),
      ...(isPosted ? tail : []),
    ],
    differences: [...told, ...heldBack.map((at) => ({ at }))].map((each) => differenceOf(each, file)),
    isHeldBack: heldBack.length > 0,
    isOver: isOver && (tail.length === 0 || isDone),
    ...(isDone && {
      warning: `${named(incident)} is resolved already: the rest of its definition is not posted; incident apply -f FILE --reopen posts after it`,
    }),
    failure: failure ?? (lacking.length > 0 ? unpublishedFailure(incident, lacking, file) : undefined),
  };
}

/** The update in the words of the service, where its answer to the post had changed the text to one that is shown. */
function publishedAs(
  update: Update,
  log: OperationLog | undefined,
  shown: readonly TimelineUpdate[],
): TimelineUpdate {
  const digest = log?.altered?.description;
  const own = digest && shown.find(({ description = "" }) => jsonDigest(description) === digest);
  return own ? { ...update, description: own.description } : update;
}

/** How many equal ones of a shown update were sent from here for a file, with the create or after it. */
function countOwn(
  recorded: Recorded,
  incident: Incident,
  sent: readonly string[],
  update: TimelineUpdate,
): number {
  const { updates: shown } = incidentFacts(incident);
  // A service may leave a status out.
  const counts = (update.status === undefined ? [...statuses, undefined] : [update.status]).map((status) => {
    const own = { ...update, status };
    const count = shown.filter((each) => isSameUpdate(each, own)).length;
    const logs = equalLogs(recorded, incident.id, own, count);
    const posted = logs.filter((log) => log.created !== undefined && isOfFile(log)).length;
    return sent.filter((digest) => digest === textDigest(own)).length + posted;
  });
  const isRecorded = ({ created }: OperationLog) =>
    created?.serviceId.toLowerCase() === update.id?.toLowerCase();
  // One that the service shows in other words than it was sent in.
  const isKnownById = postedTo(recorded.model, incident.id).some((log) => isOfFile(log) && isRecorded(log));
  return Math.max(...counts, isKnownById ? 1 : 0);
}

function differenceOf({ at, shown }: Mismatch, file: readonly Update[]): Difference {
  const field = at === undefined ? "incidentUpdates" : `incidentUpdates[${at}].description`;
  return { field, wanted: file[at ?? -1]?.description, found: shown?.description };
}

/** The operations of the updates that the create did not have, by their places. `sent`: of the create. */
export function updateLogs(
  recorded: Recorded,
  incidentId: string,
  file: readonly Update[],
  sent: readonly string[],
): ReadonlyMap<number, OperationLog> {
  const logs = new Map<number, OperationLog>();
  for (const [at, update] of file.entries()) {
    const occurrence = occurrenceOf(file, at);
    const isInCreate = sent.filter((digest) => digest === textDigest(update)).length > occurrence;
    if (!isInCreate) logs.set(at, updateLog(recorded, incidentId, update, occurrence));
  }
  return logs;
}
