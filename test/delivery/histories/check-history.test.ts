// The checker of histories can fail: a table with each violation, and broken stores that it catches.
import { describe, expect, it } from "vitest";
import type { AppendResult, EventStore } from "../../../src/journal/event-store.ts";
import { appendOf } from "../../journal/event-store.ts";
import { createMemoryStore } from "../../journal/open-stores.ts";
import { checkHistory } from "./check-history.ts";
import { createHistory, type RecordedCall } from "./history.ts";

const log = "op-1";
const call = { process: "p", place: "here" } as const;

type Outcome = AppendResult | "died" | "threw";

/** An append of `writer` as event `number`, from `start` to `end`. */
function append(
  number: number,
  writer: string,
  outcome: Outcome,
  [start, end]: readonly [number, number],
  more: { readonly do?: "prune"; readonly isUnsettled?: boolean } = {},
): RecordedCall {
  const { isUnsettled = false, do: what = "append" } = more;
  return {
    ...call,
    do: what,
    appends: [{ log, number, event: { writer }, isUnsettled }],
    start,
    end: outcome === "died" ? undefined : end,
    ...(outcome !== "died" && outcome !== "threw" && { results: [outcome] }),
  };
}

/** A read that found the events of these writers, one a letter. */
function read(writers: string, [start, end]: readonly [number, number], first = 0): RecordedCall {
  return { ...call, do: "read", log, start, end, found: { first, writers: [...writers] } };
}

const list = (logs: readonly string[], [start, end]: readonly [number, number]): RecordedCall => {
  return { ...call, do: "unsettled", start, end, logs };
};

