// The replay of a history can fail: journals with a forbidden event, a claim that comes too early, and a create that
// leaves before its `sending` event is stored.
import { describe, expect, it } from "vitest";
import type { AppendResult } from "../../../src/journal/event-store.ts";
import { createMemoryStore } from "../../journal/open-stores.ts";
import { createHistory, type RecordedCall } from "./history.ts";
import { replayHistory } from "./replay.ts";

const at = "2026-11-20T06:31:00.000Z";
const log = "op-1";
const key = { baseUrl: "http://127.0.0.1:1", id: "a" };
const sending = { type: "sending", at, withId: true, deadline: 1, content: { digest: "d" } };

/** An append of an event, by a process, that ends one microsecond after its start. */
function append(
  [number, event]: readonly [number, object],
  start: number,
  more: { readonly process?: string; readonly log?: string; readonly result?: AppendResult } = {},
): RecordedCall {
  const { log: name = log, process = "p", result = "ours" } = more;
  const stored = { writer: `${process}-${number}`, ...("claim" in event ? event : { key, event }) };
  const isUnsettled = "type" in event && (event.type === "sending" || event.type === "uncertain");
  return {
    do: "append",
    process,
    place: "here",
    start,
    end: start + 1,
    appends: [{ log: name, number, event: stored, isUnsettled }],
    results: [result],
  };
}

const created = { type: "created", at, by: "answer", serviceId: "a" };

describe("the replay of a history", () => {
  it("permits a create, and counts its events", () => {
    const calls = [append([0, sending], 1), append([1, created], 9)];
    expect(replayHistory(calls, { arrivals: [5] })).toEqual({ events: 2, violations: [] });
  });

  it("knows an append without an answer by the read that shows it", () => {
    const read = { do: "read", process: "p", place: "here", log, start: 3, end: 4 } as const;
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
      "here op-1 1 sending: the outcome of attempt 0 is unknown": [
        [append([0, sending], 1), append([1, sending], 3)],
        [],
      ],
      "here op-1 1 created: no attempt awaits an answer": [
        [append([0, sending], 1), append([1, created], 3, { process: "q" })],
        [],
      ],
      "here op-1 1: follows no event": [[append([1, sending], 1)], []],
      "here claim-1 1: claimed before a was declared": [
        [
          append([0, { claim: key }], 1, { log: "claim-1" }),
          append([1, { claim: { ...key, id: "b" } }], 3, { log: "claim-1" }),
        ],
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

  it("reads what a store was told", async () => {
    const history = createHistory();
    const store = history.record(createMemoryStore(), "p");
    const stored = { writer: "w", key, event: sending };
    await store.append([{ log, number: 0, event: stored, isUnsettled: false }]);
    expect(replayHistory(history.calls()).violations).toEqual([
      " op-1 0 sending: it is not listed as unsettled",
    ]);
  });
});
