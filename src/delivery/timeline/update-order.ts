// Finds the updates of a file that are still to be posted, and those that differ from the published ones. Pure. A file is a
// timeline, oldest first, that grows at its end. Published updates are counted, and their order in a list is not compared.
import type { AddUpdate } from "../../document/contract.ts";
import { updateBody } from "../../document/update-body.ts";
import { Failure } from "../../failure.ts";
import type { Difference } from "../../incident/comparison.ts";
import type { Definition, Update } from "../../incident/definition.ts";
import {
  hasSameStatus,
  isAfterResolved,
  isSameUpdate,
  occurrenceOf,
  type TimelineUpdate,
} from "../../incident/updates.ts";
import { statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts, isSameId } from "../../incident/wire.ts";
import { textDigest } from "../../journal/content.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import { findByDigest, findById, type Model, operationIn, unsettledUpdates } from "../../journal/model.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import {
  isOfFile,
  postedTo,
  unshownUpdate,
  updateDigest,
  updateKey,
  wereSilent,
} from "../changes/known-updates.ts";
import type { PostRequest } from "../changes/update-operation.ts";
import { behindFailure } from "../creates/declared.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import {
  describeIncident,
  silentFailure,
  type TimelineProblem,
  timelineFailure,
  uncertainFailure,
  unpublishedFailure,
} from "../failures.ts";

export interface ChangeOptions extends DeliveryOptions {
  /** `--reopen`: posts after a RESOLVED that the definition does not have. */
  readonly reopens: boolean;
  /** `--force`: writes the values of the definition over those that a person changed at the service. */
  readonly overwrites: boolean;
}

export interface ReadIncident {
  readonly incident: Incident;
  readonly definition: Definition;
  /** The definition as a create, with all updates. */
  readonly content: Content;
  readonly model: Model;
  /** The log of the create. */
  readonly log: OperationLog;
}

/** The updates of a file after its last published one. */
export interface Tail {
  /** The updates whose outcome is not known, then those to post, in the order of the file. */
  readonly posts: readonly Pick<PostRequest, "log" | "reopens" | "update">[];
  /** Whether an update of the file was posted from here, or is shown by an incident that was found. */
  readonly hasPublished: boolean;
  /** Updates with other texts in the file and at the service. */
  readonly differences: readonly Difference[];
  /** Whether updates of the tail are not posted, because a published text differs. */
  readonly isHeldBack?: boolean;
  /** The incident is resolved at the service, and not by the file. */
  readonly isOver: boolean;
  readonly warning?: string;
  /** Why updates of the file are not posted. Unless it is a drift, nothing is sent. */
  readonly failure?: Failure | undefined;
}

