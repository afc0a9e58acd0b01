// Decides whether an update of a command line is posted: not where an equal one is shown or was posted from here, and not after
// a RESOLVED.
import { Failure } from "../../failure.ts";
import type { Update } from "../../incident/definition.ts";
import { isSameUpdate } from "../../incident/updates.ts";
import { ranksBefore, statuses } from "../../incident/values.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { OperationLog, ServiceKey } from "../../journal/events.ts";
import { findByDigest, type Model, operationIn } from "../../journal/model.ts";
import { behindFailure, checkShown, readKnown } from "../creates/declared.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { movedOnFailure, resolvedFailure, silentFailure } from "../failures.ts";
import { postedTo, unshownUpdate, updateDigest, updateKey, wereSilent } from "./known-updates.ts";
import type { Posted, PostRequest } from "./update-operation.ts";

export interface UnnumberedUpdate {
  readonly incidentId: string;
  /** `keptStatus` adds a missing status. */
  readonly update: Update;
  /** `--new`: posts it even if an equal one is there, or the outcome of an equal one is not known. */
  readonly isNew: boolean;
  /** `incident resolve` posts nothing to a resolved incident, even if its last text is another. */
  readonly isResolving?: boolean;
  readonly reopens: boolean;
}

export interface PlannedUpdate {
  readonly request: PostRequest;
  /** The result where nothing is to be posted. */
  readonly posted?: Posted;
  /** The status of the incident, where that of the update is an earlier one. */
  readonly goesBack: string | undefined;
  /** The numbers of equal updates that were posted from here, and that the service shows. */
  readonly equalOnes: { readonly posted: number; readonly shown: number };
}

/**
 * Reads the journal before the incident, so that an update of another process in between is in one of the two. Sends nothing.
 * Throws a `Failure` "rejected" where nothing may be posted, "drift" where an equal one was posted and the status has moved on,
 * and "unavailable" where the read is behind.
 */
export async function planUpdate(options: DeliveryOptions, wanted: UnnumberedUpdate): Promise<PlannedUpdate> {
  const { journal, service, system } = options;
  const { incidentId, isNew, isResolving = false, reopens } = wanted;
  const model = await journal.model(service);
  const incident = await readKnown(options, incidentId);
  const { status, updates } = incidentFacts(incident);
  const update = { ...wanted.update, status: wanted.update.status ?? keptStatus(model, incident, wanted) };
  const { finished, log } = chooseOperation(model, service, { ...wanted, update });
  const request: PostRequest = { incident, update, log, reopens, isUnnumbered: true };
  const equal = updates.filter((each) => isSameUpdate(each, update));
  const planned: PlannedUpdate = {
    request,
    goesBack: ranksBefore(statuses, update.status, status) ? status : undefined,
    equalOnes: { posted: finished.length, shown: equal.length },
  };
  if (log.uncertain !== undefined) return planned;
  if (!reopens && status !== undefined && !isResolved(incident)) checkShown(options, model, incident);
  const own = postedTo(model, incidentId);
  const unshown = isNew ? undefined : unshownUpdate(incident, own, system);
  if (unshown !== undefined) throw behindFailure(options, unshown);
  const isKnown = equal.length > 0 || finished.length > 0;
  const since = finished.at(-1)?.created?.at;
  if (!isNew && isKnown) {
    if (status !== undefined && status !== update.status)
      throw movedOnFailure(options, incident, update, since);
    if (update.notifySubscribers && wereSilent(finished, equal)) throw silentFailure(incident);
    return { ...planned, posted: { how: "posted-before", incident, since } };
  }
  if (isResolving && isResolved(incident)) {
    const ends = updates.filter((each) => each.status === "RESOLVED");
    const sent = own.filter(({ change }) => change?.kind === "update" && change.status === "RESOLVED");
    if (update.notifySubscribers && wereSilent(sent, ends)) throw silentFailure(incident);
    return { ...planned, posted: { how: "posted-before", incident } };
  }
  if (isResolved(incident) && !reopens) throw resolvedFailure(options, incident);
  return planned;
}

/** A status with which its text was sent or is shown, else that of the incident. Throws a `Failure` "usage" where it has none. */
function keptStatus(model: Model, incident: Incident, { incidentId, isNew, update }: UnnumberedUpdate) {
  const { status, updates } = incidentFacts(incident);
  const current = statuses.find((each) => each === status);
  const used = statuses.filter((each) => {
    const one = { ...update, status: each };
    const logs = findByDigest(model, updateDigest(incidentId, one));
    const isShown = updates.some((shown) => shown.status === each && isSameUpdate(shown, one));
    return !isNew && (isShown || logs.some(({ created, uncertain }) => created ?? uncertain));
  });
  const kept = used.find((each) => each === current) ?? used[0] ?? current;
  if (kept !== undefined) return kept;
  throw new Failure("usage", `incident ${incidentId} is shown without a status that can be kept`, {
    hint: `add --status ${statuses.join(", ").toLowerCase()}; nothing was sent`,
  });
}

/** The unfinished operation of an equal update, else a new one. `finished`: those before it. */
function chooseOperation(model: Model, service: ServiceKey, { incidentId, isNew, update }: UnnumberedUpdate) {
  const finished: OperationLog[] = [];
  for (let occurrence = 0; ; occurrence += 1) {
    const log = operationIn(model, updateKey(service, incidentId, update, occurrence));
    if (log.state === "created") finished.push(log);
    else if (!isNew || log.uncertain === undefined) return { finished, log };
  }
}
