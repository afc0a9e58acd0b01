import { describe, expect, it } from "vitest";
import {
  commitFormat,
  type EventRecord,
  eventOf,
  idEntriesOf,
  listOf,
  parseCommits,
  type RawCommit,
  renderCommit,
  renderEvent,
  renderIds,
  renderList,
} from "../../../src/journal/git/event-commit.ts";

const record: EventRecord = {
  log: "op-a",
  number: 3,
  isUnsettled: true,
  isBeginning: false,
  nonce: "n",
  event: { writer: "w", event: { type: "sending" } },
};

/** What `git rev-list` prints for these commits. */
const listed = (...commits: readonly (readonly [id: string, parents: string, message: string])[]) =>
  commits
    .map(([id, parents, message]) =>
      commitFormat
        .replace("--format=", "")
        .replace(/%x0(\d)/g, (_, code) => String.fromCharCode(Number(code)))
        .replace("%H", id)
        .replace("%P", parents)
        .replace("%B", message),
    )
    .join("\n");

const messageOf = (text: string) =>
  renderCommit(text, { tree: "t", parent: undefined, time: 1 }).split("\n\n").slice(1).join("\n\n");
const raw = (text: string): RawCommit =>
  parseCommits(listed(["a1", "b2 c3", messageOf(text)])).get("a1") as RawCommit;
const changedRecord = (fields: object) =>
  JSON.stringify({ ...JSON.parse(renderEvent(5, record)), ...fields });

const untrusted = "the commit a1 of the journal cannot be trusted: it is not an event, or was changed";

describe("a commit of a journal in git", () => {
  it("has its parent, its author, its record, and no pipeline", () => {
    expect(renderCommit("{}", { tree: "t", parent: "p", time: 7 })).toBe(
      "tree t\nparent p\nauthor incident <incident@localhost> 7 +0000\ncommitter incident <incident@localhost> 7 +0000\n\n{}\n\n[skip ci]\n",
    );
    expect(renderCommit("{}", { tree: "t", parent: undefined, time: 7 })).not.toContain("parent");
  });

  it("is read with its id, its first parent, and the first line of its message", () => {
    const commits = parseCommits(
      listed(
        ["a1", "", '{"one":1}\n\n[skip ci]'],
        ["b2", "a1", "no JSON\n"],
        ["c3", "b2 a1", "7\n"],
        ["d4", "c3", "null\n"],
      ),
    );
    expect([...commits.values()]).toEqual([
      { id: "a1", parent: undefined, record: { one: 1 } },
      { id: "b2", parent: "a1", record: {} },
      { id: "c3", parent: "b2", record: {} },
      { id: "d4", parent: "c3", record: {} },
    ]);
    expect([...commits.keys()]).toEqual(["a1", "b2", "c3", "d4"]);
  });

  it.each<[string, string, object]>([
    ["of this format", renderEvent(5, record), { log: "op-a", isBeginning: false, at: 5 }],
    [
      "that begins a log",
      renderEvent(5, { ...record, isBeginning: true }),
      { log: "op-a", isBeginning: true, at: 5 },
    ],
    [
      "whose beginning is no truth value",
      changedRecord({ isBeginning: "yes" }),
      { log: "op-a", isBeginning: false, at: 5 },
    ],
  ])("is the event %s", (_, text, fields) => {
    const { event, nonce, number } = record;
    expect(eventOf(raw(text))).toEqual({ nonce, number, event, ...fields });
  });

  it("says which version reads it", () => {
    expect(JSON.parse(renderEvent(5, record))).toMatchObject({
      incident: 1,
      readBy: "0.2.0",
      isUnsettled: true,
    });
  });

  it.each([
    ["without a format", changedRecord({ incident: undefined }), untrusted],
    ["of a format that is a text", changedRecord({ incident: "1" }), untrusted],
    [
      "of a newer format",
      changedRecord({ incident: 2, readBy: "9.0.0" }),
      "the journal's commit a1 needs incident 9.0.0 or later",
    ],
    ["without the name of its log", changedRecord({ log: undefined }), untrusted],
    ["without a number", changedRecord({ number: "3" }), untrusted],
    ["without an event", changedRecord({ event: undefined }), untrusted],
    ["whose event is null", changedRecord({ event: null }), untrusted],
    ["whose event is a text", changedRecord({ event: "text" }), untrusted],
    ["whose event has no writer", changedRecord({ event: {} }), untrusted],
    ["whose event has another writer", changedRecord({ event: { writer: 1 } }), untrusted],
  ])("is no event %s", (_, text, message) => {
    expect(() => eventOf(raw(text))).toThrow(message);
  });

  const entries = { isBeginning: true, ids: [["d1", "op-a"]] as const };

  it("adds to an index of ids", () => {
    const text = renderIds(entries, "n");
    expect(JSON.parse(text)).toEqual({ incident: 1, readBy: "0.2.0", nonce: "n", ...entries });
    expect(idEntriesOf(raw(text))).toEqual(entries);
    expect(idEntriesOf(raw(renderIds({ ...entries, isBeginning: false }, "n"))).isBeginning).toBe(false);
  });

  it.each([
    ["without ids", JSON.stringify({ incident: 1 })],
    ["that is a list", renderList({ open: [], newest: [] }, "n")],
    ["with an id without its log", JSON.stringify({ incident: 1, ids: [["d1"]] })],
    ["with a number for an id", JSON.stringify({ incident: 1, ids: [[1, "op-a"]] })],
  ])("adds to no index of ids %s", (_, text) => {
    expect(() => idEntriesOf(raw(text))).toThrow(untrusted);
  });

  const list = { open: ["op-a"], newest: [["op-b", 7]] as const };

  it("is a list of what is unsettled and of the newest", () => {
    const text = renderList(list, "n");
    expect(JSON.parse(text)).toEqual({ incident: 1, readBy: "0.2.0", nonce: "n", ...list });
    expect(listOf(raw(text))).toEqual(list);
  });

  it.each([
    ["without what is unsettled", JSON.stringify({ incident: 1, newest: [] })],
    ["without the newest", JSON.stringify({ incident: 1, open: [] })],
    ["that is an event", renderEvent(5, record)],
    ["with a number for a name", JSON.stringify({ incident: 1, open: [7], newest: [] })],
    ["with a name without its time", JSON.stringify({ incident: 1, open: [], newest: [["op-a"]] })],
    ["with a number for a name and time", JSON.stringify({ incident: 1, open: [], newest: [7] })],
  ])("is no list %s", (_, text) => {
    expect(() => listOf(raw(text))).toThrow(untrusted);
  });
});
