// The model of a journal: which entries are believed, what its filters find, and what a snapshot keeps.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { firstSending } from "../../src/delivery/changes/known-updates.ts";
import type { Operation, OperationEvent } from "../../src/journal/events.ts";
import { foldEvents } from "../../src/journal/fold.ts";
import {
  claimedFor,
  emptyModel,
  extend,
  findById,
  format,
  type Model,
  newest,
  operationIn,
  unsettled,
} from "../../src/journal/model.ts";
import type { Entry } from "../../src/journal/sequence.ts";
import { takeSnapshot } from "../../src/journal/snapshot.ts";
import { numberedId } from "../harness/builders.ts";

const service = { baseUrl: "http://service.example", account: "a" };
const at = "2026-03-10T08:30:00.000Z";
const now = Date.parse("2026-03-11T08:30:00.000Z");
const content = {
  digest: "d1",
  parts: { name: "n1", severity: "s1", services: "v1", updates: ["u1", "u2"] },
  body: { name: "A\tB, C", severity: "MAJOR", services: [{ id: "s-1", name: "Cart" }], incidentUpdates: [] },
};
const sending = { type: "sending", at, withId: true, deadline: 1, content } as unknown as OperationEvent;
const created = (serviceId = "S-9"): OperationEvent => ({ type: "created", at, by: "answer", serviceId });
const claiming = (digest = "d1", occurrence = 1) =>
  ({ ...sending, claim: occurrence, content: { ...content, digest } }) as unknown as OperationEvent;
const change = { kind: "update", incidentId: "i", status: "MONITORING", notify: false } as const;

type Own = readonly [id: number | string, event: unknown];

const entryOf = (...events: readonly Own[]): Entry => ({
  writer: "w",
  ...format,
  at: now,
  service,
  events: events.map(([id, event]) => ({ id: typeof id === "string" ? id : numberedId(id), event })),
});

const place = (number: number) => `entry ${number}`;
const modelOf = (...entries: readonly Entry[]): Model => extend(emptyModel, { first: 0, entries }, place);
const idsOf = (logs: Iterable<{ readonly key: { readonly id: string } }>) =>
  [...logs].map(({ key }) => Number(key.id.slice(-6)));

describe("an entry", () => {
  const sound = entryOf([1, sending]);
  const changed = (number: number) => `the journal's entry ${number} cannot be trusted: it was changed`;
  const complete = {
    at,
    withId: true,
    deadline: 1,
    attempt: 0,
    status: 400,
    reason: "",
    serviceId: "a",
  };
  const fields = [
    ["sending", "withId"],
    ["sending", "deadline"],
    ["unsent", "attempt"],
    ["refused", "attempt"],
    ["refused", "status"],
    ["uncertain", "attempt"],
    ["uncertain", "reason"],
    ["created", "serviceId"],
  ] as const;
  const events = [
    null,
    "event",
    { type: "fired", at, alertStarts: 1 },
    { type: "fired", at, alertStarts: [1] },
    { at },
    { type: "other", at },
    { type: "toString", at },
    { ...sending, content: null },
    { ...sending, content: {} },
    ...fields.map(([type, field]) => {
      const { [field]: _, ...others } = { type, ...complete };
      return others;
    }),
  ];

  it.each<[unknown]>([
    ...events.map((event): [unknown] => [entryOf([1, event])]),
    [{ ...sound, journal: 2 }],
    [{ ...sound, journal: undefined }],
    [{ ...sound, writer: 1 }],
    [{ ...sound, events: "x" }],
    [{ ...sound, events: [{ event: sending }] }],
    [{ ...sound, service: { ...service, account: "b" } }],
    [{ ...sound, snapshot: {} }],
  ])("is not believed where it was changed: %j", (entry) => {
    expect(() => modelOf(sound, entry as Entry)).toThrow(changed(1));
  });

  it("is believed with empty texts", () => {
    const starts = { type: "fired", at, alertStarts: [""] };
    const refused = { type: "refused", at, attempt: 0, status: 0, message: "" };
    const empty = { ...sending, content: { digest: "" } };
    expect(modelOf(entryOf([1, empty], [1, refused], [1, empty], [1, created("")], [1, starts])).next).toBe(
      1,
    );
  });

  it("of a newer format names the version that reads it", () => {
    const newer = { ...sound, journal: 4, readBy: "9.0.0" };
    expect(() => modelOf(newer)).toThrow("the journal's entry 0 needs incident 9.0.0 or later");
  });

  it("is not missed, and is taken once", () => {
    expect(() => extend(modelOf(sound), { first: 2, entries: [sound] }, place)).toThrow(
      "entry 1 cannot be trusted: it is gone",
    );
    const model = modelOf(sound, entryOf([1, created()]));
    expect(extend(model, { first: 1, entries: [entryOf([1, created()])] }, place)).toEqual(model);
  });
});

