import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../../src/journal/event-store.ts";
import { compareLogs } from "../../../src/journal/fleet/compare-logs.ts";
import { at, requestOf } from "../../delivery/in-memory/deliveries.ts";

const { content } = requestOf();
const key = { baseUrl: "http://service.example", account: "a", id: "id" };
const begun = { type: "sending", at, withId: true, deadline: 1, content };
const again = { ...begun, at: "2026-03-11T08:30:00.000Z" };
const unclear = { type: "uncertain", at, attempt: 0, reason: "no answer" };
const refused = { type: "refused", at, attempt: 0, status: 403, message: "" };
const unsent = { type: "unsent", at, attempt: 0, reason: "" };
const created = { type: "created", at, by: "answer", serviceId: "s-1" };
const byPerson = { type: "created", at, by: "person", serviceId: "s-1" };
const settled = { type: "not-created", at };
const seen = { type: "acknowledged", at };
const summary = {
  type: "pruned",
  at,
  summary: { state: "created", digest: "d", created: { at, serviceId: "s" } },
};

const logOf = (events: readonly object[]) => ({
  first: 0,
  events: events.map((event): StoredEvent => ({ writer: "w", key, event })),
});
const claim = (id: string): StoredEvent => ({ writer: id, claim: { ...key, id } });

describe("this machine's copy of an operation, and the shared journal", () => {
  it.each<[string, readonly object[], readonly object[], string]>([
    ["no copy", [], [begun], "complete"],
    ["equal", [begun, created, seen], [begun, created, seen], "complete"],
    ["continued there", [begun, unclear], [begun, unclear, settled], "complete"],
    ["declared there", [begun, unclear], [again, created], "complete"],
    ["all lost", [begun], [], "lost"],
    ["a refused attempt lost", [begun, refused], [], "lost"],
    ["the last attempt lost", [begun, refused, again, created], [begun, refused], "lost"],
    ["the last attempt lost, and refused", [begun, refused, again, refused], [begun, refused], "lost"],
    ["an ending not there yet", [begun, unclear], [begun], "behind"],
    ["a declaration not there yet", [begun, created], [begun], "behind"],
    ["nothing sent, not there yet", [begun, unsent], [begun], "behind"],
    ["a declaration not there yet, and settled there", [begun, created], [begun, settled], "behind"],
    ["an ending not there yet, and settled there", [begun, unclear], [begun, settled], "complete"],
    ["a decision that can be repeated", [begun, settled], [begun], "complete"],
    ["a declaration by a person", [begun, byPerson], [begun], "complete"],
    ["uncertain here, refused there", [begun, unclear], [again, refused], "conflict"],
    ["begun here, refused there", [begun], [again, refused], "conflict"],
    ["declared here, refused there", [begun, created], [again, refused], "conflict"],
    ["pruned here, refused there", [summary], [again, refused], "conflict"],
    ["refused here, uncertain there", [begun, refused], [again, unclear], "complete"],
    ["settled here, refused there", [begun, unclear, settled], [again, refused], "complete"],
  ])("%s", (_, here, there, kind) => {
    expect(compareLogs(logOf(here), logOf(there)).kind).toBe(kind);
  });

  it("names the first ending that is not there", () => {
    expect(compareLogs(logOf([begun, unclear, created]), logOf([begun]))).toEqual({
      kind: "behind",
      ending: { writer: "w", key, event: unclear },
    });
  });
});

describe("this machine's copy of the claims of a content, and the shared journal", () => {
  it.each<[string, readonly string[], readonly string[], number, string]>([
    ["equal", ["a"], ["a"], 0, "complete"],
    ["continued there", ["a"], ["a", "b"], 0, "complete"],
    ["all lost", ["a"], [], 0, "lost"],
    ["the last lost", ["a", "b"], ["a"], 0, "lost"],
    ["claimed by another machine instead", ["a"], ["b"], 0, "complete"],
    ["pruned there", ["a", "b"], ["b"], 20, "complete"],
  ])("%s", (_, here, there, first, kind) => {
    const copy = { first: 0, events: here.map(claim) };
    expect(compareLogs(copy, { first, events: there.map(claim) }).kind).toBe(kind);
  });
});
