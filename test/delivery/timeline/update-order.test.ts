import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planTimeline } from "../../../src/delivery/timeline/update-order.ts";
import { isSameUpdate, occurrenceOf, type TimelineUpdate } from "../../../src/incident/updates.ts";

/** `I:text` is an update with the status that begins with I. */
const update = (text: string): TimelineUpdate => {
  const [, letter, description = ""] = /^(?:([IMR]|ID):)?(.*)$/.exec(text) ?? [];
  const status = { I: "INVESTIGATING", ID: "IDENTIFIED", M: "MONITORING", R: "RESOLVED" }[letter ?? ""];
  return { description, ...(status && { status }) };
};

interface Facts {
  /** Texts that were posted from here for the file, whether or not it still has them. */
  readonly own?: readonly string[];
  /** Places in the file that were posted from here, with the ids that the service gave them. */
  readonly posted?: readonly number[];
  readonly ids?: Readonly<Record<number, string>>;
  readonly isRemembered?: boolean;
  readonly liveStatus?: string;
}

const plan = (file: readonly string[], shown: readonly (string | TimelineUpdate)[], facts: Facts = {}) => {
  const { ids = {}, isRemembered = true, liveStatus, own = [], posted = [] } = facts;
  const { mismatches, problem, states } = planTimeline({
    file: file.map((text, at) => ({ ...update(text), isSent: posted.includes(at), serviceId: ids[at] })),
    shown: shown.map((each) => (typeof each === "string" ? update(each) : each)),
    own: (one) => own.map(update).filter((each) => isSameUpdate(each, one)).length,
    isRemembered,
    liveStatus,
  });
  const told = mismatches.map(({ at, shown: live }) => `${at < 0 ? "-" : at} ${live?.description ?? "none"}`);
  const placesOf = (state: string) => [...states.keys()].filter((at) => states[at] === state);
  const [tail, unpublished] = [placesOf("tail"), placesOf("lacking")];
  return {
    ...(tail.length > 0 && { tail }),
    ...(problem && { problem }),
    ...(told.length > 0 && { told }),
    ...(unpublished.length > 0 && { unpublished }),
  };
};

type Case = [name: string, file: string[], shown: string[], expected: object, facts?: Facts];
const forgotten: Facts = { isRemembered: false };

describe("the tail of a timeline", () => {
  it.each<Case>([
    ["is empty where all is published", ["I:a", "M:b"], ["I:a", "M:b"], {}],
    ["is empty where all is published, the newest first", ["I:a", "M:b"], ["M:b", "I:a"], {}],
    ["is empty for two swapped entries", ["R:b", "I:a"], ["I:a", "R:b"], {}, { liveStatus: "RESOLVED" }],
    ["is empty for a file from the newest", ["R:c", "M:b", "I:a"], ["I:a", "M:b", "R:c"], {}],
    ["has the updates after the last published one", ["I:a", "M:b", "R:c"], ["I:a"], { tail: [1, 2] }],
    ["passes over the updates of others", ["I:a", "M:b", "R:c"], ["I:a", "I:x", "M:b", "M:y"], { tail: [2] }],
    ["knows a text in another notation", ["I:a  <b>", "M:b"], ["I:a &lt;b&gt;"], { tail: [1] }],
    ["has a text with another status", ["I:a", "M:a"], ["I:a"], { tail: [1] }],
    ["has the second of two equal updates", ["I:a", "I:wait", "I:wait"], ["I:a", "I:wait"], { tail: [2] }],
    ["leaves out what was posted, and is not shown", ["I:a", "M:b"], ["I:a"], {}, { posted: [1] }],
    ["leaves out an update without a status", ["I:a", "b"], ["I:a", "I:b"], {}],
    [
      "has the text of the create again where the file repeats it",
      ["I:a", "M:b", "I:a"],
      ["I:a", "M:b"],
      { tail: [2] },
      { posted: [0, 1], own: ["I:a", "M:b"] },
    ],
  ])("%s", (_, file, shown, expected, facts) => {
    expect(plan(file, shown, facts)).toEqual(expected);
  });

  it("is not posted where nothing is published", () => {
    expect(plan(["I:a", "M:b"], ["I:x"])).toMatchObject({ problem: "nothing-published" });
  });

  it.each<Case>([
    ["that others ended is not posted", ["I:a", "M:b"], ["I:a", "R:x"], { tail: [1], problem: "resolved" }],
    ["that the file resolved is posted", ["I:a", "R:b", "I:c"], ["I:a", "R:b"], { tail: [2] }],
    ["without a tail is no problem", ["I:a", "M:b"], ["I:a", "M:b", "R:x"], {}],
    [
      "is not reopened by a RESOLVED that stands later in the file",
      ["I:a", "M:b", "R:c"],
      ["I:a", "R:x"],
      { tail: [1, 2], problem: "resolved" },
    ],
  ])("of an incident %s", (_, file, shown, expected) => {
    expect(plan(file, shown, { liveStatus: "RESOLVED" })).toEqual(expected);
  });

  it.each<Case>([
    ["ends is not posted", ["I:a", "R:b"], ["I:a", "R:x", "I:y"], { tail: [1], problem: "reopened" }],
    ["goes on is posted", ["I:a", "M:b"], ["I:a", "R:x", "I:y"], { tail: [1] }],
    ["ends is posted after the other end", ["I:a", "R:x", "R:b"], ["I:a", "R:x", "I:y"], { tail: [2] }],
  ])("of an incident that others ended and reopened, and that %s", (_, file, shown, expected) => {
    expect(plan(file, shown, { liveStatus: "INVESTIGATING" })).toEqual(expected);
  });
});

