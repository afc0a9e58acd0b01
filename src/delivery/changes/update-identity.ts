// Names an update, so that every run knows it again: by its incident, its status, its text in any notation, and the number
// of equal ones before it.
import type { Update } from "../../incident/definition.ts";
import { normalText } from "../../incident/normal-form.ts";
import type { TimelineUpdate } from "../../incident/updates.ts";
import type { EventOf, OperationKey, OperationLog, ServiceKey } from "../../journal/events.ts";
import { type Model, operation } from "../../journal/model.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { idForText } from "../incident-id.ts";

/** The model of a service. */
export interface Recorded {
  readonly model: Model;
  readonly service: ServiceKey;
}

/** The text and the status of an update; an `id` or a date is not part of its identity. */
export type UpdateText = Pick<Update, "description" | "status">;

/** `incidentId`: the service's own id. `occurrence`: the number of equal updates before it, from 0. */
export function updateKey(
  service: ServiceKey,
  incidentId: string,
  { description, status }: UpdateText,
  occurrence: number,
): OperationKey {
  const name = ["update", incidentId.toLowerCase(), status ?? null, normalText(description), occurrence];
  return { ...service, id: idForText(service, JSON.stringify(name)) };
}

/** The same for every update that is equal. */
export function updateDigest(incidentId: string, { description, status }: UpdateText): string {
  return jsonDigest(["update", incidentId.toLowerCase(), status ?? null, normalText(description)]);
}

/** The journal may have the digest alone. A status that the service leaves out is no difference. */
export function isEqualTo(
  { change, digest }: Pick<OperationLog, "change" | "digest">,
  { description = "", status: shown }: TimelineUpdate,
): boolean {
  if (change?.kind !== "update") return false;
  const status = change.status as Update["status"];
  return (shown ?? status) === status && updateDigest(change.incidentId, { description, status }) === digest;
}

/** The operation of an update. `occurrence`: the number of equal updates before it, from 0. */
export function updateLog(
  { model, service }: Recorded,
  incidentId: string,
  { description = "", status }: TimelineUpdate,
  occurrence: number,
): OperationLog {
  const text = { description, status: status as Update["status"] };
  const key = updateKey(service, incidentId, text, occurrence);
  return operation(model, key, key.id);
}

/** The operations of this update and of its equals, by their numbers: `count` of them. */
export function equalLogs(
  known: Recorded,
  incidentId: string,
  update: TimelineUpdate,
  count: number,
): readonly OperationLog[] {
  return Array.from({ length: count }, (_, at) => updateLog(known, incidentId, update, at));
}

/** Whether an update was posted for a file or a template: no command line asked for it. */
export function isOfFile({ change }: OperationLog): boolean {
  return change?.kind === "update" && !change.isUnnumbered;
}

/**
 * The first attempt that may have arrived. Once a person has settled the operation, earlier attempts count no more.
 */
export function firstSending({ events, next }: OperationLog): EventOf<"sending"> | undefined {
  const first = next - events.length;
  const from = events.findLastIndex(({ type }) => type === "not-created") + 1;
  const unsent = new Set(events.flatMap((event) => (event.type === "unsent" ? [event.attempt] : [])));
  for (const [index, event] of events.entries())
    if (index >= from && event.type === "sending" && !unsent.has(first + index)) return event;
  return undefined;
}
