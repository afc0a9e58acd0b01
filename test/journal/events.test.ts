import { describe, expect, it } from "vitest";
import { contentFor, type OperationEvent, shownState } from "../../src/journal/events.ts";
import { emptyLog, foldEvents, summarize } from "../../src/journal/fold.ts";
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
    ["sent, and permitted again", [sending, uncertain, { type: "resend", at }], "uncertain"],
    ["sent again", [sending, uncertain, { type: "resend", at }, sending], "uncertain"],
    ["declared", [sending, created], "created"],
    ["refused", [sending, refused], "refused"],
    ["not sent", [sending, unsent(0)], "unsent"],
    ["not sent the second time", [sending, uncertain, notCreated, sending, unsent(3)], "unsent"],
    ["not created, as a person says", [sending, uncertain, notCreated], "not-created"],
    [
      "not created, after an attempt that sent nothing",
      [sending, unsent(0), sending, notCreated],
      "not-created",
    ],
    ["new", [], "not-created"],
  ])("of a create that is %s", (_, events, state) => {
    expect(shownState(foldEvents(key, 0, events))).toBe(state);
  });
});

describe("the summary of a create", () => {
  it("keeps when its result was acknowledged, also as a time since the boot", () => {
    const bootTime = { boot: "b", elapsed: 5 };
    const log = foldEvents(key, 0, [sending, created, { type: "acknowledged", at, bootTime }]);
    expect(summarize(log)).toEqual({
      state: "created",
      name: "Checkout fails",
      digest: content.digest,
      created: { at, serviceId: "an id" },
      acknowledged: { at, bootTime },
    });
  });
});

describe("the content of the next event", () => {
  it("is what the log does not have yet", () => {
    expect(contentFor(emptyLog(key), content)).toEqual({ content });
    expect(contentFor(foldEvents(key, 0, [sending]), content)).toEqual({});
    const edited = { ...content, digest: "edited" };
    expect(contentFor(foldEvents(key, 0, [sending]), edited)).toEqual({ content: edited });
  });
});