describe("the filters of a model", () => {
  const model = modelOf(
    entryOf([1, sending], [2, claiming()]),
    entryOf([3, claiming("d3")], [1, created(numberedId(1))], [2, created()]),
    entryOf([4, { ...sending, content: { digest: "d2", change } }], [3, created("Service-3")], [5, sending]),
  );

  it("give the newest first", () => {
    expect(idsOf(newest(model))).toEqual([5, 4, 3, 2, 1]);
    expect(idsOf(newest(emptyModel))).toEqual([]);
  });

  it("give those without a known outcome, the oldest first", () => {
    expect(idsOf(unsettled(model))).toEqual([4, 5]);
  });

  it.each([
    ["its own id", numberedId(5), [5]],
    ["the id of the service, in any letter case", "SERVICE-3", [3]],
    ["an id that nothing has", "none", []],
  ])("find those with %s", (_, id, ids) => {
    expect(idsOf(findById(model, id))).toEqual(ids);
  });

  it("give an operation by its id in any letter case, and an empty one", () => {
    const id = "0f0e6679-7425-40de-944b-e07fc1f90ae7";
    const own = modelOf({ ...entryOf(), events: [{ id, event: sending }] });
    expect(operationIn(own, { ...service, id: id.toUpperCase() }).state).toBe("sending");
    expect(operationIn(own, { ...service, id: "none" })).toMatchObject({ state: "new", next: 0 });
  });

  it("find the newest operation of a content", () => {
    expect(claimedFor(model, "d1", 1)?.key.id).toBe(numberedId(2));
    expect(claimedFor(model, "d1", 2)).toBeUndefined();
    const again = extend(model, { first: 3, entries: [entryOf([6, claiming("d3")])] }, place);
    expect(claimedFor(again, "d3", 1)?.key.id).toBe(numberedId(6));
  });
});

it("the newest answer that says it says what a service makes of ids, also after a snapshot", () => {
  const answered = (ids: "honoured" | "ignored") => ({ ...created(), ids });
  const entries = [
    entryOf([1, sending], [1, answered("honoured")], [2, sending], [2, answered("ignored")]),
    entryOf([3, sending], [3, created()]),
  ];
  expect(emptyModel.ids).toBe("unknown");
  const model = modelOf(...entries);
  expect(model.ids).toBe("ignored");
  const snapshot = takeSnapshot(model, now);
  const short = { writer: "s", ...format, at: now, service, writers: [], snapshot };
  expect(extend(emptyModel, { first: 2, entries: [short] }, place).ids).toBe(model.ids);
});

/** The operation as the snapshot has it, where as many others follow it as make it old, or none. */
const throughSnapshot = (events: readonly OperationEvent[], isOld = true) =>
  shortened(
    events.map((event) => [1, event]),
    isOld,
  );

