// Events as files of a local folder, one file an event: `<log>-<number>.json`. Linking a name is exclusive, so it is
// the compare-and-swap. `unsettled/` holds a second name of each event that leaves its log unsettled.
import { join } from "node:path";
import type { Append, AppendResult, EventStore, StoredEvent, StoredLog } from "./event-store.ts";
import { parseStored, untrusted } from "./journal-errors.ts";
import { type FileDeps, openPrivateFolder } from "./private-files.ts";

/** A store in the state directory `root`, which is made when the first event is appended. */
export function createFolderStore(deps: FileDeps, root: string): EventStore {
  const events = openPrivateFolder(deps, root, join(root, "journal"));
  const list = openPrivateFolder(deps, root, join(root, "unsettled"));

  /** The number of the first event that pruning has left. */
  function firstNumber(log: string): number {
    const text = events.read(baseName(log));
    return text === undefined ? 0 : Number(parseStored(baseName(log), text).first);
  }

  function read(log: string): StoredLog {
    const first = firstNumber(log);
    const found: StoredEvent[] = [];
    for (;;) {
      const name = eventName(log, first + found.length);
      const text = events.read(name);
      if (text === undefined) break;
      found.push(parseEvent(name, text));
    }
    if (found.length === 0 && events.exists(eventName(log, first + 1))) {
      // Pruning may have moved the beginning since it was read.
      if (firstNumber(log) !== first) return read(log);
      throw untrusted(eventName(log, first), "it is gone, and what came after it is not");
    }
    return { first, events: found };
  }

  function append({ log, number, event, isUnsettled, isDeferred = false }: Append): AppendResult {
    const name = eventName(log, number);
    const text = `${JSON.stringify(event)}\n`;
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
    append: async (appends) => appends.map(append),
    read: async (log) => read(log),
    unsettled: async () => [...new Set(list.names().map(logName))].sort(),
    logs: async (prefix) =>
      [...new Set(events.names().map(logName))].filter((log) => log.startsWith(prefix)).sort(),
    async prune({ log, number, event }) {
      const before = firstNumber(log);
      const result = append({ log, number, event, isUnsettled: false });
      if (result !== "ours") return result;
      events.replace(baseName(log), `${JSON.stringify({ first: number })}\n`);
      for (let old = before; old < number; old += 1) events.remove(eventName(log, old));
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

/** Version 0.1.0 kept several events in one file under several names, a line each that begins with its own name. */
function parseEvent(name: string, text: string): StoredEvent {
  const start = JSON.stringify({ file: name }).replace("}", ",");
  const line = text.split("\n").find((candidate) => candidate.startsWith(start)) ?? text;
  return { writer: "", ...parseStored(name, line) };
}
