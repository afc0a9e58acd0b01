// Decides whether an update that no file numbers is posted: not where an equal one is shown or was posted from here, and
// not after a RESOLVED.
import type { Update } from "../../incident/definition.ts";
import { goesBack, isSameUpdate, lastUpdates } from "../../incident/updates.ts";
import { type Incident, incidentFacts, isResolved, type UpdateFacts } from "../../incident/wire.ts";
import type { OperationLog } from "../../journal/events.ts";
import type { OperationOptions } from "../delivery-options.ts";
import { missingFailure } from "../failures.ts";
import { movedOnFailure, resolvedFailure, silentFailure } from "../incident-failures.ts";
import type { Posted } from "./post-once.ts";
import { type Recorded, updateLog } from "./update-identity.ts";
import type { PostRequest } from "./update-operation.ts";

export interface UnnumberedUpdate {
  /** The service's own id of the incident. */
  readonly incidentId: string;
  readonly entry: Update;
  /** `--new`: posts it even if an equal one is there, or the outcome of an equal one is not known. */
  readonly isNew: boolean;
  /** `incident resolve`: a resolved incident is the answer, with any text. */
  readonly isResolving?: boolean;
  /** `--reopen`: posts it after a RESOLVED as well. */
  readonly reopens: boolean;
  /** An alert says the same text each time that it fires again: only the last update counts. */
  readonly isForAlert?: boolean;
}

/** `incident`: as it was read. */
export type PlannedUpdate = { readonly incident: Incident } & (
  | { readonly is: "posted-before"; readonly posted: Posted }
  /** `goesBack`: the status of the incident, where it is a later one. */
  | {
      readonly is: "to-post";
      readonly request: PostRequest;
      readonly goesBack: string | undefined;
      readonly equalOnes: EqualOnes;
    }
);

/** The numbers of equal updates before this one: as the journal and as the service have them. */
export interface EqualOnes {
  readonly posted: number;
  readonly shown: number;
}

/**
 * Reads the journal, and then the incident: an update of another process in between is in one of the two. An update
 * whose outcome is not known is taken up first. Sends nothing. Throws a `Failure` "rejected" where nothing may be
 * posted, and "drift" where an equal one was posted and the status has moved on.
 */
export async function planUpdate(
  options: OperationOptions,
  update: UnnumberedUpdate,
): Promise<PlannedUpdate> {
  const { client, journal, service, system } = options;
  const { entry, incidentId, isForAlert = false, isNew, isResolving = false, reopens } = update;
  const recorded = { model: await journal.model(service), service };
  const { finished, log, occurrence } = chooseOperation(recorded, update);
  const incident = await client.findIncident(incidentId);
  if (incident === undefined) throw await missingFailure(options, incidentId);
  const readAt = system.clock.monotonic();
  const { status, updates } = incidentFacts(incident);
  const request: PostRequest = { incident, readAt, entry, occurrence, reopens, log, isUnnumbered: true };
  const own = new Set(finished.map(({ created }) => created?.serviceId.toLowerCase()));
  // A person may have corrected the text since.
  const isEqual = (each: UpdateFacts) =>
    isSameUpdate(each, entry) ||
    (each.status === entry.status && each.id !== undefined && own.has(each.id.toLowerCase()));
  const equal = (isForAlert ? lastUpdates(incident) : updates).filter(isEqual);
  const toPost: PlannedUpdate = {
    is: "to-post",
    incident,
    request,
    goesBack: goesBack(status, entry.status) ? status : undefined,
    equalOnes: { posted: finished.length, shown: equal.length },
  };
  if (log.uncertain !== undefined) return toPost;
  const isKnown = equal.length > 0 || (!isForAlert && finished.length > 0);
  const since = finished.at(-1)?.created?.at;
  if (!isNew && isKnown) {
    if (entry.notifySubscribers && isSilent(equal, finished)) throw silentFailure(incident);
    if (!isForAlert && status !== undefined && status !== entry.status)
      throw movedOnFailure(options, incident, entry, since);
    return {
      is: "posted-before",
      incident,
      posted: { how: "posted-before", incident, readAt, ...(since && { since }) },
    };
  }
  if (isResolving && isResolved(incident))
    return { is: "posted-before", incident, posted: { how: "posted-before", incident, readAt } };
  if (isResolved(incident) && !reopens) throw resolvedFailure(options, incident);
  return toPost;
}

/** An update that does not say whether it notified, and that was not posted from here, proves nothing. */
function isSilent(shown: readonly UpdateFacts[], posted: readonly OperationLog[]): boolean {
  if (posted.length > 0) return posted.every(({ change }) => change?.kind === "update" && !change.notify);
  return shown.every(({ notified }) => notified === false);
}

/** The operation of the update: an unfinished one of the same text, else the next. `finished`: those before it. */
function chooseOperation(recorded: Recorded, { entry, incidentId, isNew }: UnnumberedUpdate) {
  const finished: OperationLog[] = [];
  for (let occurrence = 0; ; occurrence += 1) {
    const log = updateLog(recorded, incidentId, entry, occurrence);
    if (log.state === "created") finished.push(log);
    else if (!isNew || log.uncertain === undefined) return { finished, log, occurrence };
  }
}
