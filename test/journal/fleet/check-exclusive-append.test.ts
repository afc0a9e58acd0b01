import { describe, expect, it } from "vitest";
import type { AppendResult, EventStore, StoredEvent } from "../../../src/journal/event-store.ts";
import { checkExclusiveAppend } from "../../../src/journal/fleet/check-exclusive-append.ts";
import { createMemoryStore } from "../open-stores.ts";

const log = "probe-doctor";
const doubled = "the journal lets two machines take the same step";
const refused = "the journal did not accept an event";

/** What the check says, with stores whose appends give these results. */
function checkWith(
  one: AppendResult | "real",
  other: AppendResult | "real",
  left: readonly StoredEvent[] = [],
): Promise<string> {
  const memory = createMemoryStore();
  const storeOf = (result: AppendResult | "real"): EventStore => ({
    ...memory,
    append: async (appends) => {
      if (result === "real") return memory.append(appends);
      await memory.append(left.map((event, number) => ({ log, number, event, isUnsettled: true })));
      return [result];
    },
  });
  return checkExclusiveAppend(storeOf(one), storeOf(other), "guid").then(
    () => "exclusive",
    ({ message }: Error) => message,
  );
}

describe("a shared journal of which a doctor tests an append", () => {
  it.each<[string, AppendResult | "real", AppendResult | "real", readonly StoredEvent[], string]>([
    ["lets one of two win", "real", "real", [], "exclusive"],
    ["lets both win", "ours", "ours", [], doubled],
    ["says that the second wins, and keeps the first", "taken", "ours", [{ writer: "guid-1" }], doubled],
    ["says that the first wins, and keeps nothing", "ours", "taken", [], doubled],
    ["lets the second win", "taken", "ours", [{ writer: "guid-2" }], "exclusive"],
    ["has the event of a third machine", "taken", "taken", [{ writer: "third" }], "exclusive"],
    ["takes no event", "unknown", "taken", [], refused],
  ])("%s", async (_, one, other, left, expected) => {
    expect(await checkWith(one, other, left)).toBe(expected);
  });

  it("appends two events a test, also where the second handle has read more", async () => {
    const memory = createMemoryStore();
    const seen: unknown[] = [];
    const store: EventStore = {
      ...memory,
      append: async (appends) => {
        seen.push(...appends.map(({ isUnsettled, number }) => ({ isUnsettled, number })));
        return memory.append(appends);
      },
    };
    await checkExclusiveAppend(store, store, "first");
    expect((await memory.read(log)).events.map(({ writer }) => writer)).toEqual([
      expect.any(String),
      "first-3",
    ]);
    const behind: EventStore = { ...store, read: async () => ({ first: 0, events: [] }) };
    let reads = 0;
    const late: EventStore = {
      ...store,
      read: async (name) => {
        reads += 1;
        return reads === 1 ? behind.read(name) : store.read(name);
      },
    };
    await checkExclusiveAppend(late, store, "second");
    expect((await memory.read(log)).events.at(-1)).toEqual({ writer: "second-3" });
    expect(seen).toEqual([0, 0, 1, 2, 2, 3].map((number) => ({ isUnsettled: number % 2 === 0, number })));
  });
});
