// Events as files of a local folder, a name for each event: `<log>-<number>.json`. Linking a name is exclusive, so it is
// the compare-and-swap. Events that are appended together are one file with several names, and wait for the disk once.
// `unsettled/` holds a second name of each event that leaves its log unsettled, and `operations` the order of the logs.
import { join } from "node:path";
import { addNames, readNewestNames } from "../../platform/name-list.ts";
import type { Fields } from "../../untrusted-data.ts";
import { eventName, findLine, lineOf } from "../event-lines.ts";
import {
  type Append,
  type AppendResult,
  type EventStore,
  operationPrefix,
  type StoredEvent,
  type StoredLog,
} from "../event-store.ts";
import { parseStored, untrusted } from "../journal-errors.ts";
import { idDigest, idDigestsOf } from "../operation-ids.ts";
import { type FileDeps, openPrivateFolder, type PrivateFolder } from "./private-files.ts";

/** The field that marks an event which replaces those before it. */
const beginning = "isBeginning";

/** The most events of a file, and their length in UTF-16 units: a reader of one event reads all of its file. */
const largestGroup = { events: 16, length: 256 * 1024 };

/** An event with its name and its line. */
type Entry = Omit<Append, "event"> & {
  readonly name: string;
  readonly line: string;
  /** Its lines in the list of ids. */
  readonly ids: readonly string[];
};

/** The events of a file. */
type Group = readonly Entry[];

/** A store in the state directory `root`, which is made when the first event is appended. */
export function createFolderStore(deps: FileDeps, root: string): EventStore {
  const events = openPrivateFolder(deps, root, join(root, "journal"));
  const list = openPrivateFolder(deps, root, join(root, "unsettled"));
  const order = join(root, "operations");
  const ids = join(root, "id-digests");

  /** The number of the first event that pruning has left. */
  function firstNumber(log: string): number {
    let first = movedTo(baseName(log)) ?? 0;
    if (first === 0) return 0;
    // A pruning that was overtaken by a later one moves the beginning back, to where the later one left a tombstone.
    for (;;) {
      const next = movedTo(eventName(log, first));
      if (next === undefined) return first;
      first = next;
    }
  }

  /** The number that a tombstone, or the file of the beginning, leads to. */
  function movedTo(name: string): number | undefined {
    const text = events.read(name);
    return text === undefined ? undefined : tombstoneOf(parseLine(name, text));
  }

  function read(log: string): StoredLog {
    const first = firstNumber(log);
    const found: StoredEvent[] = [];
    for (;;) {
      const name = eventName(log, first + found.length);
      const text = events.read(name);
      if (text === undefined) break;
      const stored = parseLine(name, text);
      if (tombstoneOf(stored) !== undefined) break;
      found.push(eventOf(stored));
    }
    // Pruning may have moved the beginning while it was read.
    if (firstNumber(log) !== first) return read(log);
    if (found.length > 0 || !events.exists(eventName(log, first + 1))) return { first, events: found };
    // Other processes may have appended both since the first was read.
    if (events.exists(eventName(log, first))) return read(log);
    throw untrusted(eventName(log, first), "it is gone, and what came after it is not");
  }

  function append(group: Group): readonly AppendResult[] {
    const text = group.map(({ line }) => line).join("");
    const isDeferred = group.every((each) => each.isDeferred === true);
    const place = (temporary: string) => {
      const linked = appendEach(
        group.map((entry) => [entry]),
        (each) => each.map((entry) => link(entry, temporary)),
      );
      // A power failure that keeps a `sending` event keeps its place in the list, which nothing else restores.
      if (group.some(({ isUnsettled }) => isUnsettled)) list.sync();
      return linked;
    };
    // Noted before it appears, as in `link`.
    const begun = group.filter(({ log, number }) => number === 0 && log.startsWith(operationPrefix));
    const names = begun.map(({ log }) => log);
    addNames(deps.files, order, names, { isDurable: true });
    addNames(
      deps.files,
      ids,
      group.flatMap((entry) => entry.ids),
      { isDurable: true },
    );
    const results = events.write(text, place, { isDeferred });
    return group.map((entry, index) => conclude(entry, results[index] as AppendResult));
  }

  function link(entry: Entry, temporary: string): AppendResult {
    // Listed before it appears, so that a crash in between lists too much and never too little.
    if (entry.isUnsettled) {
      list.make();
      linkInto(list, entry, temporary);
    }
    return linkInto(events, entry, temporary);
  }

  function linkInto(folder: PrivateFolder, { line, name }: Entry, temporary: string): AppendResult {
    try {
      if (folder.link(temporary, join(folder.path, name))) return "ours";
    } catch (error) {
      if (!folder.exists(name)) throw error;
    }
    // A network file system may have linked it, and lost the answer. Another event of this file may have the name.
    if (!folder.isLinked(temporary, name)) return "taken";
    return findLine(name, folder.read(name) ?? "") === line.trim() ? "ours" : "taken";
  }

  function conclude({ isUnsettled, log, name, number }: Entry, result: AppendResult): AppendResult {
    if (result !== "ours") return result;
    // Pruning moves the beginning before it frees a name: a name that it freed is not the end of the log.
    const first = firstNumber(log);
    if (first > 0 && number <= first) {
      events.remove(name);
      return "taken";
    }
    if (!isUnsettled) unlist(log, first, number);
    return "ours";
  }

  /** Removes an event. A beginning leaves a tombstone, because the process that wrote it may still move there. */
  function drop(name: string, moved: string): void {
    const text = events.read(name);
    if (text === undefined) return;
    const stored = parseLine(name, text);
    if (stored[beginning] === true) events.replace(name, moved);
    else if (tombstoneOf(stored) === undefined) events.remove(name);
  }

  function unlist(log: string, first: number, end: number): void {
    try {
      for (let number = first; number < end; number += 1) {
        const name = eventName(log, number);
        // Few are listed, and an error takes longer than a look.
        if (list.exists(name)) list.remove(name);
      }
    } catch {
      // A name too many is harmless: readers of the list look at the log.
    }
  }

  /** Adds the operations that a power failure took from the list. Gives all, the newest first. */
  function completeOrder(found = events.names()): readonly string[] {
    // Another process may have made the list meanwhile.
    const listed = readNewestNames(deps.files, order, Number.POSITIVE_INFINITY) ?? [];
    const known = new Set(listed);
    const files = new Map<string, string>();
    for (const name of found) {
      const log = logName(name);
      if (log.startsWith(operationPrefix) && !known.has(log)) files.set(log, name);
    }
    const missing = [...files].map(([log, name]) => ({ log, at: events.writtenAt(name) ?? 0 }));
    const names = missing.sort((one, next) => one.at - next.at).map(({ log }) => log);
    addNames(deps.files, order, names, { isDurable: true, starts: true });
    return [...names.reverse(), ...listed];
  }

  /** The first search reads all logs, and begins the list, to which each later append adds. */
  function beginIds(): readonly string[] {
    addNames(deps.files, ids, ["-"], { starts: true });
    const lines = events.names().flatMap((name) => {
      if (!name.startsWith(operationPrefix)) return [];
      const event = parseLine(name, events.read(name) ?? "{}");
      return linesOf({ log: logName(name), event: eventOf(event) });
    });
    addNames(deps.files, ids, [...new Set(lines), allIds], { isDurable: true });
    return lines;
  }

  return {
    append: async (appends) => appendEach(groupsOf(appends.map(entryOf)), append),
    read: async (log) => read(log),
    unsettled: async () => [...new Set(list.names().map(logName))].sort(),
    logs: async (prefix) =>
      [...new Set(events.names().map(logName))].filter((log) => log.startsWith(prefix)).sort(),
    newest: async (limit) => readNewestNames(deps.files, order, limit) ?? completeOrder().slice(0, limit),
    async find(id) {
      const listed = readNewestNames(deps.files, ids, Number.POSITIVE_INFINITY) ?? [];
      const lines = listed.includes(allIds) ? listed : beginIds();
      const start = `${idDigest(id)} `;
      return [
        ...new Set(lines.flatMap((line) => (line.startsWith(start) ? [line.slice(start.length)] : []))),
      ];
    },
    async prune({ log, number, event }) {
      let oldest = firstNumber(log);
      const replacement = { log, number, event: { ...event, [beginning]: true }, isUnsettled: false };
      const [result] = append([entryOf(replacement)]) as [AppendResult];
      if (result !== "ours") return result;
      const moved = `${JSON.stringify({ first: number })}\n`;
      events.replace(baseName(log), moved);
      // Also the events that an earlier pruning left because its process died.
      while (oldest > 0 && events.exists(eventName(log, oldest - 1))) oldest -= 1;
      for (let old = oldest; old < number; old += 1) drop(eventName(log, old), moved);
      return result;
    },
    async sweep(time) {
      list.sweep(time);
      // Of 100,000 creates, the names of the folder take most of the pass: they are read once.
      completeOrder(events.sweep(time));
    },
  };
}

