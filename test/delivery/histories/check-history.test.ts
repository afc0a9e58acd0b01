// The checker of histories can fail: a table with each violation, and broken sequences that it catches.
import { describe, expect, it } from "vitest";
import { createMemorySequences } from "../../../src/journal/memory-sequences.ts";
import type { Sequence } from "../../../src/journal/sequence.ts";
import { checkHistory } from "./check-history.ts";
import { type AppendResult, createHistory, type RecordedCall } from "./history.ts";

const call = { process: "p", place: "here", sequence: "a" } as const;

type Outcome = AppendResult | "died" | "threw";

/** An append of `writer` as entry `number`, from `start` to `end`. */
function append(
  number: number,
  writer: string,
  outcome: Outcome,
  [start, end]: readonly [number, number],
  more: object = {},
): RecordedCall {
  return {
    ...call,
    do: "append",
    number,
    entry: { writer, ...more },
    start,
    end: outcome === "died" ? undefined : end,
    ...(outcome !== "died" && outcome !== "threw" && { result: outcome }),
  };
}

/** A read from the beginning that found the entries of these writers, one a letter. */
function read(writers: string, [start, end]: readonly [number, number], first = 0): RecordedCall {
  return { ...call, do: "read", from: 0, start, end, found: { first, writers: [...writers] } };
}

describe("the history of a sequence", () => {
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
      "a sequence that was shortened",
      [
        append(0, "a", "ours", [1, 2]),
        append(1, "s", "ours", [3, 4], { snapshot: {} }),
        read("s", [5, 6], 1),
        append(2, "b", "ours", [7, 8]),
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
    ["0: was there, and a later read lacks it", [append(0, "a", "ours", [1, 2]), read("", [3, 4])]],
    [
      "0: is a, and is read as b",
      [append(0, "a", "ours", [1, 2]), append(0, "b", "unknown", [1, 2]), read("b", [1, 4])],
    ],
    [
      "1: was there, and a later read lacks it",
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
    ["1: is ours, and follows no entry", [append(1, "a", "ours", [1, 2])]],
    ["1: is ours, and follows no entry", [append(0, "a", "taken", [1, 2]), append(1, "b", "ours", [3, 4])]],
    [
      "1: begins the sequence, and is no snapshot",
      [append(0, "a", "ours", [1, 2]), append(1, "b", "ours", [3, 4]), read("b", [5, 6], 1)],
    ],
  ])("breaks the promise: %s", (violation, calls) => {
    expect(checkHistory(calls).violations).toEqual([`here a ${violation}`]);
  });

  it("compares the sequences of one place, and tells places apart", () => {
    const elsewhere = { ...append(0, "b", "ours", [1, 2]), place: "there" };
    const checked = checkHistory([append(0, "a", "ours", [1, 2]), elsewhere, read("a", [3, 4])]);
    expect(checked).toEqual({ appends: 2, reads: 1, violations: [] });
  });
});

/** The history of a sequence in memory that two processes append to. */
async function historyOf(breakIt: (sequence: Sequence) => Sequence): Promise<readonly RecordedCall[]> {
  const history = createHistory();
  const memory = createMemorySequences();
  const broken = { ...memory, open: (name: string) => breakIt(memory.open(name)) };
  const [one, other] = ["one", "other"].map((process) => history.record(broken, process).open("a"));
  for (let number = 0; number < 3; number += 1) {
    await Promise.all([one?.append(number, { writer: "a" }), other?.append(number, { writer: "b" })]);
    await Promise.all([one?.read(0), other?.read(0)]);
  }
  return history.calls();
}

describe("the history of a broken sequence", () => {
  it("is as that of a correct one without the fault", async () => {
    const calls = await historyOf((sequence) => sequence);
    expect(checkHistory(calls)).toEqual({ appends: 6, reads: 6, violations: [] });
  });

  it("shows entries that are acknowledged before they are stored", async () => {
    const calls = await historyOf((sequence) => ({
      ...sequence,
      async append(at, entry) {
        setTimeout(() => void sequence.append(at, entry), 20);
        return "ours";
      },
    }));
    const found = checkHistory(calls).violations.join("\n");
    expect(found).toContain("0: two appends are ours");
    expect(found).toContain("0: was there, and a later read lacks it");
  });
});
