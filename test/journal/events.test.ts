import { describe, expect, it } from "vitest";
import { type OperationEvent, shownState } from "../../src/journal/events.ts";
import { foldEvents, redactEvent, summarize } from "../../src/journal/fold.ts";
import { at, key, requestOf } from "../delivery/in-memory/deliveries.ts";

const { content } = requestOf();
const sending = { type: "sending", at, withId: true, deadline: 1000, content } as const;
const unsent = (attempt: number): OperationEvent => ({ type: "unsent", at, attempt, reason: "" });
const created = { type: "created", at, by: "answer", serviceId: "an id" } as const;
const uncertain = { type: "uncertain", at, attempt: 0, reason: "" } as const;
const notCreated = { type: "not-created", at } as const;
const refused = { type: "refused", at, attempt: 0, status: 400, message: "" } as const;

describe("the state that a person sees", () => {
  it.each<[string, readonly OperationEvent[], string]>([
    ["sent", [sending], "sending"],
    ["sent, and unclear", [sending, uncertain], "uncertain"],
    ["sent again", [sending, uncertain, sending], "uncertain"],
    ["refused after an unknown one", [sending, uncertain, sending, { ...refused, attempt: 2 }], "uncertain"],
    ["declared", [sending, created], "created"],
    ["refused", [sending, refused], "refused"],
    ["not sent", [sending, unsent(0)], "unsent"],
    ["not sent the second time", [sending, uncertain, notCreated, sending, unsent(3)], "unsent"],
    ["not created, as a person says", [sending, uncertain, notCreated], "not-created"],
    ["not created, after one that sent nothing", [sending, unsent(0), sending, notCreated], "not-created"],
    ["new", [], "not-created"],
  ])("of a create that is %s", (_, events, state) => {
    expect(shownState(foldEvents(key, 0, events))).toBe(state);
  });
});

describe("the summary of a create", () => {
  it("keeps what deciding needs", () => {
    const log = foldEvents(key, 0, [sending, created]);
    expect(summarize(log)).toEqual({
      state: "created",
      name: "Checkout fails",
      digest: content.digest,
      parts: content.parts,
      created: { at, serviceId: "an id" },
    });
  });
});

describe("an update", () => {
  const change = {
    kind: "update",
    incidentId: "an incident",
    status: "MONITORING",
    notify: true,
    description: "We are watching it.",
  } as const;
  const update = {
    ...sending,
    withId: false,
    before: ["an earlier update"],
    content: { change, digest: "d", name: "Checkout fails" },
  };

  it("is no create: its log has no content of one", () => {
    const log = foldEvents(key, 0, [update]);
    expect(log).toMatchObject({ change, content: undefined, digest: "d", name: "Checkout fails" });
  });

  it("that was refused is looked for, as a create that was sent without an id", () => {
    expect(foldEvents(key, 0, [update, refused]).wasRefused).toBe(true);
    expect(foldEvents(key, 0, [{ ...sending, withId: false }, refused]).wasRefused).toBe(true);
  });

  it("keeps its incident and its status, and no text, once it is pruned or shared", () => {
    const { description: _, ...kept } = change;
    expect(summarize(foldEvents(key, 0, [update, created]))?.change).toEqual(kept);
    expect(redactEvent(update)).toEqual({
      ...update,
      content: { change: kept, digest: "d", name: "Checkout fails" },
    });
  });

  it("is an update after it was pruned", () => {
    const summary = summarize(foldEvents(key, 0, [update, created]));
    const pruned = foldEvents(key, 1, [{ type: "pruned", at, summary: summary as never }]);
    expect(pruned).toMatchObject({ state: "created", change: { kind: "update" } });
  });
});