describe("the history of a store", () => {
  it.each<[string, readonly RecordedCall[]]>([
    ["appends and reads one after the other", [append(0, "a", "ours", [1, 2]), read("a", [3, 4])]],
    ["a read that begins before an append ends", [append(0, "a", "ours", [1, 4]), read("", [2, 5])]],
    [
      "two reads at once, of which one is older",
      [append(0, "a", "ours", [1, 9]), read("a", [2, 6]), read("", [3, 8])],
    ],
    [
      "an append that lost",
      [append(0, "a", "ours", [1, 2]), append(0, "b", "taken", [1, 3]), read("a", [4, 5])],
    ],
    ["an unknown append that is there", [append(0, "a", "unknown", [1, 2]), read("a", [3, 4])]],
    ["an unknown append that is not there", [append(0, "a", "unknown", [1, 2]), read("", [3, 4])]],
    [
      "an unknown append that was made again, and had arrived",
      [append(0, "a", "unknown", [1, 2]), append(0, "a", "taken", [3, 4]), read("a", [5, 6])],
    ],
    ["an append whose process died", [append(0, "a", "died", [1, 2]), read("", [3, 4]), read("a", [5, 6])]],
    [
      "a log that was pruned",
      [
        append(0, "a", "ours", [1, 2]),
        append(1, "p", "ours", [3, 4], { do: "prune" }),
        read("p", [5, 6], 1),
        append(2, "b", "ours", [7, 8]),
      ],
    ],
    [
      "a log that is listed once more than needed",
      [append(0, "a", "ours", [1, 2], { isUnsettled: false }), list([log], [3, 4])],
    ],
    [
      "a log that is settled while it is listed",
      [
        append(0, "a", "ours", [1, 2], { isUnsettled: true }),
        append(1, "a", "ours", [4, 6]),
        list([], [3, 5]),
      ],
    ],
  ])("keeps the promises of the port: %s", (_, calls) => {
    expect(checkHistory(calls).violations).toEqual([]);
  });

  it.each<[string, readonly RecordedCall[]]>([
    [
      "0: two appends are ours",
      [append(0, "a", "ours", [1, 2]), append(0, "b", "ours", [1, 3]), read("a", [4, 5])],
    ],
    ["0: is ours, and a later read lacks it", [append(0, "a", "ours", [1, 2]), read("", [3, 4])]],
    [
      "0: is a, and is read as b",
      [append(0, "a", "ours", [1, 2]), append(0, "b", "unknown", [1, 2]), read("b", [1, 4])],
    ],
    [
      "1: was read, and a later read lacks it",
      [
        append(0, "a", "unknown", [1, 2]),
        append(1, "b", "unknown", [1, 2]),
        read("ab", [3, 4]),
        read("a", [5, 6]),
      ],
    ],
    [
      "0: is a, and is read as b",
      [
        append(0, "a", "unknown", [1, 2]),
        append(0, "b", "unknown", [1, 2]),
        read("a", [1, 4]),
        read("b", [1, 4]),
      ],
    ],
    ["0: a is read, and was taken", [append(0, "a", "taken", [1, 2]), read("a", [3, 4])]],
    ["0: a is read, and was failed", [append(0, "a", "threw", [1, 2]), read("a", [3, 4])]],
    ["0: a is read, and was not appended", [read("a", [3, 4])]],
    ["0: a is read, and was not appended", [read("a", [1, 2]), append(0, "a", "ours", [3, 4])]],
    ["1: is ours, and follows no event", [append(1, "a", "ours", [1, 2])]],
    ["1: is ours, and follows no event", [append(0, "a", "taken", [1, 2]), append(1, "b", "ours", [3, 4])]],
    [
      "0: was pruned, and is read again",
      [append(0, "a", "ours", [1, 2]), append(1, "p", "ours", [3, 4], { do: "prune" }), read("ap", [5, 6])],
    ],
    [
      "1: begins the log, and was not pruned to it",
      [append(0, "a", "ours", [1, 2]), append(1, "b", "ours", [3, 4]), read("b", [5, 6], 1)],
    ],
    [
      "0: is ours, and was pruned before",
      [
        append(0, "a", "unknown", [1, 2]),
        append(1, "p", "ours", [3, 4], { do: "prune" }),
        append(0, "b", "ours", [5, 6]),
      ],
    ],
    [
      "0: is unsettled, and is not listed",
      [append(0, "a", "ours", [1, 2], { isUnsettled: true }), list([], [3, 4])],
    ],
    [
      "0: is unsettled, and is not listed",
      [
        append(0, "a", "ours", [1, 2], { isUnsettled: true }),
        append(1, "b", "taken", [3, 4]),
        list([], [5, 6]),
      ],
    ],
  ])("breaks the promise: %s", (violation, calls) => {
    expect(checkHistory(calls).violations).toEqual([`here ${log} ${violation}`]);
  });

  it("compares the logs of one place, and tells places apart", () => {
    const elsewhere = { ...append(0, "b", "ours", [1, 2]), place: "there" };
    const checked = checkHistory([append(0, "a", "ours", [1, 2]), elsewhere, read("a", [3, 4])]);
    expect(checked).toEqual({ appends: 2, reads: 1, violations: [] });
  });
});

/** A store that each of two processes opens with `open`, append after append. */
async function historyOf(open: () => EventStore | Promise<EventStore>): Promise<readonly RecordedCall[]> {
  const history = createHistory();
  const one = history.record(await open(), "one");
  const other = history.record(await open(), "other");
  for (let number = 0; number < 3; number += 1) {
    await Promise.all([one.append([appendOf(number, "a")]), other.append([appendOf(number, "b")])]);
    await Promise.all([one.read("op-0123456789abcdef"), other.read("op-0123456789abcdef")]);
  }
  return history.calls();
}

describe("the history of a broken store", () => {
  /** Two handles on one place in memory. */
  function inMemory(breakStore: (store: EventStore) => EventStore) {
    const place = createMemoryStore();
    return () => breakStore(place);
  }

  it("is as that of a correct one without the fault", async () => {
    const calls = await historyOf(inMemory((store) => store));
    expect(checkHistory(calls)).toEqual({ appends: 6, reads: 6, violations: [] });
  });

  it("shows events that are acknowledged before they are stored", async () => {
    const calls = await historyOf(
      inMemory((store) => ({
        ...store,
        async append(appends) {
          setTimeout(() => void store.append(appends), 20);
          return appends.map(() => "ours" as const);
        },
      })),
    );
    const found = checkHistory(calls).violations.join("\n");
    expect(found).toContain("0: two appends are ours");
    expect(found).toContain("0: is ours, and a later read lacks it");
  });
});
