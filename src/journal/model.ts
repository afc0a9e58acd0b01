// A sequence of entries as the operations of one service and account, in memory: every question is a filter over it. Pure.
import { fieldOf, isMapping } from "../untrusted-data.ts";
import type { ClientIds } from "./client-ids.ts";
import {
  type Claimed,
  kindOf,
  type Operation,
  type OperationEvent,
  type OperationKind,
  type OperationLog,
  type OwnEvent,
  type ServiceKey,
} from "./events.ts";
import { emptyLog, foldEvents } from "./fold.ts";
import { newerEntry, untrusted } from "./journal-errors.ts";
import type { Entry, Tail } from "./sequence.ts";
import { idsIn, isPacked, type Packed, parseOperations, type Snapshot, unpack } from "./snapshot.ts";

/** The format of an entry, and the first version that reads it. */
export const format = { journal: 3, readBy: "0.4.0" } as const;

/** The writers that a snapshot names of the entries that it replaced. A machine that was away longer believes it. */
export const namedWriters = 1000;

export interface Model {
  readonly service: ServiceKey | undefined;
  /** By their ids, in the order in which they began. */
  readonly operations: ReadonlyMap<string, Operation | Packed>;
  /** When the newest operation began. */
  readonly began: number;
  /** The number of the newest snapshot, or else of the first entry. */
  readonly first: number;
  /** The number of the entry that comes next. */
  readonly next: number;
  /** Of the newest entries, the last one that of entry `next - 1`. */
  readonly writers: readonly string[];
  readonly endsInSnapshot: boolean;
  /** What the newest answers say of the ids that were sent. */
  readonly ids: Readonly<Record<OperationKind, ClientIds>>;
}

export const emptyModel: Model = {
  service: undefined,
  operations: new Map(),
  began: 0,
  first: 0,
  next: 0,
  writers: [],
  endsInSnapshot: false,
  ids: { create: "unknown", update: "unknown" },
};

/** The model after the entries that it does not have. Throws a `Failure` for one that cannot be trusted. */
export function extend(model: Model, tail: Tail, placeOf: (number: number) => string): Model {
  // Most readings find nothing new, and a copy of ten thousand operations takes milliseconds.
  if (tail.first + tail.entries.length <= model.next) return model;
  const operations = new Map(model.operations);
  let now: Model = { ...model, operations };
  for (const [index, entry] of tail.entries.entries()) {
    const number = tail.first + index;
    if (number < now.next) continue;
    const { at, snapshot, writer } = entry;
    if (number > now.next && snapshot === undefined) throw untrusted(placeOf(now.next), "it is gone");
    const events = checkEntry(entry, now.service, placeOf(number));
    const service = now.service ?? (entry.service as ServiceKey | undefined);
    if (isMapping(snapshot)) {
      operations.clear();
      for (const [id, each] of parseOperations(snapshot as unknown as Snapshot)) operations.set(id, each);
      const { ids = emptyModel.ids } = snapshot as unknown as Snapshot;
      now = { ...now, first: number, writers: entry.writers as readonly string[], began: Number(at), ids };
    }
    // A clock that is set back, or behind, changes no order.
    const began = Math.max(now.began, Number(at));
    for (const { event, id } of events) {
      const found = operations.get(id);
      const { events, ...rest } = found === undefined ? { ...nothing, began } : unpack(found);
      const operation = { ...rest, events: [...events, event] };
      operations.set(id, operation);
      if (event.type === "created" && event.ids !== undefined && service !== undefined) {
        const kind = kindOf(logOf({ ...service, id }, operation));
        now = { ...now, ids: { ...now.ids, [kind]: event.ids } };
      }
    }
    const writers = [...now.writers, writer].slice(-namedWriters);
    now = { ...now, service, began, next: number + 1, writers, endsInSnapshot: snapshot !== undefined };
  }
  return now;
}

const nothing = { first: 0, events: [] };

/** The events of an entry. Throws a `Failure` where it cannot be read. */
function checkEntry(entry: Entry, own: ServiceKey | undefined, place: string): readonly OwnEvent[] {
  const { events = [], journal, readBy, service, snapshot, writer } = entry;
  if (typeof journal === "number" && journal > format.journal) throw newerEntry(`entry ${place}`, readBy);
  const isOwn = isSameService(own ?? service, service);
  const hasEvents = Array.isArray(events) && events.every(isOwnEvent);
  if (journal !== format.journal || typeof writer !== "string" || !isOwn || !hasEvents)
    throw untrusted(place, "it was changed");
  if (snapshot !== undefined && !Array.isArray(fieldOf(snapshot, "operations")))
    throw untrusted(place, "it was changed");
  return events;
}

