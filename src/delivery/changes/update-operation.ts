// An update as an operation: it is found by its id where the service keeps it, else by its content, as the one new equal
// update that was not there before and that no other operation claims.

import { propertiesOf } from "../../document/json-schema.ts";
import type { AddUpdate } from "../../document/operations.ts";
import { updateBody } from "../../document/update-body.ts";
import { Failure } from "../../failure.ts";
import { describeDifferences } from "../../incident/comparison.ts";
import type { SentUpdate } from "../../incident/create-body.ts";
import { isSameUpdate } from "../../incident/updates.ts";
import { statuses } from "../../incident/values.ts";
import {
  type Incident,
  type IncidentFacts,
  incidentFacts,
  isResolved,
  type UpdateFacts,
} from "../../incident/wire.ts";
import type { ClientIds } from "../../journal/client-ids.ts";
import type { Change, ChangeContent, OperationKey, OperationLog } from "../../journal/events.ts";
import type { DeliveryOptions, Found, Looked, Operation, Sent } from "../delivery-options.ts";
import { judgeEnding } from "../endings.ts";
import { ambiguousFailure, missingFailure } from "../failures.ts";
import { resolvedFailure, statusFailure } from "../incident-failures.ts";
import { readWithin } from "../read-back.ts";
import { equalLogs, firstSending, namesOf, updateDigest, updateKey } from "./update-identity.ts";

/** The most names of updates that an attempt keeps. Services show the latest 100. */
const mostNames = 100;

export interface UpdateRequest {
  /** As it was read last. */
  readonly incident: Incident;
  readonly update: SentUpdate;
  /** The number of equal updates before it, from 0. */
  readonly occurrence: number;
  /** The incident is read again before the update is sent. */
  readonly isStale: boolean;
  /** It may follow a RESOLVED. */
  readonly reopens: boolean;
  readonly isForAlert?: boolean | undefined;
  readonly isUnnumbered?: boolean | undefined;
  /** The status that the incident must have right before each attempt. */
  readonly ifStatus?: string | undefined;
  readonly log?: OperationLog | undefined;
  /** The identity in the journal, where the text may be gone from it. */
  readonly logged?: { readonly key: OperationKey; readonly digest: string } | undefined;
  /** Undefined where nothing may be sent, as for one more look. */
  readonly addUpdate: AddUpdate | undefined;
  readonly ids: () => ClientIds;
}

/** One more look for an update that the journal has, perhaps without its text. It must not be sent. */
export function loggedUpdate(options: DeliveryOptions, log: OperationLog, incident: Incident): Operation {
  const { change, digest = "", key } = log;
  const { description = "", notify = false, status } = change?.kind === "update" ? change : {};
  const known = statuses.find((each) => each === status);
  return updateOperation(options, {
    incident,
    update: { description, notifySubscribers: notify, ...(known && { status: known }) },
    occurrence: 0,
    isStale: false,
    reopens: false,
    log,
    logged: { key, digest },
    addUpdate: undefined,
    ids: () => options.clientIds("update"),
  });
}

/** `latest`: the incident as it was read last. */
export function updateOperation(
  options: DeliveryOptions,
  request: UpdateRequest,
): Operation & { readonly latest: () => Incident } {
  const { client, reporter, service, settleFor } = options;
  const { addUpdate, isStale, log, occurrence, reopens, update } = request;
  let { incident } = request;
  const incidentId = incident.id;
  const key = request.logged?.key ?? updateKey(service, incidentId, update, occurrence);
  const sentId = update.id?.toLowerCase() ?? key.id;
  const digest = request.logged?.digest ?? updateDigest(incidentId, update);
  const change: Change = {
    kind: "update",
    incidentId,
    status: update.status,
    notify: (addUpdate ? updateBody(addUpdate, update) : update).notifySubscribers ?? false,
    description: update.description,
    ...(isResolved(incident) && update.status !== "RESOLVED" && { reopens: true }),
    ...(request.isForAlert && { isForAlert: true }),
    ...(request.isUnnumbered && { isUnnumbered: true }),
  };
  const content: ChangeContent = { change, digest, name: incidentFacts(incident).name };
  const takesId = addUpdate !== undefined && propertiesOf(addUpdate.body).has("id");
  const read = async (budget: number): Promise<Incident> => {
    const found = await client.findIncident(incidentId, { budget });
    if (found === undefined) throw await missingFailure(options, incidentId);
    incident = found;
    return found;
  };
  const atStart = incident;
  const ownIn = (log: OperationLog) =>
    findOwn(options, { ...request, incident, key, digest, sentId, atStart }, log);
  return {
    kind: "update",
    key,
    log,
    content,
    ids: takesId ? request.ids : () => "unsupported",
    latest: () => incident,
    // A person may have settled an earlier attempt while the incident was resolved.
    async prepare() {
      const { ifStatus } = request;
      const moved = ifStatus && statusFailure(await read(settleFor), ifStatus);
      if (moved) throw moved;
      if (isResolved(incident) && !reopens) throw resolvedFailure(options, incident);
      const equal = equalIn(incidentFacts(incident), update, digest);
      const others = await readOthers(options, { ...request, incident, key }, equal[0] ?? update);
      return {
        before: beforeNow(incident, update),
        unclaimed: Math.max(0, equal.length - others.length),
      };
    },
    stepRequest: () => ({
      digest,
      mayExist: isStale,
      isFoundByContent: true,
    }),
    canFind: () => true,
    async find(log, because, until): Promise<Looked | undefined> {
      const looking = because === "unclear" ? options : { ...options, looksOnce: true };
      const found = await readWithin(looking, until, read);
      if (found instanceof Failure) return { kind: "failed", failure: found };
      if (found === undefined) return undefined;
      const own = await ownIn(log);
      if (own.length > 1 && because !== "may-exist")
        return { kind: "other", failure: ambiguousFailure(options, log, own) };
      const serviceId = own.at(-1);
      if (serviceId === undefined) return { kind: "absent" };
      return { kind: "found", found: { incident, serviceId } };
    },
    async send(_log, withId, conditions): Promise<Sent> {
      const { id: _, ...bare } = updateBody(addUpdate as AddUpdate, update);
      const body = withId ? { ...bare, id: sentId } : bare;
      const known = incidentFacts(incident).updates;
      const ended = await client.addUpdate(addUpdate as AddUpdate, incidentId, body, {
        ...conditions,
        known,
      });
      if (ended.kind === "failed")
        return { ...judgeEnding(ended, withId ? sentId : undefined, service), ids: [] };
      const found: Found = { incident, serviceId: ended.id ?? key.id };
      const onRecorded = () => {
        if (ended.differences.length > 0)
          reporter.warn(
            `the service changed the update of ${incidentId}: ${describeDifferences(ended.differences)}`,
          );
      };
      const isKept = withId && ended.id?.toLowerCase() === sentId;
      const ids = takesId && ended.id !== undefined ? (isKept ? "honoured" : "ignored") : undefined;
      return { kind: "created", found, onRecorded, requestId: ended.requestId, ids };
    },
    async replay(log) {
      const { at = "" } = log.created ?? {};
      return { incident, log, how: "remembered", since: at };
    },
  };
}

