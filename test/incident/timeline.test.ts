import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { occurrenceOf, planTimeline } from "../../src/incident/timeline.ts";
import type { TimelineUpdate } from "../../src/incident/updates.ts";

/** `I:text` is an update with the status that begins with I. */
const update = (text: string): TimelineUpdate => {
  const [, letter, description = ""] = /^(?:([IMR]|ID):)?(.*)$/.exec(text) ?? [];
  const status = { I: "INVESTIGATING", ID: "IDENTIFIED", M: "MONITORING", R: "RESOLVED" }[letter ?? ""];
  return { description, ...(status && { status }) };
};

interface Facts {
  /** Places in the list. */
  readonly own?: readonly number[];
  readonly posted?: readonly number[];
  readonly liveStatus?: string;
}

const plan = (
  file: readonly string[],
  shown: readonly string[],
  { liveStatus, own = [], posted = [] }: Facts = {},
) => {
  const list = shown.map(update);
  return planTimeline({
    file: file.map(update),
    shown: list,
    posted: new Map(posted.map((at) => [at, undefined])),
    own: new Set(own.map((place) => list[place] as TimelineUpdate)),
    liveStatus,
  });
};

const nothing = { tail: [], reworded: [], unpublished: [] };

describe("the tail of a timeline", () => {
  it.each<[string, string[], string[], object, Facts?]>([
    ["is empty where all is published", ["I:a", "M:b"], ["I:a", "M:b"], {}],
    ["is empty where all is published, the newest first", ["I:a", "M:b"], ["M:b", "I:a"], {}],
    ["has the updates after the last published one", ["I:a", "M:b", "R:c"], ["I:a"], { tail: [1, 2] }],
    ["passes over the updates of others", ["I:a", "M:b", "R:c"], ["I:a", "I:x", "M:b", "M:y"], { tail: [2] }],
    ["knows a text in another notation", ["I:a  <b>", "M:b"], ["I:a &lt;b&gt;"], { tail: [1] }],
    ["has a text with another status", ["I:a", "M:a"], ["I:a"], { tail: [1] }],
    ["has the second of two equal updates", ["I:a", "I:wait", "I:wait"], ["I:a", "I:wait"], { tail: [2] }],
    [
      "leaves out what was posted, and is not shown",
      ["I:a", "M:b"],
      ["I:a"],
      { reworded: [1] },
      { posted: [1] },
    ],
    ["leaves out an update without a status", ["I:a", "b"], ["I:a", "I:b"], {}],
  ])("%s", (_, file, shown, expected, facts) => {
    expect(plan(file, shown, facts)).toEqual({ ...nothing, ...expected });
  });

  it("is not posted where nothing is published", () => {
    expect(plan(["I:a", "M:b"], ["I:x"])).toMatchObject({ problem: "nothing-published" });
  });

  it("is not posted where the order of the list decides which update is the last", () => {
    const file = ["M:b", "I:a", "M:b", "M:c"];
    expect(plan(file, ["I:a", "M:b"])).toMatchObject({ problem: "order-unknown" });
    expect(plan(file, ["I:a", "M:b"], { posted: [2] })).not.toHaveProperty("problem");
  });

  it.each<[string, string[], string[], object]>([
    ["that others resolved is not posted", ["I:a", "M:b"], ["I:a", "R:x"], { problem: "resolved" }],
    ["that the file resolved is posted", ["I:a", "R:b", "I:c"], ["I:a", "R:b"], { tail: [2] }],
    ["without a tail is no problem", ["I:a", "M:b"], ["I:a", "M:b", "R:x"], {}],
  ])("of an incident %s", (_, file, shown, expected) => {
    const planned = plan(file, shown, { liveStatus: "RESOLVED" });
    expect(planned).toMatchObject(expected);
    expect("problem" in planned).toBe("problem" in expected);
  });
});

