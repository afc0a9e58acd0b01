// The memory of what was sent from here. An operation is a log of numbered events, each under a name of its own that
// appears whole and exclusively: adding number n is a compare-and-swap, so that of all the processes that read the
// same log only one can take the next step, and no process has to guess whether another is alive.
import { hash as digest } from "node:crypto";
import {
  type Content,
  firstTime,
  foldEvents,
  type Operation,
  type OperationEvent,
  type OperationKey,
} from "./events.ts";
import type { Entry, Store } from "./folder-store.ts";
import { parseStored, untrusted } from "./journal-errors.ts";

const formatVersion = 1;

/** Of the hash that names an operation. */
const nameLength = 40;

export function keyName({ baseUrl, account, id }: OperationKey): string {
  return hash([baseUrl, account ?? null, id.toLowerCase()]).slice(0, nameLength);
}

export function hash(value: unknown): string {
  return digest("sha256", JSON.stringify(value));
}

export interface Journal {
  read(key: OperationKey): Operation | undefined;
  /**
   * Adds the next event, and resolves with the log when it is on disk; undefined when another process was first:
   * read again. The first event of a log carries its content.
   */
  add(key: OperationKey, known: Operation | undefined, event: OperationEvent): Promise<Operation | undefined>;
  /** Every operation of which nobody knows what came, without a look at the others. */
  unsettled(): Operation[];
  /** Every operation, oldest first; an unreadable one stops it with a `Failure`. */
  list(): Operation[];
  /** At most `size` operations, from a place in the journal that `fraction` (0 to 1) chooses. */
  sample(size: number, fraction: number): Operation[];
  /** Removes an operation with all its events. */
  remove(key: OperationKey): void;
  /** Unlists what was settled by a process that died before it could; `before` in milliseconds since the epoch. */
  tidy(before: number): void;
}