describe("an update before the last published one", () => {
  it.each<Case>([
    ["is told beside it", ["I:a", "M:b", "R:c"], ["I:a", "M:x", "R:c"], { unpublished: [1], told: ["1 x"] }],
    [
      "is a corrected one where the other text was posted for the file",
      ["I:a", "M:b", "R:c"],
      ["I:a", "M:x", "R:c"],
      { unpublished: [1], told: ["1 x"], problem: "changed" },
      { posted: [0, 2], own: ["I:a", "M:x", "R:c"] },
    ],
    [
      "does not hold back the tail",
      ["I:a", "M:b", "M:c", "R:d"],
      ["I:a", "M:c"],
      { unpublished: [1], told: ["1 none"], tail: [3] },
    ],
    [
      "is told where a person has repeated a text that stands later in the file",
      ["I:a", "M:b", "I:a"],
      ["I:a", "I:a"],
      { unpublished: [1], told: ["1 none"] },
      { posted: [0], own: ["I:a"] },
    ],
  ])("%s", (_, file, shown, expected, facts) => {
    expect(plan(file, shown, facts)).toEqual(expected);
  });
});

describe("a text that the file no longer has", () => {
  it.each<Case>([
    [
      "is told beside the one that corrects it, and nothing is posted",
      ["I:a", "M:y", "R:b"],
      ["I:a", "M:x"],
      { tail: [1, 2], problem: "changed", told: ["1 x", "2 none"] },
      { posted: [0], own: ["I:a", "M:x"] },
    ],
    [
      "is told alone where it was deleted",
      ["I:a", "R:b"],
      ["I:a", "M:x"],
      { tail: [1], problem: "changed", told: ["1 none", "- x"] },
      { posted: [0], own: ["I:a", "M:x"] },
    ],
    ["is nothing where another person posted it", ["I:a", "M:y"], ["I:a", "M:x"], { tail: [1] }],
    [
      "may be the corrected one of the next entry's status, without a memory",
      ["I:a", "M:y"],
      ["I:a", "M:x"],
      { tail: [1], problem: "changed", told: ["1 x"] },
      forgotten,
    ],
    ["is no corrected one of another status", ["I:a", "M:y"], ["I:a", "I:x"], { tail: [1] }, forgotten],
    ["is no corrected one at the end of the file", ["I:a", "R:y"], ["I:a", "R:x"], { tail: [1] }, forgotten],
  ])("%s", (_, file, shown, expected, facts) => {
    expect(plan(file, shown, facts)).toEqual(expected);
  });
});

it("tells the text that a person corrected under the id of an update that was posted", () => {
  const shown = [{ id: "ID-0", status: "INVESTIGATING", description: "We look at it." }];
  const expected = { told: ["0 We look at it."] };
  expect(plan(["I:We are looking into it."], shown, { posted: [0], ids: { 0: "id-0" } })).toEqual(expected);
});

const texts = fc.array(fc.constantFrom("I:a", "I:b", "M:a", "M:b", "M:c", "R:d"), {
  minLength: 1,
  maxLength: 7,
});

describe("a timeline", () => {
  it("has no tail after its tail is posted, in whatever order the service lists it", () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.func(fc.nat()), (file, count, order) => {
        const shuffled = (list: readonly string[]) =>
          list.toSorted((one, other) => order(one) - order(other));
        const published = file.slice(0, 1 + (count % file.length));
        const { tail = [] } = plan(file, shuffled(published));
        const after = [...published, ...tail.map((at) => file[at] as string)];
        expect(after).toEqual(file);
        expect(plan(file, shuffled(after))).toEqual({});
      }),
    );
  });

  it("has no tail where all of it is published, in whatever order its file is sorted", () => {
    fc.assert(
      fc.property(texts, fc.func(fc.nat()), (published, order) => {
        const file = published.toSorted((one, other) => order(one) - order(other));
        expect(plan(file, published)).toEqual({});
      }),
    );
  });

  it("never posts what was posted, whatever the service shows", () => {
    fc.assert(
      fc.property(texts, texts, fc.array(fc.nat(6)), (file, shown, posted) => {
        const { tail = [] } = plan(file, shown, { posted });
        const last = Math.max(-1, ...posted.filter((at) => at < file.length));
        for (const at of tail) expect(at).toBeGreaterThan(last);
      }),
    );
  });

  it("tells equal updates apart by the number of those before", () => {
    const file = ["I:a", "I:wait", "M:wait", "I: wait "].map(update);
    expect(file.map((_, at) => occurrenceOf(file, at))).toEqual([0, 0, 0, 1]);
  });
});
