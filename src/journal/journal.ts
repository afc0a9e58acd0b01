// The memory of the creates that were sent. An operation is a log of numbered events; appending the next number is a
// compare-and-swap, so that of all the processes that read the same log exactly one takes the next step, and none
// has to guess whether another is alive.

import { cancellation, Failure } from "../failure.ts";
import type { Clock } from "../platform/context.ts";
import { jsonDigest } from "../text/json-digest.ts";
import { fieldOf, isMapping } from "../untrusted-data.ts";
import {
  type Append,
  type AppendResult,
  type EventStore,
  logPrefix,
  operationPrefix,
  type StoredEvent,
} from "./event-store.ts";
import type { OperationEvent, OperationKey, OperationLog, ServiceKey } from "./events.ts";
import type { Origin } from "./fleet/origin.ts";
import { emptyLog, foldEvents } from "./fold.ts";
import { newerEntry, StoreHint, untrusted } from "./journal-errors.ts";
import { eventFormat } from "./logs.ts";

/** Of the hash that names an operation. */
const nameLength = 40;

/** How often, and after how many milliseconds, a store that did not say is asked again. */
const unknownPauses = [100, 500, 2000, 5000] as const;

/** A shared store can read many logs in one step. */
const readsAtOnce = 200;

export function operationName(key: OperationKey): string {
  return logPrefix(operationPrefix, key) + jsonDigest(key.id.toLowerCase()).slice(0, nameLength);
}

/** `ours`: the event is durable. `lost`: another process took the step. `log` is the log as it is now. */
export interface Appended {
  readonly result: "ours" | "lost";
  readonly log: OperationLog;
}

/** An entry that cannot be read, for a list that shows the others. */
export interface BrokenEntry {
  readonly name: string;
  readonly failure: Failure;
}

export interface JournalList {
  /** The creates, oldest first. */
  readonly logs: readonly OperationLog[];
  readonly broken: readonly BrokenEntry[];
}

/** Changes stand apart, so that no reader takes one for a create. */
export interface OperationList extends JournalList {
  /** The updates and edits, oldest first. */
  readonly changes: readonly OperationLog[];
}

export interface ListedOperations extends OperationList {
  /** Whether there are more operations than `limit`. */
  readonly isCut: boolean;
}

/** Each member throws a `Failure` where the store cannot be used. */
export interface Journal {
  /** The log that decides the next step. */
  read(key: OperationKey): Promise<OperationLog>;
  /** Appends the event that comes next in `log`. Throws a `Failure` where nothing was appended. */
  append(log: OperationLog, event: OperationEvent): Promise<Appended>;
  /** Every operation with an attempt whose outcome is not known. */
  unsettled(): Promise<OperationList>;
  /** The newest operations, at most `limit`, and all that are unsettled. */
  list(options?: { readonly limit?: number }): Promise<ListedOperations>;
  /** The operations with this id, the one that was sent or the service's own: at `services`, or else the newest. */
  find(id: string, services: readonly ServiceKey[]): Promise<OperationList>;
}

export interface JournalDeps {
  readonly store: EventStore;
  /** A new random id for each event: it tells an event from those of all others. */
  readonly writer: () => string;
  readonly clock: Pick<Clock, "sleep">;
  /** Noted in each event. */
  readonly origin?: Origin;
  /** Once it is aborted, a store that did not say is asked no more. */
  readonly signal?: AbortSignal;
}

export function createJournal(deps: JournalDeps): Journal {
  const { origin, store, writer } = deps;
  const noted = <Event extends OperationEvent>(event: Event): Event =>
    origin === undefined ? event : { ...event, origin };

  async function readAll(names: readonly string[]): Promise<OperationList> {
    const logs: OperationLog[] = [];
    const broken: BrokenEntry[] = [];
    for (let at = 0; at < names.length; at += readsAtOnce) {
      const part = names.slice(at, at + readsAtOnce);
      const read = await Promise.allSettled(part.map((name) => readLog(store, name)));
      for (const [index, result] of read.entries()) {
        if (result.status === "fulfilled") {
          if (result.value !== undefined) logs.push(result.value);
          continue;
        }
        const failure: unknown = result.reason;
        if (!(failure instanceof Failure) || failure.retryable) throw failure;
        broken.push({ name: part[index] as string, failure });
      }
    }
    const sorted = logs.sort((a, b) => firstTime(a).localeCompare(firstTime(b)));
    const isCreate = ({ change }: OperationLog) => change === undefined;
    return { logs: sorted.filter(isCreate), changes: sorted.filter((log) => !isCreate(log)), broken };
  }

  /** Without the probe of a doctor that could not settle it. */
  const unsettledNames = async () =>
    (await store.unsettled()).filter((name) => name.startsWith(operationPrefix));

  return {
    async read(key) {
      return (await readLog(store, operationName(key))) ?? emptyLog(key);
    },
    async append(log, step) {
      const event = noted(step);
      const name = operationName(log.key);
      const next = foldEvents(log.key, log.next - log.events.length, [...log.events, event]);
      checkContent(name, next);
      const append: Append = {
        log: name,
        number: log.next,
        event: { writer: writer(), ...eventFormat, key: log.key, event },
        isUnsettled: next.uncertain !== undefined,
      };
      if ((await appendSurely(deps, append)) === "ours") return { result: "ours", log: next };
      return { result: "lost", log: (await readLog(store, name)) ?? emptyLog(log.key) };
    },
    async unsettled() {
      const { broken, changes, logs } = await readAll(await unsettledNames());
      const isUnsettled = ({ uncertain }: OperationLog) => uncertain !== undefined;
      return { broken, logs: logs.filter(isUnsettled), changes: changes.filter(isUnsettled) };
    },
    async list({ limit = Number.POSITIVE_INFINITY } = {}) {
      const open = await unsettledNames();
      const newest = limit === 0 ? [] : await store.newest(limit + 1);
      const names = [...new Set([...newest.slice(0, limit), ...open])];
      return { ...(await readAll(names.reverse())), isCut: newest.length > limit };
    },
    async find(id, services) {
      const named = services.map((service) => operationName({ ...service, id }));
      const withId = ({ broken, changes, logs }: OperationList): OperationList => ({
        broken,
        logs: logs.filter((log) => hasId(log, id)),
        changes: changes.filter((log) => hasId(log, id)),
      });
      const isEmpty = ({ changes, logs }: OperationList) => logs.length + changes.length === 0;
      const near = withId(await readAll([...new Set([...named, ...(await unsettledNames())])]));
      const broken = near.broken.filter(({ name }) => named.includes(name));
      if (!isEmpty(near) || broken.length > 0) return { ...near, broken };
      const names = await store.find(id);
      const all: BrokenEntry[] = [];
      for (let at = 0; at < names.length; at += readsAtOnce) {
        const page = withId(await readAll(names.slice(at, at + readsAtOnce)));
        if (!isEmpty(page)) return { ...page, broken: [] };
        all.push(...page.broken);
      }
      return { logs: [], changes: [], broken: all };
    },
  };
}