/** `addUpdate`: the operation of the service for an added update, where it is known. */
export function planTail(
  options: ChangeOptions,
  { definition, incident, log: create, model }: ReadIncident,
  addUpdate: AddUpdate | undefined,
): Tail {
  const file = definition.incidentUpdates;
  const sent = (create.created && create.parts?.updates) ?? [];
  const { status: liveStatus, updates: shown } = incidentFacts(incident);
  const planned = file.map((update, at) => {
    const occurrence = occurrenceOf(file, at);
    const isInCreate = sent.filter((digest) => digest === textDigest(update)).length > occurrence;
    const key = updateKey(options.service, incident.id, update, occurrence);
    const log = isInCreate ? create : operationIn(model, key);
    const isSent = log.created !== undefined || log.uncertain !== undefined;
    const serviceId = log === create ? undefined : log.created?.serviceId;
    const reopens = options.reopens || isAfterResolved(file, at);
    return { ...publishedAs(update, log, shown), update, log, isSent, serviceId, reopens };
  });
  const posted = postedTo(model, incident.id);
  // An incident that was declared from here can show a text of a person that another file has as well.
  const known = create.parts?.updates.length ? [] : shown;
  const hasPublished = planned.some(
    ({ log, update }) => log.created !== undefined || known.some((each) => isSameUpdate(each, update)),
  );
  const nothing = { posts: [], hasPublished, differences: [], isOver: false };
  // Every incident has its first update, also where the service shows none.
  const hasFirst = !Array.isArray(incident.incidentUpdates) && file.length === 1 && sent.length === 0;
  const { isOver, mismatches, problem, states } = planTimeline({
    file: planned,
    shown: hasFirst ? file : shown,
    own: (update) => countOwn(model, incident, sent, update),
    // An incident that was found, and not declared for this file, has updates of commands and of people.
    isRemembered: sent.length > 0 && create.events.some(({ type }) => type === "sending"),
    liveStatus,
  });
  const hasTail = states.at(-1) === "tail";
  // The text of an update may have been corrected in the file while its outcome was not known.
  const isLeft = (each: OperationLog) =>
    isOfFile(each) && !planned.some(({ log }) => log.key.id === each.key.id);
  const left = unsettledUpdates(model, incident.id).find(isLeft);
  if (left !== undefined) {
    const cause = new Failure("drift", "its definition no longer has it", { hint: "" });
    return { ...nothing, failure: uncertainFailure(options, left, cause) };
  }
  const unshown = unshownUpdate(incident, posted, options.system);
  // The file's own updates are known from the journal, so only another's can be missed.
  if (hasTail && unshown !== undefined && !isOfFile(unshown) && !options.reopens)
    return { ...nothing, failure: behindFailure(options, unshown) };
  const isAfterEnd = problem === "resolved" || problem === "reopened";
  const isPosted = problem === undefined || (isAfterEnd && options.reopens);
  // A file that ends in RESOLVED adds nothing to a resolved incident.
  const isDone = problem === "resolved" && !isPosted && file.at(-1)?.status === "RESOLVED";
  const silent = planned.findIndex(({ log, update }, at) => {
    const isPublished = liveStatus !== "RESOLVED" && states[at] === "published" && !log.uncertain;
    // The update as it would be sent: a service may take no notification with an added update.
    const own = log === create ? update : addUpdate && updateBody(addUpdate, update);
    const equal = shown.filter((each) => isSameUpdate(each, update));
    return isPublished && own?.notifySubscribers && wereSilent([log], equal);
  });
  const held = isPosted || isDone ? undefined : timelineFailure(options, incident, problem);
  const failure = silent >= 0 ? silentFailure(incident, `incidentUpdates[${silent}]`) : held;
  // A drift does not prevent the look for an update with an unknown outcome.
  const unsettled = failure?.kind === "rejected" && planned.find(({ log }) => log.uncertain)?.log;
  if (unsettled) return { ...nothing, failure: uncertainFailure(options, unsettled, undefined) };
  const lacking = [...states.keys()].filter((at) => states[at] === "lacking");
  return {
    // An update whose outcome is not known is looked for before any other is posted.
    posts: planned.filter(({ log }, at) => log.uncertain || (isPosted && states[at] === "tail")),
    hasPublished,
    differences: mismatches.map(({ at, shown }) => ({
      field: at < 0 ? "incidentUpdates" : `incidentUpdates[${at}].description`,
      wanted: file[at]?.description,
      found: shown?.description,
    })),
    isHeldBack: mismatches.some(({ at, shown }) => shown === undefined && states[at] === "tail"),
    isOver: isOver && (!hasTail || isDone),
    ...(isDone && {
      warning: `${describeIncident(incident)} is resolved already: the rest of its definition is not posted; apply with --reopen posts after it`,
    }),
    failure: failure ?? (lacking.length > 0 ? unpublishedFailure(incident, lacking, file) : undefined),
  };
}

/** The update with the text that the service shows, where the service altered it when it was posted. */
function publishedAs(update: Update, log: OperationLog, shown: readonly TimelineUpdate[]): TimelineUpdate {
  const digest = log.altered?.description;
  const own = digest && shown.find(({ description = "" }) => jsonDigest(description) === digest);
  return own ? { ...update, description: own.description } : update;
}

/** The number of updates equal to a shown one that were sent from here for a file, with the create or after it. */
function countOwn(model: Model, incident: Incident, sent: readonly string[], update: TimelineUpdate): number {
  // A service may leave a status out.
  const counts = (update.status === undefined ? [...statuses, undefined] : [update.status]).map((status) => {
    const own = { ...update, status };
    const logs = findByDigest(model, updateDigest(incident.id, own));
    const posted = logs.filter((log) => log.created !== undefined && isOfFile(log)).length;
    return sent.filter((digest) => digest === textDigest(own)).length + posted;
  });
  // The service may show the update with an altered text.
  const isOwn = (log: OperationLog) => isOfFile(log) && isSameId(log.change?.incidentId, incident.id);
  const isKnownById = update.id !== undefined && findById(model, update.id).some(isOwn);
  return Math.max(...counts, isKnownById ? 1 : 0);
}

interface FileUpdate extends TimelineUpdate {
  /** It was posted from here, or its outcome is not known. */
  readonly isSent: boolean;
  /** The service's own id of an update that the create did not have. */
  readonly serviceId?: string | undefined;
}

