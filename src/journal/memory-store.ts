// Events in memory, for `--no-journal`: they are gone when the process ends.
import { Failure } from "../failure.ts";
import {
  type AppendResult,
  type EventStore,
  operationPrefix,
  type StoredEvent,
  type StoredLog,
} from "./event-store.ts";

/** `past` has the logs of this machine. They are read, where that is possible, and never changed. */
export function createMemoryStore(past?: Pick<EventStore, "read" | "unsettled">): EventStore {
  const logs = new Map<string, { first: number; events: StoredEvent[] }>();
  const names = () => [...logs].flatMap(([name, { events }]) => (events.length > 0 ? [name] : []));
  async function find(name: string) {
    const found = logs.get(name);
    if (found !== undefined) return found;
    const empty: StoredLog = { first: 0, events: [] };
    const { events, first } = past === undefined ? empty : await orElse(past.read(name), empty);
    // Another call may have read it meanwhile.
    const log = logs.get(name) ?? { first, events: [...events] };
    logs.set(name, log);
    return log;
  }
  const append = async (name: string, number: number, event: StoredEvent): Promise<AppendResult> => {
    const log = await find(name);
    if (log.first + log.events.length !== number) return "taken";
    log.events.push(event);
    return "ours";
  };
  return {
    append: (appends) => Promise.all(appends.map(({ log, number, event }) => append(log, number, event))),
    async read(name) {
      const { events, first } = await find(name);
      return { first, events: [...events] };
    },
    // No other process can find those of this one, and it knows its own sends.
    unsettled: async () => (past === undefined ? [] : orElse(past.unsettled(), [])),
    logs: async (prefix) =>
      names()
        .filter((name) => name.startsWith(prefix))
        .sort(),
    newest: async (limit) =>
      names()
        .filter((name) => name.startsWith(operationPrefix))
        .toReversed()
        .slice(0, limit),
    async prune({ log, number, event }) {
      const result = await append(log, number, event);
      if (result === "ours") logs.set(log, { first: number, events: [event] });
      return result;
    },
    sweep: async () => undefined,
  };
}

async function orElse<T>(work: Promise<T>, fallback: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Failure) return fallback;
    throw error;
  }
}
