// Events in memory, for `--no-journal`: they are gone when the process ends.
import { type AppendResult, type EventStore, operationPrefix, type StoredEvent } from "./event-store.ts";

export function createMemoryStore(): EventStore {
  const logs = new Map<string, { first: number; events: StoredEvent[] }>();
  const append = (name: string, number: number, event: StoredEvent): AppendResult => {
    const log = logs.get(name) ?? { first: 0, events: [] };
    if (log.first + log.events.length !== number) return "taken";
    log.events.push(event);
    logs.set(name, log);
    return "ours";
  };
  return {
    append: async (appends) => appends.map(({ log, number, event }) => append(log, number, event)),
    read: async (name) => logs.get(name) ?? { first: 0, events: [] },
    // No other process can find them, and this one knows its own sends.
    unsettled: async () => [],
    logs: async (prefix) => [...logs.keys()].filter((name) => name.startsWith(prefix)).sort(),
    newest: async (limit) =>
      [...logs.keys()]
        .filter((name) => name.startsWith(operationPrefix))
        .toReversed()
        .slice(0, limit),
    async prune({ log, number, event }) {
      const result = append(log, number, event);
      if (result === "ours") logs.set(log, { first: number, events: [event] });
      return result;
    },
    sweep: async () => undefined,
  };
}