/** An event that is not on disk yet. */
interface Addition {
  readonly entry: Entry;
  /** Told whether the place in the log was free. */
  readonly resolve: (isOurs: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** So many events at most share a file: whoever copies the journal without its links gets each as often as that. */
const groupSize = 16;

/** Characters that a file is not shared beyond. */
const groupLength = 1024 * 1024;

export function createJournal(store: Store): Journal {
  const additions: Addition[] = [];

  /** What creates at work at the same time have to say waits for the disk together. */
  function enter(entry: Entry): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (additions.push({ entry, resolve, reject }) === 1) setImmediate(writeAdditions);
    });
  }

  function writeAdditions(): void {
    while (additions.length > 0) {
      const group = additions.splice(0, lengthOfGroup(additions));
      try {
        const isOurs = store.putTogether(group.map(({ entry }) => entry));
        for (const [index, { resolve }] of group.entries()) resolve(isOurs[index] === true);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
  }

  /** A log whose beginning was taken away meanwhile says nothing: what it is to say must not be relied on. */
  function checkWhole(name: string, number: number): void {
    for (const before of [0, number - 1]) {
      const file = eventName(name, before);
      if (store.get(file) === undefined)
        throw untrusted(file, "it was taken away, and what comes after it was not");
    }
  }

  function readLog(name: string): Operation | undefined {
    const events: OperationEvent[] = [];
    let key: OperationKey | undefined;
    for (let number = 0; ; number += 1) {
      const file = eventName(name, number);
      const text = store.get(file);
      if (text === undefined) {
        const isTorn = number === 0 && store.get(eventName(name, 1)) !== undefined;
        if (isTorn) throw untrusted(file, "it is gone, and what came after it is not");
        break;
      }
      const record = parseRecord(file, text);
      if (keyName(record.key) !== name) throw untrusted(file, "it belongs to another operation");
      key = record.key;
      events.push(record.event);
    }
    return key === undefined ? undefined : operationOf(key, events);
  }

  function unlist(name: string, operation: Operation | undefined): void {
    for (const number of operation?.events.keys() ?? []) store.unlist(eventName(name, number));
  }

  const operationNames = () => store.names("op-").filter((file) => file.endsWith(firstEvent));
  const readAll = (files: readonly string[]) =>
    [...new Set(files.map(operationName))].map(readLog).filter((operation) => operation !== undefined);

  return {
    read: (key) => readLog(keyName(key)),
    async add(key, known, event) {
      const name = keyName(key);
      const file = eventName(name, known?.events.length ?? 0);
      const next = operationOf(key, [...(known?.events ?? []), event]);
      const text = `${JSON.stringify({ file, formatVersion, key, event })}\n`;
      const listing = next.uncertain === undefined ? "unlisted" : "listed";
      if (!(await enter({ name: file, text, listing }))) return undefined;
      if (known !== undefined && event.type === "sending") checkWhole(name, known.events.length);
      if (next.uncertain === undefined) unlist(name, known);
      return next;
    },
    unsettled: () => readAll(store.listed()).filter(({ uncertain }) => uncertain !== undefined),
    list: () => readAll(operationNames()).sort((a, b) => firstTime(a).localeCompare(firstTime(b))),
    sample(size, fraction) {
      const names = operationNames();
      const start = names.length <= size ? 0 : Math.floor(fraction * (names.length - size));
      return readAll(names.slice(start, start + size));
    },
    remove(key) {
      const name = keyName(key);
      const operation = readLog(name);
      if (operation === undefined) return;
      unlist(name, operation);
      // From the last to the first: a log that is cut short this way still tells the truth about its start.
      for (let number = operation.events.length - 1; number >= 0; number -= 1)
        store.remove(eventName(name, number));
    },
    tidy(before) {
      for (const file of store.listed(before)) {
        if (readLog(operationName(file))?.uncertain === undefined) store.unlist(file);
      }
    },
  };
}

/** How many of the first additions are written together; at least one. */
function lengthOfGroup(additions: readonly Addition[]): number {
  let length = 0;
  const end = additions.findIndex(({ entry }, index) => {
    length += entry.text.length;
    return index === groupSize || (index > 0 && length > groupLength);
  });
  return end === -1 ? additions.length : end;
}

const firstEvent = "-000.json";

function eventName(name: string, number: number): string {
  return `op-${name}-${String(number).padStart(3, "0")}.json`;
}

function operationName(file: string): string {
  return file.slice("op-".length, "op-".length + nameLength);
}

/** The event of a file's own name: those that were written together stand in the same file. */
function parseRecord(file: string, text: string): { key: OperationKey; event: OperationEvent } {
  const start = JSON.stringify({ file }).replace("}", ",");
  const line = text.split("\n").find((candidate) => candidate.startsWith(start));
  const { formatVersion: version, key, event } = parseStored(file, line ?? "");
  if (typeof version === "number" && version > formatVersion) {
    throw untrusted(file, "a newer version of incident wrote it");
  }
  if (version !== formatVersion || !isKey(key) || !isEvent(event)) throw untrusted(file, "it was changed");
  return { key, event };
}

function isKey(value: unknown): value is OperationKey {
  if (typeof value !== "object" || value === null) return false;
  const { baseUrl, id } = value as Record<string, unknown>;
  return typeof baseUrl === "string" && typeof id === "string";
}

const eventFields = {
  sending: ["withId", "deadline"],
  refused: ["status"],
  uncertain: ["reason"],
  created: ["serviceId"],
  "not-created": [],
  resend: [],
} as const satisfies Record<OperationEvent["type"], readonly string[]>;

function isEvent(value: unknown): value is OperationEvent {
  if (typeof value !== "object" || value === null || !("type" in value) || !("at" in value)) return false;
  const fields = eventFields[value.type as OperationEvent["type"]];
  if ("content" in value && !isContent(value.content)) return false;
  return fields?.every((field) => field in value) ?? false;
}

function isContent(value: unknown): value is Content {
  return typeof value === "object" && value !== null && "body" in value && "digest" in value;
}

function operationOf(key: OperationKey, events: readonly OperationEvent[]): Operation {
  const operation = foldEvents(key, events);
  if (operation !== undefined) return operation;
  throw untrusted(eventName(keyName(key), 0), "it does not begin with its content");
}