interface TimelineFacts {
  readonly file: readonly FileUpdate[];
  readonly shown: readonly TimelineUpdate[];
  /** The number of updates equal to a shown one that were posted from here for the file. */
  readonly own: (update: TimelineUpdate) => number;
  /** Whether the journal knows which updates the incident was declared with. */
  readonly isRemembered: boolean;
  readonly liveStatus: string | undefined;
}

/** `at`: the place in the file; -1 for an update that only the service has. `shown`: the update at the service. */
interface Mismatch {
  readonly at: number;
  readonly shown?: TimelineUpdate;
}

/** `states`: of each update of the file. A `lacking` one is before the last published one, and was never posted. */
export function planTimeline(facts: TimelineFacts) {
  const { file, liveStatus } = facts;
  const { found, others } = match(facts);
  const isPublished = file.map(({ isSent }, at) => isSent || found[at] !== undefined);
  const last = isPublished.lastIndexOf(true);
  const states = isPublished.map((published, at) => {
    if (at > last) return "tail";
    return published ? "published" : "lacking";
  });
  const removed = removedFrom(facts, others, file[last + 1]);
  const pairs = others.filter((update) => !file.some((each) => isSameUpdate(each, update)));
  const pairOf = (at: number) => {
    const isPair = (each: TimelineUpdate) =>
      hasSameStatus(file[at], each) && (at <= last || removed.includes(each));
    const place = pairs.findIndex(isPair);
    return place < 0 ? undefined : pairs.splice(place, 1)[0];
  };
  const mismatches = file.flatMap((update, at): Mismatch[] => {
    const shown = found[at] ?? pairOf(at);
    if (shown !== undefined) return isSameUpdate(update, shown) ? [] : [{ at, shown }];
    return states[at] === "lacking" || (states[at] === "tail" && removed.length > 0) ? [{ at }] : [];
  });
  const unpaired = removed.filter((update) => !mismatches.some(({ shown }) => shown === update));
  const lastStatus = file.slice(0, last + 1).findLast(({ status }) => status)?.status;
  const isOver = liveStatus === "RESOLVED" && lastStatus !== "RESOLVED";
  // The RESOLVED of the file may be that before the incident was reopened, which a person posted.
  const isOpen = liveStatus !== undefined && liveStatus !== "RESOLVED";
  const hasOtherEnd = pairs.some(({ status }) => status === "RESOLVED");
  const isReopened = isOpen && hasOtherEnd && file.at(-1)?.status === "RESOLVED";
  const findProblem = (): TimelineProblem | undefined => {
    if (removed.length > 0) return "changed";
    if (states.at(-1) !== "tail") return undefined;
    if (last < 0) return "nothing-published";
    if (isOver) return "resolved";
    return isReopened ? "reopened" : undefined;
  };
  const problem = findProblem();
  mismatches.push(...unpaired.map((shown) => ({ at: -1, shown })));
  return { states, isOver, mismatches, problem };
}

/** The shown update for each place in the file: by its id, else an equal one. */
function match({ file, shown }: TimelineFacts) {
  const others = [...shown];
  const found: (TimelineUpdate | undefined)[] = file.map(() => undefined);
  const take = (isIt: (at: number, update: TimelineUpdate) => boolean) => {
    for (const at of found.keys()) {
      const place = found[at] ? -1 : others.findIndex((update) => isIt(at, update));
      if (place >= 0) [found[at]] = others.splice(place, 1);
    }
  };
  take((at, { id }) => isSameId(id, file[at]?.serviceId) || isSameId(id, file[at]?.id));
  take((at, update) => isSameUpdate(file[at] as TimelineUpdate, update));
  return { found, others };
}

/** The shown updates of the file that it lacks now. Without a memory, a text with the status of the next update counts as well. */
function removedFrom(
  { file, isRemembered, own }: TimelineFacts,
  others: readonly TimelineUpdate[],
  next: TimelineUpdate | undefined,
): readonly TimelineUpdate[] {
  return others.filter((update, at) => {
    const inFile = countIn(file, update);
    if (countIn(others.slice(0, at), update) < own(update) - inFile) return true;
    return !isRemembered && inFile === 0 && next?.status !== "RESOLVED" && hasSameStatus(next, update);
  });
}

function countIn(list: readonly TimelineUpdate[], update: TimelineUpdate): number {
  return list.filter((each) => isSameUpdate(each, update)).length;
}