describe("an update before the last published one", () => {
  it.each<[string, string[], string[], object]>([
    [
      "is in other words where the service has another one",
      ["I:a", "M:b", "R:c"],
      ["I:a", "M:x", "R:c"],
      { reworded: [1] },
    ],
    ["was never published where it has none", ["I:a", "M:b", "R:c"], ["I:a", "R:c"], { unpublished: [1] }],
    [
      "counts with its neighbours",
      ["I:a", "M:b", "M:c", "R:d"],
      ["I:a", "M:x", "R:d"],
      { unpublished: [1, 2] },
    ],
    ["counts where the newest is first", ["I:a", "M:b", "R:c"], ["R:c", "M:x", "I:a"], { reworded: [1] }],
    ["counts on both sides of the only equal one", ["I:a", "M:b"], ["I:x", "M:b", "M:y"], { reworded: [0] }],
    ["was never published where one side has none", ["I:a", "M:b"], ["I:x", "M:b"], { unpublished: [0] }],
    [
      "does not hold back the tail",
      ["I:a", "M:b", "M:c", "R:d"],
      ["I:a", "M:c"],
      { unpublished: [1], tail: [3] },
    ],
  ])("%s", (_, file, shown, expected) => {
    expect(plan(file, shown)).toEqual({ ...nothing, ...expected });
  });
});

describe("a last update that was posted from here, and that the file no longer has", () => {
  it.each<[string, string[], string[], object, Facts]>([
    ["is the next one of its status", ["I:a", "ID:y"], ["I:a", "ID:x"], { reworded: [1] }, { own: [1] }],
    ["is it in either order", ["I:a", "ID:y"], ["ID:x", "I:a"], { reworded: [1] }, { own: [0] }],
    [
      "holds back no tail",
      ["I:a", "ID:y", "M:b"],
      ["I:a", "ID:x"],
      { reworded: [1], tail: [2] },
      { own: [1] },
    ],
    ["is none of another status", ["I:a", "M:b"], ["I:a", "ID:x"], { tail: [1] }, { own: [1] }],
    [
      "leaves out what stands before it",
      ["I:a", "M:b", "ID:y"],
      ["I:a", "ID:x"],
      { reworded: [2], unpublished: [1] },
      { own: [1] },
    ],
    [
      "is not one before the last published one",
      ["I:a", "ID:y", "M:b", "ID:c"],
      ["I:a", "ID:x", "M:b"],
      { reworded: [1], tail: [3] },
      { own: [1] },
    ],
    ["counts once", ["I:a", "ID:y", "ID:z"], ["I:a", "ID:x"], { reworded: [1], tail: [2] }, { own: [1] }],
  ])("%s", (_, file, shown, expected, facts) => {
    expect(plan(file, shown, facts)).toEqual({ ...nothing, ...expected });
  });

  it("has resolved the incident for the file", () => {
    const facts = { liveStatus: "RESOLVED", own: [1] };
    expect(plan(["I:a", "R:y", "I:b"], ["I:a", "R:x"], facts)).toEqual({
      ...nothing,
      reworded: [1],
      tail: [2],
    });
  });
});

const texts = fc.array(fc.constantFrom("I:a", "I:b", "M:a", "M:b", "M:c", "R:d"), {
  minLength: 1,
  maxLength: 7,
});

describe("a timeline", () => {
  it("has no tail after its tail is posted, in either order of the list", () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.boolean(), (file, count, isReversed) => {
        const published = file.slice(0, 1 + (count % file.length));
        const { problem, tail } = plan(file, isReversed ? published.toReversed() : published);
        if (problem !== undefined) return;
        const after = [...published, ...tail.map((at) => file[at] as string)];
        expect(plan(file, isReversed ? after.toReversed() : after).tail).toEqual([]);
      }),
    );
  });

  it("never posts what was posted, whatever the service shows", () => {
    fc.assert(
      fc.property(texts, texts, fc.array(fc.nat(6)), (file, shown, posted) => {
        const { tail } = plan(file, shown, { posted });
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
