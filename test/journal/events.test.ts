import { describe, expect, it } from "vitest";
import { type OperationEvent, shownState } from "../../src/journal/events.ts";
import { foldEvents, redactEvent, shortened } from "../../src/journal/fold.ts";
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

describe("a shortened create", () => {
  const { digest, parts } = content;
  const sent = { type: "sending", at, withId: true, deadline: 0, origin: {} };
  const begun = { ...sent, content: { digest, name: "Checkout fails", parts } };
  it.each<[string, readonly OperationEvent[], object]>([
    ["was declared", [sending, unsent(0), sending, created], { ...created, origin: {} }],
    [
      "was refused",
      [sending, refused, sending, unsent(2)],
      { ...refused, attempt: 2, message: "answered with 400", origin: {} },
    ],
    ["was not sent", [sending, uncertain, notCreated], { ...unsent(1), origin: {} }],
  ])("that %s keeps what deciding needs, and names nobody", (_, events, ending) => {
    const named = events.map((event) => ({ ...event, origin: { actor: "operator" } }));
    const short = shortened(foldEvents(key, 0, named));
    expect(JSON.parse(JSON.stringify(short))).toEqual([begun, ending]);
  });

  it("that is not known is none", () => {
    expect(shortened(foldEvents(key, 0, [sending, uncertain]))).toBeUndefined();
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

  it("keeps its incident and its status, and no text, once it is shortened or shared", () => {
    const { description: _, ...kept } = change;
    const short = shortened(foldEvents(key, 0, [update, created])) ?? [];
    expect(foldEvents(key, 0, short)).toMatchObject({ state: "created", change: kept });
    expect(redactEvent(update)).toEqual({
      ...update,
      content: { change: kept, digest: "d", name: "Checkout fails" },
    });
  });
});