function shortened(own: readonly Own[], isOld = true): Model {
  const others = Array.from({ length: isOld ? 200 : 0 }, (_, index): readonly Own[] => [
    [1000 + index, sending],
    [1000 + index, created(`o-${index}`)],
  ]);
  const model = modelOf(entryOf(...own, ...others.flat()));
  const snapshot = JSON.parse(JSON.stringify(takeSnapshot(model, now)));
  const entry = { writer: "s", ...format, at: now, service, writers: ["a", "b"], snapshot };
  const found = extend(emptyModel, { first: 7, entries: [entry] }, place);
  expect(found).toMatchObject({ first: 7, next: 8, writers: ["a", "b", "s"], endsInSnapshot: true });
  return found;
}

describe("an operation that is over, in a snapshot", () => {
  it.each<[string, readonly OperationEvent[]]>([
    ["that was declared", [sending, created()]],
    ["that was claimed", [claiming(), created()]],
    ["that the service altered", [sending, { ...created(), altered: { name: "d" } } as OperationEvent]],
    ["that kept its id", [sending, created(numberedId(1))]],
    [
      "with the start times of two alerts",
      [sending, created(), ...["x", "y"].map((one) => ({ type: "fired", at, alertStarts: [one] }) as const)],
    ],
    ["that was refused", [sending, { type: "refused", at, attempt: 0, status: 400, message: "" }]],
    ["that a person freed", [sending, { type: "not-created", at }]],
    ["that is an update", [{ ...sending, content: { digest: "d2", change } } as OperationEvent, created()]],
  ])("%s says the same", (_, events) => {
    const before = foldEvents({ ...service, id: numberedId(1) }, 0, events);
    const model = throughSnapshot(events);
    const after = operationIn(model, { ...service, id: numberedId(1) });
    const { created: was, events: _events, content: _content, ...facts } = before;
    expect(after).toMatchObject(facts);
    expect(after.created?.serviceId).toBe(was?.serviceId);
    expect(JSON.stringify(after.events)).not.toContain("body");
    expect(idsOf(newest(model)).at(-1)).toBe(1);
    expect(idsOf(findById(model, was?.serviceId ?? numberedId(1)))).toEqual([1]);
    expect(claimedFor(model, "d1", 1)?.key.id).toBe(before.claim && numberedId(1));
  });
});

it("an operation that was refused is looked for, also where a snapshot has it after an attempt that was not sent", () => {
  const refused = { type: "refused", at, attempt: 0, status: 400, message: "" } as const;
  const unsent = { type: "unsent", at, attempt: 2, reason: "" } as const;
  const there = { before: [numberedId(2)], unclaimed: 1 };
  const model = throughSnapshot([sending, refused, { ...sending, ...there }, unsent]);
  const log = operationIn(model, { ...service, id: numberedId(1) });
  expect(log.wasRefused).toBe(true);
  expect(firstSending(log)).toMatchObject(there);
});

describe("an operation that a snapshot keeps whole", () => {
  const whole = (model: Model) => model.operations.get(numberedId(1)) as Operation;
  it.each<[string, readonly OperationEvent[]]>([
    ["is unsettled", [sending]],
    ["ended in the last hour", [sending, { ...created(), at: new Date(now - 1000).toISOString() }]],
  ])("%s", (_, events) => {
    expect(whole(throughSnapshot(events)).events).toEqual(events);
  });

  it("is among the newest", () => {
    expect(whole(throughSnapshot([sending, created()], false)).events).toHaveLength(2);
  });
});