/** The line of the list of ids after which it has those of all logs. */
const allIds = "all";

/** The lines of an event in the list of ids. */
function linesOf(append: Pick<Append, "event" | "log">): readonly string[] {
  return idDigestsOf(append).map((digest) => `${digest} ${append.log}`);
}

function entryOf({ event, ...append }: Append): Entry {
  const name = eventName(append.log, append.number);
  return { ...append, name, line: lineOf(name, event), ids: linesOf({ log: append.log, event }) };
}

/** Cuts a list into groups, each small enough for a file. */
function groupsOf(entries: readonly Entry[]): readonly Group[] {
  const groups: Entry[][] = [];
  let length = 0;
  for (const entry of entries) {
    const last = groups.at(-1);
    length += entry.line.length;
    if (last !== undefined && last.length < largestGroup.events && length <= largestGroup.length)
      last.push(entry);
    else {
      groups.push([entry]);
      ({ length } = entry.line);
    }
  }
  return groups;
}

/** Throws an error of the first group. A later error leaves results unknown, because an event is appended. */
function appendEach(
  groups: readonly Group[],
  append: (group: Group) => readonly AppendResult[],
): readonly AppendResult[] {
  return groups.flatMap((group, index) => {
    try {
      return append(group);
    } catch (error) {
      if (index === 0) throw error;
      return group.map(() => "unknown" as const);
    }
  });
}

function baseName(log: string): string {
  return `${log}-first.json`;
}

function logName(file: string): string {
  return file.replace(/-(?:\d+|first)\.json$/, "");
}

/** A line of a log, as it was written. */
type Stored = Fields;

function parseLine(name: string, text: string): Stored {
  return parseStored(name, findLine(name, text));
}

/** The number that a tombstone leads to; undefined for an event. */
function tombstoneOf({ first }: Stored): number | undefined {
  return typeof first === "number" ? first : undefined;
}

function eventOf({ [beginning]: _, file: __, ...stored }: Stored): StoredEvent {
  return stored as StoredEvent;
}