/** Undefined where there is none. Throws a `Failure` for a log that cannot be trusted. */
export async function readLog(
  store: Pick<EventStore, "read">,
  name: string,
): Promise<OperationLog | undefined> {
  const { events, first } = await store.read(name);
  const records = events.map((event, index) => parseRecord(name, first + index, event));
  const [start] = records;
  if (start === undefined) return undefined;
  if (records.some(({ key }) => operationName(key) !== name))
    throw untrusted(name, "it belongs to another operation");
  const log = foldEvents(
    start.key,
    first,
    records.map(({ event }) => event),
  );
  checkContent(name, log);
  return log;
}

/** Before a log is written as well: no reader trusts such a log. */
function checkContent(name: string, { digest }: OperationLog): void {
  if (digest === undefined) throw untrusted(name, "it does not begin with its content");
}

/** Appends one event; an answer that does not say is settled by reading back by the event's own writer id. */
export async function appendSurely(
  { clock, signal, store }: Pick<JournalDeps, "clock" | "signal" | "store">,
  append: Append,
): Promise<Exclude<AppendResult, "unknown">> {
  let isDoubtful = false;
  for (const pause of [...unknownPauses, undefined]) {
    try {
      const [result = "unknown"] = await store.append([append]);
      // After an unknown append, the event that took the number may be that one, which arrived late.
      if (result === "ours" || (result === "taken" && !isDoubtful)) return result;
      isDoubtful = true;
      const { events, first } = await store.read(append.log);
      const found = events[append.number - first];
      if (found !== undefined) return found.writer === append.event.writer ? "ours" : "taken";
      if (append.number < first) return "taken";
    } catch (error) {
      // It may have been appended: a store that cannot be reached now is asked again.
      if (!isDoubtful || !(error instanceof Failure) || !error.retryable) throw error;
    }
    if (signal?.aborted) throw cancellation(signal, "nothing was sent; the journal did not confirm an entry");
    if (pause !== undefined) await clock.sleep(pause, signal);
  }
  throw new Failure("unavailable", "the journal's store did not confirm an entry", {
    hint: new StoreHint("check the store, then run it again"),
    retryable: true,
  });
}

function hasId({ created, key }: OperationLog, id: string): boolean {
  return key.id === id || created?.serviceId.toLowerCase() === id;
}

/** When the first event that is left was written: an ISO date-time, UTC. */
export function firstTime(log: OperationLog): string {
  return log.events[0]?.at ?? "";
}

function parseRecord(
  name: string,
  number: number,
  { formatVersion: version, readBy: needed, key, event }: StoredEvent,
): { readonly key: OperationKey; readonly event: OperationEvent } {
  const entry = `${name}-${String(number).padStart(3, "0")}`;
  if (typeof version === "number" && version > eventFormat.formatVersion)
    throw newerEntry(`entry ${entry}`, needed);
  if (version !== eventFormat.formatVersion || !isKey(key) || !isEvent(event))
    throw untrusted(`${entry}.json`, "it was changed");
  return { key, event };
}

export function isKey(value: unknown): value is OperationKey {
  return typeof fieldOf(value, "baseUrl") === "string" && typeof fieldOf(value, "id") === "string";
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
    pruned: ["summary"],
  } satisfies Record<OperationEvent["type"], readonly string[]>),
);

function hasTextsAsStarts(part: unknown): boolean {
  const starts = fieldOf(part, "alertStarts") ?? [];
  return Array.isArray(starts) && starts.every((start) => typeof start === "string");
}

function isEvent(value: unknown): value is OperationEvent {
  if (!isMapping(value) || !("at" in value)) return false;
  if ("content" in value && fieldOf(value.content, "digest") === undefined) return false;
  if (![value, value.summary].every(hasTextsAsStarts)) return false;
  return eventFields.get(value.type)?.every((field) => Object.hasOwn(value, field)) ?? false;
}
