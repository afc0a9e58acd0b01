// An update as an operation: it is found by its id where the service keeps it, else by its content, as the one new equal
// update that was not there before and that no other operation claims.
import { Failure } from "../../failure.ts";
import { updateBody } from "../../incident/contract/update-body.ts";
import type { SentUpdate } from "../../incident/create-body.ts";
import { isSameUpdate } from "../../incident/updates.ts";
import { type Incident, incidentFacts, isResolved, type UpdateFacts } from "../../incident/wire.ts";
import type { ClientIdMemory } from "../../journal/client-ids.ts";
import type { Change, ChangeContent, OperationKey, OperationLog } from "../../journal/events.ts";
import type { AddUpdate } from "../../rules/openapi/operations.ts";
import { propertiesOf } from "../../rules/schema-forms.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { judgeEnding } from "../endings.ts";
import type { Found, Operation, ReadBack, Sent } from "../operation.ts";
import { readWithin } from "../read-back.ts";
import { ambiguousFailure, missingFailure, resolvedFailure } from "./change-failures.ts";
import { namesBefore, namesOf, updateDigest, updateKey } from "./update-identity.ts";

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
  readonly log?: OperationLog | undefined;
  /** The identity in the journal, where the text may be gone from it. */
  readonly logged?: { readonly key: OperationKey; readonly digest: string } | undefined;
  /** Undefined where nothing may be sent, as for one more look. */
  readonly addUpdate: AddUpdate | undefined;
  readonly ids: ClientIdMemory;
}

/** `latest`: the incident as it was read last. */
export function updateOperation(
  options: DeliveryOptions,
  request: UpdateRequest,
): Operation & { readonly latest: () => Incident } {
  const { client, service, settleFor } = options;
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
  const atStart = namesOf(incidentFacts(incident).updates);
  const ownIn = (log: OperationLog) =>
    findOwn(options, { ...request, incident, key, digest, sentId, atStart }, log);
  return {
    kind: "update",
    key,
    log,
    content,
    ids: takesId ? request.ids : withoutIds,
    latest: () => incident,
    // A person may have settled an earlier attempt while the incident was resolved.
    async prepare() {
      if (isResolved(incident) && !reopens) throw resolvedFailure(options, incident);
    },
    before: () => beforeNow(incident, update),
    stepRequest: () => ({
      digest,
      mayExist: isStale,
      skipLook: false,
      isFoundByContent: true,
    }),
    async look(log, isSent) {
      await read(settleFor);
      const own = await ownIn(log);
      if (own.length > 1 && isSent) return ambiguousFailure(options, log, own);
      const last = own.at(-1);
      if (last !== undefined) return { incident, serviceId: last };
      return isResolved(incident) && !reopens ? resolvedFailure(options, incident) : undefined;
    },
    async send(_log, withId, conditions): Promise<Sent> {
      const { id: _, ...bare } = updateBody(addUpdate as AddUpdate, update);
      const body = withId ? { ...bare, id: sentId } : bare;
      const ended = await client.addUpdate(addUpdate as AddUpdate, incidentId, body, conditions);
      if (ended.kind === "failed")
        return { ...judgeEnding(ended, withId ? sentId : undefined, service), ids: [] };
      const found: Found = { incident, serviceId: ended.id ?? key.id };
      const onRecorded = () => {
        if (ended.id !== undefined && withId)
          request.ids.learn(ended.id.toLowerCase() === sentId ? "honoured" : "ignored");
        if (takesId && !withId) request.ids.learn("unsupported");
      };
      return { kind: "created", found, onRecorded, requestId: ended.requestId };
    },
    reads: (log) => ({
      absent: { kind: "absent" },
      look: async (until): Promise<ReadBack | undefined> => {
        const found = await readWithin(options, until, read);
        if (found instanceof Failure) return { kind: "failed", failure: found };
        if (found === undefined) return undefined;
        const own = await ownIn(log);
        if (own.length > 1) return { kind: "failed", failure: ambiguousFailure(options, log, own) };
        const [only] = own;
        return only === undefined ? undefined : { kind: "found", found: { incident, serviceId: only } };
      },
    }),
    async replay(log) {
      const { at = "" } = log.created ?? {};
      return { incident, log, how: "remembered", since: at };
    },
  };
}

/** For an update whose body takes no id, and for an edit. */
export const withoutIds: ClientIdMemory = {
  current: () => "unsupported",
  latest: () => "unsupported",
  learn: () => undefined,
};

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
  /** The names of the updates at the start of this run. */
  readonly atStart: readonly string[];
}

/** The names of the updates that may be this one. */
async function findOwn(
  { journal, service }: DeliveryOptions,
  { atStart, digest, incident, key, occurrence, sentId, update }: OwnUpdate,
  log: OperationLog,
): Promise<readonly string[]> {
  const { updates } = incidentFacts(incident);
  const names = namesOf(updates);
  if (names.includes(sentId)) return [sentId];
  // A refused attempt whose log was pruned may be any of them.
  const before = namesBefore(log) ?? (log.wasRefused ? [] : atStart);
  // The journal may not have the text. A status that the service leaves out is no difference.
  const textOf = ({ description = "" }: UpdateFacts) => ({ description, status: update.status });
  const equal = updates.filter(
    (each) =>
      (each.status ?? update.status) === update.status && updateDigest(incident.id, textOf(each)) === digest,
  );
  const fresh = names.filter(
    (name, at) => equal.includes(updates[at] as UpdateFacts) && !before.includes(name),
  );
  const [text] = equal.map(textOf);
  if (fresh.length === 0 || text === undefined) return [];
  // The operations that may claim an equal update have the same content: their keys differ in the number alone.
  const claimed = new Set<string | undefined>();
  for (let other = 0; other <= occurrence + names.length; other += 1) {
    const one = updateKey(service, incident.id, text, other);
    if (one.id !== key.id) claimed.add((await journal.read(one)).created?.serviceId.toLowerCase());
  }
  return fresh.filter((name) => !claimed.has(name));
}
