// A sequence of entries as the operations of one service and account, in memory: every question is a filter over it. Pure.
import { isSameId } from "../incident/wire.ts";
import { fieldOf, isMapping } from "../untrusted-data.ts";
import type { ClientIds, Operation, OperationEvent, OperationLog, OwnEvent, ServiceKey } from "./events.ts";
import { emptyLog, foldEvents } from "./fold.ts";
import { newerEntry, untrusted } from "./journal-errors.ts";
import type { Entry, Tail } from "./sequence.ts";
import { byAge, findPast, type Named, type Past, readPast, type Snapshot, searchPast } from "./snapshot.ts";

/** The format of an entry, and the first version that reads it. */
export const format = { journal: 3, readBy: "0.4.0" } as const;

/** The most writers that a snapshot names, of the entries that it replaced. A machine whose last entry is older trusts it. */
export const namedWriters = 1000;

export interface Model {
  readonly service: ServiceKey | undefined;
  /** By their ids. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The old operations that are over. One that was continued is also in `operations`, which counts. */
  readonly pastById: Past;
  /** When the newest operation began. */
  readonly began: number;
  /** The number of the newest snapshot, or else of the first entry. */
  readonly first: number;
  /** The number of the entry that comes next. */
  readonly next: number;
  /** The writers of the newest entries; the last one wrote entry `next - 1`. */
  readonly writers: readonly string[];
  readonly endsInSnapshot: boolean;
  readonly ids: ClientIds;
}

export const emptyModel: Model = {
  service: undefined,
  operations: new Map(),
  pastById: "",
  began: 0,
  first: 0,
  next: 0,
  writers: [],
  endsInSnapshot: false,
  ids: "unknown",
};

/** The model after the entries that it does not have. Throws a `Failure` for one that cannot be trusted. */
export function extend(model: Model, tail: Tail, placeOf: (number: number) => string): Model {
  // Most readings find nothing new.
  if (tail.first + tail.entries.length <= model.next) return model;
  const draft = draftOf(model);
  for (const [index, entry] of tail.entries.entries()) {
    const number = tail.first + index;
    if (number < draft.next) continue;
    if (number > draft.next && entry.snapshot === undefined)
      throw untrusted(placeOf(draft.next), "it is gone");
    const events = checkEntry(entry, draft.service, placeOf(number));
    if (entry.snapshot !== undefined) {
      const { operations, ...known } = entry.snapshot as Snapshot;
      const { writers } = entry;
      Object.assign(draft, known, { first: number, operations: new Map(operations), writers });
    }
    draft.service ??= entry.service as ServiceKey | undefined;
    for (const own of events) addEvent(draft, own, Number(entry.at));
    draft.writers = [...draft.writers, entry.writer].slice(-namedWriters);
    draft.next = number + 1;
    draft.endsInSnapshot = entry.snapshot !== undefined;
  }
  return draft;
}

/** A model that can still change: it has its own map, which is copied once. */
type Draft = { -readonly [Field in keyof Model]: Model[Field] } & {
  operations: Map<string, Operation>;
};

export function draftOf(model: Model): Draft {
  return { ...model, operations: new Map(model.operations) };
}

export function addEvent(draft: Draft, { event, id }: OwnEvent, at: number): void {
  const found = draft.operations.get(id) ?? findPast(draft.pastById, id);
  // Each operation begins after the one before it, even where a clock is behind or was set back.
  if (found === undefined) draft.began = Math.max(draft.began + 1, at);
  const { events, ...rest } = found ?? { first: 0, events: [], began: draft.began };
  if (event.type === "not-created")
    for (const [own, each] of changesOf(draft, id))
      draft.operations.set(own, { ...each, events: [...each.events, event] });
  draft.operations.set(id, { ...rest, events: [...events, event] });
  if (event.type === "created") draft.ids = event.ids ?? draft.ids;
}

/** The changes of the incident that kept the id of its create: declared again under that id, it has none of them. */
function changesOf(model: Model, createId: string): readonly Named[] {
  const { service } = model;
  if (service === undefined) return [];
  return mergePast(model, searchPast(model.pastById, createId)).filter(([id, each]) =>
    isChangeOf(logOf({ ...service, id }, each), createId),
  );
}

/** The events of an entry. Throws a `Failure` where it cannot be read. */
function checkEntry(entry: Entry, own: ServiceKey | undefined, place: string): readonly OwnEvent[] {
  const { events = [], journal, readBy, service, snapshot, writer } = entry;
  if (typeof journal === "number" && journal > format.journal) throw newerEntry(place, readBy);
  const isOwn = JSON.stringify(own ?? service) === JSON.stringify(service);
  const hasEvents = Array.isArray(events) && events.every(isOwnEvent);
  if (journal !== format.journal || typeof writer !== "string" || !isOwn || !hasEvents)
    throw untrusted(place, "it was changed");
  const isSnapshot =
    Array.isArray(fieldOf(snapshot, "operations")) && typeof fieldOf(snapshot, "pastById") === "string";
  if (snapshot !== undefined && !isSnapshot) throw untrusted(place, "it was changed");
  return events;
}

