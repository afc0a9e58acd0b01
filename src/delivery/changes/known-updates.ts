// The updates in the journal, and the comparison with those that an incident shows. The id of an update is made of its incident,
// its status, its text in normal form and the number of equal updates before it, so that it is the same in every run.
import type { Update } from "../../incident/definition.ts";
import { hasSameStatus, isSameUpdate, lastUpdates, type TimelineUpdate } from "../../incident/updates.ts";
import { type Incident, incidentFacts, isSameId, normalText, type UpdateFacts } from "../../incident/wire.ts";
import { textDigest } from "../../journal/content.ts";
import type { EventOf, OperationKey, OperationLog, ServiceKey } from "../../journal/events.ts";
import { findByDigest, isChangeOf, type Model, operationIn, recent } from "../../journal/model.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { type DeliveryOptions, mayBeBehind } from "../delivery-options.ts";
import { idForText } from "../incident-id.ts";

/** `incidentId`: the service's own id. `occurrence`: the number of equal updates before it, from 0. */
export function updateKey(
  service: ServiceKey,
  incidentId: string,
  { description = "", status }: TimelineUpdate,
  occurrence: number,
): OperationKey {
  const name = ["update", incidentId.toLowerCase(), status ?? null, normalText(description), occurrence];
  return { ...service, id: idForText(service, JSON.stringify(name)) };
}

/** Equal updates have the same digest. */
export function updateDigest(incidentId: string, { description = "", status }: TimelineUpdate): string {
  return jsonDigest(["update", incidentId.toLowerCase(), status ?? null, normalText(description)]);
}

/** Compares digests, because a shared journal has no texts. */
export function isEqualTo(
  { change, digest }: Pick<OperationLog, "change" | "digest">,
  shown: TimelineUpdate,
): boolean {
  if (change?.kind !== "update" || !hasSameStatus(change, shown)) return false;
  return updateDigest(change.incidentId, { ...shown, status: change.status }) === digest;
}

/** Whether an update was posted for a file or a template: no command line asked for it. */
export function isOfFile({ change }: OperationLog): boolean {
  return change?.kind === "update" && !change.isUnnumbered;
}

/** The first attempt that may have arrived, since a person last settled the operation as not created. */
export function firstSending({ events, next }: OperationLog): EventOf<"sending"> | undefined {
  const first = next - events.length;
  const from = events.findLastIndex(({ type }) => type === "not-created") + 1;
  const unsent = new Set(events.flatMap((event) => (event.type === "unsent" ? [event.attempt] : [])));
  for (const [index, event] of events.entries())
    if (index >= from && event.type === "sending" && !unsent.has(first + index)) return event;
  return undefined;
}

/** Whether no attempt notified, or else no shown update. An unknown notification proves nothing. */
export function wereSilent(logs: readonly OperationLog[], shown: readonly UpdateFacts[]): boolean {
  const sent = logs.flatMap(({ change, events }) =>
    change?.kind === "update"
      ? [change.notify]
      : events.flatMap((event) => (event.type === "sending" ? [event.notify] : [])),
  );
  const said = sent.some((each) => each !== undefined) ? sent : shown.map(({ notified }) => notified);
  return said.length > 0 && said.every((each) => each === false);
}

export function isPosted({ change, created }: OperationLog): boolean {
  return change?.kind === "update" && created !== undefined;
}

/** The updates that were posted from here to an incident, the newest first. `incidentId`: the service's own id. */
export function postedTo(model: Model, incidentId: string): readonly OperationLog[] {
  return recent(model).filter((log) => isPosted(log) && isChangeOf(log, incidentId));
}

/** The newest of the `posted` updates, where a cache or a replica may not show it yet. */
export function newestPosted(
  posted: readonly OperationLog[],
  system: DeliveryOptions["system"],
): OperationLog | undefined {
  const [newest] = posted.toSorted((one, other) => postedAt(other).localeCompare(postedAt(one)));
  return newest !== undefined && mayBeBehind(postedAt(newest), system) ? newest : undefined;
}

/**
 * The newest of the `posted` updates where the incident does not show it yet. It is shown by its id, or by the number of equal
 * updates, because a service may replace ids. `posted`: the newest first.
 */
export function unshownUpdate(
  incident: Incident,
  posted: readonly OperationLog[],
  system: DeliveryOptions["system"],
): OperationLog | undefined {
  const newest = newestPosted(posted, system);
  if (newest === undefined) return undefined;
  const { status, updates } = incidentFacts(incident);
  const own = newest.change?.kind === "update" ? newest.change.status : undefined;
  // A service that shows no updates shows the status of the last one.
  if (!Array.isArray(incident.incidentUpdates))
    return (status ?? own) === (own ?? status) ? undefined : newest;
  if (updates.some(({ id }) => isSameId(id, newest.created?.serviceId))) return undefined;
  const ofOthers = firstSending(newest)?.unclaimed ?? 0;
  const equal = posted.filter(({ digest }) => digest === newest.digest);
  const altered = newest.altered?.description;
  const shown = updates.filter(
    (each) => isEqualTo(newest, each) || jsonDigest(each.description ?? "") === altered,
  );
  return shown.length >= ofOthers + equal.length ? undefined : newest;
}

const postedAt = ({ created }: OperationLog) => created?.at ?? "";

/** Whether a person wrote the newest update: it is neither of the create `declaredId` nor `end`, which the template posts. */
export async function isUpdatedByPerson(
  { journal, service }: Pick<DeliveryOptions, "journal" | "service">,
  incident: Incident,
  declaredId: string,
  end: Update,
): Promise<boolean> {
  const { updates } = incidentFacts(incident);
  if (updates.length <= 1) return false;
  const model = await journal.model(service);
  const { parts } = operationIn(model, { ...service, id: declaredId });
  const added = lastUpdates(incident).filter((each) => !parts?.updates.includes(textDigest(each)));
  // The updates of a file that a person writes for the incident are posted without a dedup key.
  const isOfTemplate = (log: OperationLog) =>
    isOfFile(log) && log.events.some((event) => event.type === "sending" && event.dedupKey !== undefined);
  // The service may have altered the create's own update, so that one of two is enough.
  const isOwn = (each: UpdateFacts) =>
    isSameUpdate(each, end) || findByDigest(model, updateDigest(incident.id, each)).some(isOfTemplate);
  return added.length > 0 && !added.some(isOwn);
}
