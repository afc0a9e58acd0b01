// Decides whether an update that no file numbers is posted: not where the last update is equal, and not after a RESOLVED.

import type { Update } from "../../incident/definition.ts";
import { goesBack, isSameUpdate, lastUpdates } from "../../incident/updates.ts";
import { incidentFacts, isResolved, type UpdateFacts } from "../../incident/wire.ts";
import { isAcknowledged } from "../../journal/claims.ts";
import { type OperationLog, wasConfirmedAs } from "../../journal/events.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { hiddenFailure, missingFailure, resolvedFailure, silentFailure } from "./change-failures.ts";
import type { Posted, PostRequest } from "./post-once.ts";
import { updateKey } from "./update-identity.ts";
import { openUpdateMemory } from "./update-memory.ts";

export interface UnnumberedUpdate {
  /** The service's own id of the incident. */
  readonly incidentId: string;
  readonly entry: Update;
  /** `--new`: posts it even if the last update is equal, or the outcome of an equal one is not known. */
  readonly isNew: boolean;
  /** `incident resolve`: a resolved incident is the answer, with any text. */
  readonly isResolving?: boolean;
  /** `--reopen`: posts it after a RESOLVED as well. */
  readonly reopens: boolean;
}

export type PlannedUpdate =
  | { readonly is: "posted-before"; readonly posted: Posted }
  /** `goesBack`: the status of the incident, where it is a later one. */
  | { readonly is: "to-post"; readonly request: PostRequest; readonly goesBack: string | undefined };

/**
 * Reads the journal, and then the incident: an update of another process in between is in one of the two. An update
 * whose outcome is not known is taken up first. Sends nothing. Throws a `Failure` "rejected" where nothing may be
 * posted.
 */
export async function planUpdate(options: DeliveryOptions, update: UnnumberedUpdate): Promise<PlannedUpdate> {
  const { client, notes, service, system } = options;
  const { entry, incidentId, isNew, isResolving = false, reopens } = update;
  const { finished, log, occurrence } = await chooseOperation(options, update);
  const incident = await client.findIncident(incidentId);
  if (incident === undefined) throw await missingFailure(options, incidentId);
  const readAt = system.clock.monotonic();
  const request: PostRequest = { incident, readAt, entry, occurrence, reopens, log, isUnnumbered: true };
  const { status, updates } = incidentFacts(incident);
  const toPost: PlannedUpdate = {
    is: "to-post",
    request,
    goesBack: goesBack(status, entry.status) ? status : undefined,
  };
  if (!isNew && log.created !== undefined) {
    if (entry.notifySubscribers && wasSilent(undefined, log)) throw silentFailure(incident);
    const { at: since } = log.created;
    return { is: "posted-before", posted: { how: "posted-before", incident, readAt, since, log } };
  }
  if (log.uncertain !== undefined || log.state === "created") return toPost;
  const newest = finished.at(-1);
  const own = new Set(finished.map(({ created }) => created?.serviceId.toLowerCase()));
  const isOwn = (each: UpdateFacts) => each.id !== undefined && own.has(each.id.toLowerCase());
  if (!isNew) {
    const order = openUpdateMemory(notes, service).order();
    // A person may have corrected the text since.
    const last = lastUpdates(incident, order).find(
      (each) => isSameUpdate(each, entry) || (isOwn(each) && each.status === entry.status),
    );
    if (last !== undefined) {
      if (entry.notifySubscribers && wasSilent(last, newest)) throw silentFailure(incident);
      const since = newest?.created?.at;
      return {
        is: "posted-before",
        posted: { how: "posted-before", incident, readAt, ...(since && { since }) },
      };
    }
  }
  if (isResolving && isResolved(incident))
    return { is: "posted-before", posted: { how: "posted-before", incident, readAt } };
  const shown = updates.filter((each) => isSameUpdate(each, entry) || isOwn(each));
  if (!isNew && newest !== undefined && shown.length < finished.length) throw hiddenFailure(incident, newest);
  if (isResolved(incident) && !reopens) throw resolvedFailure(options, incident);
  return toPost;
}

/** An update that does not say whether it notified, and that was not posted from here, proves nothing. */
function wasSilent(shown: UpdateFacts | undefined, posted: OperationLog | undefined): boolean {
  if (posted?.change?.kind === "update") return !posted.change.notify;
  return shown?.notified === false;
}

/**
 * The operation of the update: an unfinished one of the same text, or one that nobody was told of, else the next.
 * `finished`: those before it.
 */
async function chooseOperation(
  { confirmed, journal, service, system }: DeliveryOptions,
  { entry, incidentId, isNew }: UnnumberedUpdate,
) {
  const finished: OperationLog[] = [];
  for (let occurrence = 0; ; occurrence += 1) {
    const log = await journal.read(updateKey(service, incidentId, entry, occurrence));
    // A confirmation is for one update.
    if (isNew && wasConfirmedAs(log, confirmed)) return { finished, log, occurrence };
    const isToldOf = !isUnnumbered(log) || isAcknowledged({ system }, log);
    if (log.state === "created" && (isNew || isToldOf)) finished.push(log);
    else if (!isNew || log.uncertain === undefined) return { finished, log, occurrence };
  }
}

function isUnnumbered({ change }: OperationLog): boolean {
  return change?.kind === "update" && change.isUnnumbered === true;
}