function isSameService(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((each) => [fieldOf(each, "baseUrl"), fieldOf(each, "account")]);
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}

/** The operation with this id as it was sent, in any letter case. */
export function operation(model: Model, service: ServiceKey, id: string): OperationLog {
  const { account, baseUrl } = service;
  const key = { baseUrl, account, id: id.toLowerCase() };
  const found = model.operations.get(key.id);
  return found === undefined ? emptyLog(key) : logOf(key, found);
}

const folded = new WeakMap<Operation, OperationLog>();

function logOf(key: OperationLog["key"], found: Operation | Packed): OperationLog {
  const { events, first } = unpack(found);
  if (isPacked(found)) return foldEvents(key, first, events);
  const known = folded.get(found) ?? foldEvents(key, first, events);
  folded.set(found, known);
  return known;
}

/** Those that a process has only claimed are not among any of these. */
function* select(
  { operations, service }: Model,
  isWanted: (operation: Operation | Packed) => boolean,
): Generator<OperationLog> {
  if (service === undefined) return;
  for (const [id, each] of [...operations].reverse())
    if (isWanted(each)) {
      const log = logOf({ ...service, id }, each);
      if (log.state !== "new") yield log;
    }
}

/** All operations, the newest first. */
export function newest(model: Model): Generator<OperationLog> {
  return select(model, () => true);
}

/** The creates, the oldest first. */
export function createsIn(model: Model): readonly OperationLog[] {
  return [...newest(model)].filter(({ change }) => change === undefined).reverse();
}

/** The operations with an attempt whose outcome is not known, the oldest first. */
export function unsettled(model: Model): readonly OperationLog[] {
  const { operations, service } = model;
  const found: OperationLog[] = [];
  for (const [id, each] of operations) {
    if (service === undefined || isPacked(each) || each.events.at(-1)?.type === "pruned") continue;
    const log = logOf({ ...service, id }, each);
    if (log.uncertain !== undefined) found.push(log);
  }
  return found;
}

/** The operations with this id, the one that was sent or the service's own, the newest first. */
export function withId(model: Model, text: string): readonly OperationLog[] {
  const id = text.toLowerCase();
  return [...select(model, (each) => !isPacked(each) || idsIn(each).includes(id))].filter(
    ({ created, key }) => key.id === id || created?.serviceId.toLowerCase() === id,
  );
}

/** The newest operation that was claimed for this content, also where nothing was sent for it. */
export function claimedFor(model: Model, { digest, occurrence }: Claimed): OperationLog | undefined {
  const { operations, service } = model;
  if (service === undefined) return undefined;
  for (const [id, each] of [...operations].reverse()) {
    if (isPacked(each) && !each.includes(digest)) continue;
    const log = logOf({ ...service, id }, each);
    if (log.claim?.digest === digest && log.claim.occurrence === occurrence) return log;
  }
  return undefined;
}

const eventFields: ReadonlyMap<unknown, readonly string[]> = new Map(
  Object.entries({
    claimed: ["claim"],
    sending: ["withId", "deadline"],
    unsent: ["attempt"],
    refused: ["attempt", "status"],
    uncertain: ["attempt", "reason"],
    created: ["serviceId"],
    fired: ["alertStarts"],
    "not-created": [],
    pruned: ["summary"],
  } satisfies Record<OperationEvent["type"], readonly string[]>),
);

function isOwnEvent(value: unknown): value is OwnEvent {
  return typeof fieldOf(value, "id") === "string" && isEvent(fieldOf(value, "event"));
}

function isEvent(value: unknown): value is OperationEvent {
  if (!isMapping(value) || !("at" in value)) return false;
  if ("content" in value && fieldOf(value.content, "digest") === undefined) return false;
  if (![value, value.summary].every(hasTextsAsStarts)) return false;
  return eventFields.get(value.type)?.every((field) => Object.hasOwn(value, field)) ?? false;
}

function hasTextsAsStarts(part: unknown): boolean {
  const starts = fieldOf(part, "alertStarts") ?? [];
  return Array.isArray(starts) && starts.every((start) => typeof start === "string");
}
