// Events as files of a local folder, one file an event: `<log>-<number>.json`. Linking a name is exclusive, so it is
// the compare-and-swap. `unsettled/` holds a second name of each event that leaves its log unsettled.
import { join } from "node:path";
import type { Append, AppendResult, EventStore, StoredEvent, StoredLog } from "./event-store.ts";
import { parseStored, untrusted } from "./journal-errors.ts";
import { type FileDeps, openPrivateFolder } from "./private-files.ts";

/** The field that marks an event which replaces those before it. */
const beginning = "isBeginning";

/** A store in the state directory `root`, which is made when the first event is appended. */
export function createFolderStore(deps: FileDeps, root: string): EventStore {
  const events = openPrivateFolder(deps, root, join(root, "journal"));
  const list = openPrivateFolder(deps, root, join(root, "unsettled"));

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
    if (found.length === 0 && events.exists(eventName(log, first + 1)))
      throw untrusted(eventName(log, first), "it is gone, and what came after it is not");
    return { first, events: found };
  }

  function append(
    { log, number, event, isUnsettled, isDeferred = false }: Append,
    replaces = false,
  ): AppendResult {
    const name = eventName(log, number);
    const text = `${JSON.stringify(replaces ? { ...event, [beginning]: true } : event)}\n`;
    const place = (temporary: string) => {
      // Listed before it appears, so that a crash in between lists too much and never too little.
      if (isUnsettled) {
        list.make();
        list.link(temporary, join(list.path, name));
      }
      return events.link(temporary, join(events.path, name));
    };
    if (!events.write(text, place, { isDeferred })) return "taken";
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

  return {
    append: async (appends) => appends.map((each) => append(each)),
    read: async (log) => read(log),
    unsettled: async () => [...new Set(list.names().map(logName))].sort(),
    logs: async (prefix) =>
      [...new Set(events.names().map(logName))].filter((log) => log.startsWith(prefix)).sort(),
    async prune({ log, number, event }) {
      const before = firstNumber(log);
      const result = append({ log, number, event, isUnsettled: false }, true);
      if (result !== "ours") return result;
      const moved = `${JSON.stringify({ first: number })}\n`;
      events.replace(baseName(log), moved);
      for (let old = before; old < number; old += 1) drop(eventName(log, old), moved);
      return result;
    },
    async sweep(time) {
      events.sweep(time);
      list.sweep(time);
    },
  };
}

function eventName(log: string, number: number): string {
  return `${log}-${String(number).padStart(3, "0")}.json`;
}

function baseName(log: string): string {
  return `${log}-first.json`;
}

function logName(file: string): string {
  return file.replace(/-(?:\d+|first)\.json$/, "");
}

type Stored = ReturnType<typeof parseStored>;

/** Version 0.1.0 kept several events in one file under several names, a line each that begins with its own name. */
function parseLine(name: string, text: string): Stored {
  const start = JSON.stringify({ file: name }).replace("}", ",");
  return parseStored(name, text.split("\n").find((candidate) => candidate.startsWith(start)) ?? text);
}

/** The number that a tombstone leads to; undefined for an event. */
function tombstoneOf({ first }: Stored): number | undefined {
  return typeof first === "number" ? first : undefined;
}

/** Events of version 0.1.0 have no writer. */
function eventOf({ [beginning]: _, ...stored }: Stored): StoredEvent {
  return { writer: "", ...stored };
}