/** The operation with the id of the key, in any letter case. */
export function operationIn(model: Model, { account, baseUrl, id }: OperationLog["key"]): OperationLog {
  const key = { baseUrl, account, id: id.toLowerCase() };
  const found = model.operations.get(key.id) ?? findPast(model.pastById, key.id);
  return found === undefined ? emptyLog(key) : logOf(key, found);
}

const folded = new WeakMap<Operation, OperationLog>();

function logOf(key: OperationLog["key"], found: Operation): OperationLog {
  const known = folded.get(found) ?? foldEvents(key, found.first, found.events);
  folded.set(found, known);
  return known;
}

/** The oldest first. */
function logsOf({ service }: Model, operations: readonly Named[]): readonly OperationLog[] {
  if (service === undefined) return [];
  return [...operations].sort(byAge).map(([id, each]) => logOf({ ...service, id }, each));
}

/** The operations of the past, and those that are not in the past, which count where both have one. */
function mergePast({ operations }: Model, past: readonly Named[]): readonly Named[] {
  return [...past.filter(([id]) => !operations.has(id)), ...operations];
}

/** All operations, the oldest first. */
export function allIn(model: Model): readonly OperationLog[] {
  return logsOf(model, mergePast(model, readPast(model.pastById)));
}

/** All operations, the newest first. */
export function newest(model: Model): readonly OperationLog[] {
  return allIn(model).toReversed();
}

/** The operations that are not in the past, the newest first. */
export function recent(model: Model): readonly OperationLog[] {
  return logsOf(model, [...model.operations]).toReversed();
}

/** The operations with an attempt whose outcome is not known, the oldest first. */
export function unsettled(model: Model): readonly OperationLog[] {
  // An operation that ends with `created` has no open attempt.
  const open = [...model.operations].filter(([, { events }]) => events.at(-1)?.type !== "created");
  return logsOf(model, open).filter(({ uncertain }) => uncertain !== undefined);
}

/** The creates with an unknown outcome, also where the sender may still be at work; the oldest first. */
export function unsettledCreates(model: Model): readonly OperationLog[] {
  return unsettled(model).filter(({ change }) => change === undefined);
}

/** Whether it is a change of the incident with this id of the service. */
export function isChangeOf({ change }: OperationLog, incidentId: string): boolean {
  return isSameId(change?.incidentId, incidentId);
}

/** The updates of an incident with an unknown outcome, the oldest first. An edit is recorded once it is made. */
export function unsettledUpdates(model: Model, incidentId: string): readonly OperationLog[] {
  return unsettled(model).filter((log) => isChangeOf(log, incidentId));
}

/** The operations with this id, the one that was sent or the service's own, the newest first. */
export function findById(model: Model, text: string): readonly OperationLog[] {
  const id = text.toLowerCase();
  return logsOf(model, mergePast(model, searchPast(model.pastById, id)))
    .filter((log) => log.key.id === id || log.created?.serviceId.toLowerCase() === id)
    .reverse();
}

/** Whether the service has changed a text of ours: then no text shows that something is not there. */
export function altersTexts(model: Model): boolean {
  return allIn(model).some(({ altered = {} }) =>
    Object.keys(altered).some((field) => /^name$|description$/.test(field)),
  );
}

/** The operations of this content, the oldest first. */
export function findByDigest(model: Model, wanted: string): readonly OperationLog[] {
  const found = logsOf(model, mergePast(model, searchPast(model.pastById, wanted)));
  return found.filter(({ digest }) => digest === wanted);
}

/** The newest create without an id of this content. */
export function claimedFor(model: Model, wanted: string, occurrence: number): OperationLog | undefined {
  return findByDigest(model, wanted).findLast(({ claim }) => claim === occurrence);
}

const eventFields: ReadonlyMap<unknown, readonly string[]> = new Map(
  Object.entries({
    sending: ["withId", "deadline"],
    unsent: ["attempt"],
    refused: ["attempt", "status"],
    uncertain: ["attempt", "reason"],
    created: ["serviceId"],
    fired: ["alertStarts"],
    "not-created": [],
  } satisfies Record<OperationEvent["type"], readonly string[]>),
);

function isOwnEvent(value: unknown): value is OwnEvent {
  const event = fieldOf(value, "event");
  if (typeof fieldOf(value, "id") !== "string" || !isMapping(event) || !("at" in event)) return false;
  if ("content" in event && fieldOf(event.content, "digest") === undefined) return false;
  const starts = event.alertStarts ?? [];
  if (!Array.isArray(starts) || starts.some((start) => typeof start !== "string")) return false;
  return eventFields.get(event.type)?.every((field) => Object.hasOwn(event, field)) ?? false;
}