describe("an operation of the past", () => {
  // Like the separators of the past, and like texts that others begin with.
  const texts = `a $& ( [ , ä 😀 null 1 __proto__ " ' ", ', \\" \\ ["a",1`.split(" ");

  it.each([...texts, "", "\n[", "\r\n", "\0", "\u2028", "\ud800"])(
    "whose id or content is the text %j is found, and no other",
    (text) => {
      const ids = [`${text}b`, text, `b${text}`, `'${text}`, `[${text}`, `"${text}",`];
      const model = shortened(
        ids.flatMap((id): Own[] => [
          [id, claiming(id)],
          [id, created(`S-${id}`)],
        ]),
      );
      expect([...model.operations.keys()]).not.toContain(text);
      expect(findById(emptyModel, text)).toEqual([]);
      for (const id of ids) {
        expect(operationIn(model, { ...service, id }).created?.serviceId).toBe(`S-${id}`);
        expect(claimedFor(model, id, 1)?.key.id).toBe(id);
        for (const sent of [id, `s-${id}`])
          expect(findById(model, sent).map(({ key }) => key.id)).toEqual([id]);
      }
    },
  );

  it("keeps its place among those that stay whole", () => {
    const model = shortened([
      [1, sending],
      [2, sending],
      [2, created()],
    ]);
    expect(idsOf(newest(model)).slice(-2)).toEqual([2, 1]);
  });

  const before = throughSnapshot([claiming(), created()]);
  const later = Date.parse("2027-03-11T08:30:00.000Z");
  const snapshotOf = (model: Model) => ({
    ...entryOf(),
    writers: [],
    snapshot: JSON.parse(JSON.stringify(takeSnapshot(model, later))),
  });

  it("is found among a thousand, and no other, also after another snapshot", () => {
    const ids = Array.from({ length: 1000 }, () => randomUUID());
    const declared = (from: number) =>
      ids.slice(from, from + 500).flatMap((id) => [sending, created(id)].map((event): Own => [id, event]));
    const first = shortened(declared(500));
    const next = extend(first, { first: 8, entries: [entryOf(...declared(0))] }, place);
    const model = extend(next, { first: 9, entries: [snapshotOf(next)] }, place);
    for (const id of ids) expect(operationIn(model, { ...service, id }).created?.serviceId).toBe(id);
    for (const _ of ids) expect(operationIn(model, { ...service, id: randomUUID() }).next).toBe(0);
  });

  it("that is continued keeps its age, and is there once, also after another snapshot", () => {
    const freed = extend(before, { first: 8, entries: [entryOf([1, { type: "not-created", at }])] }, place);
    const again = extend(freed, { first: 9, entries: [snapshotOf(freed)] }, place);
    for (const model of [freed, again]) {
      expect(operationIn(model, { ...service, id: numberedId(1) })).toMatchObject({
        state: "sendable",
        next: 3,
      });
      expect(idsOf(newest(model)).filter((id) => id === 1)).toEqual([1]);
      expect(idsOf(newest(model)).at(-1)).toBe(1);
    }
    expect(again.operations.has(numberedId(1))).toBe(false);
  });

  it("is older than one that a machine with a clock that is behind begins", () => {
    const behind = { ...entryOf([2000, claiming()]), at: 0 };
    const model = extend(before, { first: 8, entries: [behind] }, place);
    expect(claimedFor(model, "d1", 1)?.key.id).toBe(numberedId(2000));
  });

  it("that was the newest one is older than one that such a machine begins after another snapshot", () => {
    const snapshot = { first: 8, entries: [snapshotOf(before)] };
    const behind = { entries: [{ ...entryOf([2, claiming()]), at: 0 }] };
    for (const model of [before, extend(emptyModel, snapshot, place)])
      expect(claimedFor(extend(model, { ...behind, first: model.next }, place), "d1", 1)?.key.id).toBe(
        numberedId(2),
      );
  });

  it.each([
    ["was changed", before.pastById.replace("]", "")],
    ["has a summary in the place of its events", `\n['${numberedId(1)}',2,1,'${at}',{'state':'created'}]`],
  ])("is not believed where its row %s", (_, pastById) => {
    expect(() => newest({ ...before, pastById })).toThrow("cannot be trusted: it was changed");
  });

  it("is not read from a snapshot that has it in another order", () => {
    const { pastById: past, ...rest } = snapshotOf(before).snapshot;
    const old = { ...snapshotOf(before), snapshot: { ...rest, past } };
    expect(() => extend(emptyModel, { first: 8, entries: [old] }, place)).toThrow("it was changed");
  });
});