/** The equal ones first: only they can be taken for the update. */
function beforeNow(incident: Incident, update: SentUpdate): readonly string[] {
  const { updates } = incidentFacts(incident);
  const names = namesOf(updates);
  const isEqual = (at: number) => isSameUpdate(updates[at] as UpdateFacts, update);
  const order = names.map((name, at) => ({ name, isEqual: isEqual(at) }));
  const [equal, others] = [order.filter((each) => each.isEqual), order.filter((each) => !each.isEqual)];
  return [...equal, ...others].slice(0, mostNames).map(({ name }) => name);
}

interface OwnUpdate extends Pick<UpdateRequest, "incident" | "occurrence" | "update"> {
  readonly key: OperationKey;
  readonly digest: string;
  readonly sentId: string;
  /** The incident at the start of this run. */
  readonly atStart: Incident;
}

/**
 * The names of the updates that may be this one: new, and as many as there are more equal ones than before. Where a
 * service names its updates anew in each answer, every name is new, and the number alone counts.
 */
async function findOwn(
  options: DeliveryOptions,
  { atStart, digest, sentId, ...own }: OwnUpdate,
  log: OperationLog,
): Promise<readonly string[]> {
  const shown = incidentFacts(own.incident);
  const { updates } = shown;
  const names = namesOf(updates);
  if (names.includes(sentId)) return [sentId];
  const equal = equalIn(shown, own.update, digest);
  const [text] = equal;
  if (text === undefined) return [];
  const others = await readOthers(options, own, text);
  const sending = firstSending(log);
  // A refused attempt whose log was pruned may be any of them.
  const start = log.wasRefused ? [] : equalIn(incidentFacts(atStart), own.update, digest);
  const before = sending?.before ?? (log.wasRefused ? [] : namesOf(incidentFacts(atStart).updates));
  const unclaimed = sending?.unclaimed ?? Math.max(0, start.length - others.length);
  const more = equal.length - others.length - unclaimed;
  const isEqual = (at: number) => equal.includes(updates[at] as UpdateFacts);
  const fresh = names.filter((name, at) => isEqual(at) && ![...before, ...others].includes(name));
  return more > 0 ? fresh.slice(-more) : [];
}

/** The updates with this status and text. The journal may have the digest alone. */
function equalIn(
  { id, updates }: Pick<IncidentFacts, "id" | "updates">,
  { status }: SentUpdate,
  digest: string,
): readonly UpdateFacts[] {
  // A status that the service leaves out is no difference.
  return updates.filter(
    ({ description = "", status: shown = status }) =>
      shown === status && updateDigest(id, { description, status }) === digest,
  );
}

/** The names of the equal updates that other operations have posted: their keys differ in the number alone. */
async function readOthers(
  options: DeliveryOptions,
  { incident, key, occurrence, update }: Pick<OwnUpdate, "incident" | "key" | "occurrence" | "update">,
  { description }: UpdateFacts | SentUpdate,
): Promise<readonly string[]> {
  const count = occurrence + incidentFacts(incident).updates.length + 1;
  const { journal, service } = options;
  const recorded = { model: await journal.model(service), service };
  const logs = equalLogs(recorded, incident.id, { description, status: update.status }, count);
  return logs.flatMap((log) => (log.key.id === key.id ? [] : (log.created?.serviceId.toLowerCase() ?? [])));
}
