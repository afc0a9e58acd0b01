// A journal as a file: lines of JSON, one an event. A line has the number of the lines after it, so that a file that was
// cut is recognized.
import { Failure } from "../../failure.ts";
import { isMapping, parseJson } from "../../untrusted-data.ts";
import type { EventStore, StoredEvent } from "../event-store.ts";
import { readLog } from "../journal.ts";
import { createMemoryStore } from "../memory-store.ts";
import { logsOf, renumbered } from "./copy-logs.ts";

/** The lines of all events, each log in its order. */
export async function eventLines(store: EventStore): Promise<readonly string[]> {
  const events: object[] = [];
  for (const log of await logsOf(store)) {
    const stored = renumbered(await store.read(log));
    events.push(...stored.map((event, number) => ({ log, number, ...event })));
  }
  return events.map((event, index) => JSON.stringify({ left: events.length - index - 1, ...event }));
}

/** The journal in the lines of a file. Throws a `Failure` "invalid" for a line that cannot be of one. */
export async function parseEventLines(file: string, text: string): Promise<EventStore> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const refuse = (place: string, problem: string) =>
    new Failure("invalid", `${place} ${problem}`, {
      hint: "nothing was imported; take another backup, or export the journal again",
    });
  const store = createMemoryStore();
  for (const [index, line] of lines.entries()) {
    const place = `${file}:${index + 1}`;
    const entry = parseJson(line);
    if (!isMapping(entry)) throw refuse(place, "is not an event of a journal");
    const { left, log, number, ...event } = entry;
    if (left !== lines.length - index - 1)
      throw refuse(place, "has other lines after it than when it was exported: the file was cut or changed");
    if (typeof log !== "string" || typeof number !== "number" || typeof event.writer !== "string")
      throw refuse(place, "is not an event of a journal");
    const append = { log, number, event: event as StoredEvent, isUnsettled: false };
    const [result] = await store.append([append]);
    if (result !== "ours") throw refuse(place, `does not follow the events of ${log} before it`);
  }
  if (lines.length === 0) throw refuse(file, "is empty");
  for (const log of await store.logs("")) {
    if (log.startsWith("claim-")) continue;
    try {
      if ((await readLog(store, log)) === undefined) throw refuse(file, "is not a journal");
    } catch (error) {
      throw error instanceof Failure ? refuse(file, `cannot be imported: ${error.message}`) : error;
    }
  }
  return store;
}
