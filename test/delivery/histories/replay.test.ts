// The replay of a history can fail: journals with a forbidden event, a content that is claimed too early, and a create that
// leaves before its `sending` event is stored.
import { describe, expect, it } from "vitest";
import type { AppendResult, RecordedCall } from "./history.ts";
import { replayHistory } from "./replay.ts";

const at = "2026-11-20T06:31:00.000Z";
const place = { place: "here", sequence: "s" } as const;
const sending = { type: "sending", at, withId: true, deadline: 1, content: { digest: "d" } };
const claiming = { ...sending, claim: { digest: "d", occurrence: 1 } };

/** An append of an event of an operation, by a process, that ends one microsecond after its start. */
function append(
  [number, event]: readonly [number, object],
  start: number,
  more: { readonly process?: string; readonly id?: string; readonly result?: AppendResult } = {},
): RecordedCall {
  const { id = "a", process = "p", result = "ours" } = more;
  const entry = { writer: `${process}-${number}`, events: [{ id, event }] };
  return { do: "append", process, ...place, start, end: start + 1, number, entry, result };
}

const created = { type: "created", at, by: "answer", serviceId: "a" };

describe("the replay of a history", () => {
  it("permits a create, and counts its events", () => {
    const calls = [append([0, sending], 1), append([1, created], 9)];
    expect(replayHistory(calls, { arrivals: [5] })).toEqual({ events: 2, violations: [] });
  });

  it("knows an append without an answer by the read that shows it", () => {
    const read = { do: "read", process: "p", ...place, from: 0, start: 3, end: 4 } as const;
    const calls: readonly RecordedCall[] = [
      append([0, sending], 1, { result: "unknown" }),
      { ...read, found: { first: 0, writers: ["p-0"] } },
      append([1, created], 9),
    ];
    expect(replayHistory(calls, { arrivals: [5] }).violations).toEqual([]);
    expect(replayHistory(calls, { arrivals: [3] }).violations).toHaveLength(1);
  });

  it.each(
    Object.entries<[readonly RecordedCall[], readonly number[]]>({
      "here s a: 1 sending: the outcome of attempt 0 is unknown": [
        [append([0, sending], 1), append([1, sending], 3)],
        [],
      ],
      "here s a: 1 created: no attempt awaits an answer": [
        [append([0, sending], 1), append([1, created], 3, { process: "q" })],
        [],
      ],
      "here s 1: follows no entry": [[append([1, sending], 1)], []],
      "here s b: begun before a was declared": [
        [append([0, claiming], 1), append([1, claiming], 3, { id: "b" })],
        [],
      ],
      "create 1 arrived before its sending event was known to be stored": [
        [append([0, sending], 5), append([1, created], 9)],
        [4],
      ],
      "create 2 arrived before its sending event was known to be stored": [
        [append([0, sending], 1), append([1, created], 9)],
        [4, 6],
      ],
    }),
  )("shows: %s", (violation, [calls, arrivals]) => {
    expect(replayHistory(calls, { arrivals }).violations).toEqual([violation]);
  });
});
