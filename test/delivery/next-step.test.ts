// The decision of the next step: the two tables of docs/internals/protocol.md by example, and the promise for every log,
// request and finding.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  type EndingKind,
  type Findings,
  nextStep,
  noFindings,
  type Step,
  type StepRequest,
} from "../../src/delivery/next-step.ts";
import { canRevise } from "../../src/delivery/settle-by-person.ts";
import type { OperationLog, OperationState } from "../../src/journal/events.ts";
import {
  allFindings,
  allLogs,
  allRequests,
  append,
  canFollow,
  eventsAfter,
  isUnended,
  logOf,
} from "./all-logs.ts";

const request: StepRequest = { isRedefined: false, mayExist: false, canBeFound: true, maxRetries: 4 };
const logs = allLogs(4);

/** One log for each state that a decision can tell apart. */
const distinctLogs = [
  ...new Map(
    logs.map((log) => {
      const { mayBeFoundById, mayBeRepeated, state, uncertain } = log;
      const facts = [state, uncertain === undefined, mayBeFoundById, mayBeRepeated, log.digest];
      return [JSON.stringify(facts), log];
    }),
  ).values(),
];

describe("the next step of a log, with nothing learned in this run", () => {
  it.each<[string, Partial<StepRequest>, Step]>([
    ["", {}, { do: "send", withId: true }],
    ["", { mayExist: true }, { do: "look", because: "may-exist" }],
    ["sending with id", {}, { do: "settle" }],
    ["sending with id", { isRedefined: true }, { do: "refuse", because: "redefined" }],
    ["sending with id, unsent", {}, { do: "send", withId: true }],
    ["sending with id, uncertain", {}, { do: "settle" }],
    ["sending without id, uncertain", {}, { do: "settle" }],
    ["sending with id, refused", {}, { do: "look", because: "earlier-attempt" }],
    ["sending with id, refused", { isRedefined: true }, { do: "look", because: "earlier-attempt" }],
    ["sending with id, refused", { mayExist: true }, { do: "look", because: "earlier-attempt" }],
    ["sending without id, refused", {}, { do: "look", because: "earlier-attempt" }],
    ["sending with id, created", {}, { do: "answer" }],
    ["sending with id, created", { isRedefined: true }, { do: "refuse", because: "redefined" }],
    ["sending with id, uncertain, not-created", {}, { do: "send", withId: true }],
  ])("%s, asked with %j", (names, asked, step) => {
    expect(nextStep(logOf(names), { ...request, ...asked }, noFindings)).toEqual(step);
  });
});

/** The log in which a run finds itself after each ending. */
const logAfter: Readonly<Record<EndingKind, string>> = {
  unsent: "sending with id, unsent",
  "rate-limited": "sending with id, refused",
  refused: "sending with id, refused",
  conflict: "sending with id, refused",
  "id-refused": "sending with id, refused",
  unclear: "sending with id, uncertain",
};

describe("the next step after an ending of this run", () => {
  it.each<[EndingKind, number | undefined, Partial<Findings>, Step]>([
    ["unsent", undefined, {}, { do: "refuse", because: "ending" }],
    ["unsent", 5, {}, { do: "wait", delay: 5 }],
    ["rate-limited", undefined, {}, { do: "refuse", because: "ending" }],
    ["rate-limited", 5, {}, { do: "wait", delay: 5 }],
    ["refused", undefined, {}, { do: "refuse", because: "ending" }],
    ["conflict", undefined, {}, { do: "look", because: "conflict" }],
    ["conflict", undefined, { look: "absent" }, { do: "refuse", because: "ending" }],
    ["id-refused", undefined, {}, { do: "look", because: "id-refused" }],
    ["id-refused", undefined, { look: "absent" }, { do: "send", withId: false }],
    ["unclear", undefined, {}, { do: "settle" }],
    ["unclear", undefined, { readBack: "absent" }, { do: "refuse", because: "unknown" }],
  ])("%s, with the pause %s and the findings %j: %j", (kind, delay, found, step) => {
    const findings = { ...noFindings, attempts: 1, ending: { kind, delay }, ...found };
    expect(nextStep(logOf(logAfter[kind]), request, findings)).toEqual(step);
  });
});

it("a create that was sent without its id stays so after a pause", () => {
  const log = logOf("sending with id, refused, sending without id, refused");
  const findings = { ...noFindings, attempts: 2, look: "absent", withoutId: true } as const;
  expect(nextStep(log, request, findings)).toEqual({ do: "send", withId: false });
});

it("the next step after a refused attempt is a look only where a look can find it", () => {
  const log = logOf("sending with id, refused");
  const step = { do: "look", because: "earlier-attempt" };
  expect(nextStep(log, request, noFindings)).toEqual(step);
  expect(nextStep(log, { ...request, canBeFound: false }, noFindings)).toEqual({ do: "send", withId: true });
});

describe("the next step after a 500 or a 503", () => {
  const missed = { ...noFindings, readBack: "missed" } as const;
  it.each<[string, Step]>([
    ["sending with id, answered with 503", { do: "send", withId: true }],
    ["sending with id, uncertain", { do: "refuse", because: "unknown" }],
    ["sending with id, refused, sending with id, answered with 503", { do: "send", withId: true }],
    // Once more, and not again.
    [
      "sending with id, answered with 503, sending with id, answered with 503",
      { do: "refuse", because: "unknown" },
    ],
    ["sending with id, answered with 503, sending with id", { do: "refuse", because: "unknown" }],
    ["sending with id, answered with 503, sending with id, unsent", { do: "send", withId: true }],
  ])("that two looks missed: %s: %j", (names, step) => {
    expect(nextStep(logOf(names), request, missed)).toEqual(step);
  });

  it.each(["absent", "failed"] as const)("is for a person where the looks are %s", (readBack) => {
    const log = logOf("sending with id, answered with 503");
    expect(nextStep(log, request, { ...noFindings, readBack })).toEqual({ do: "refuse", because: "unknown" });
  });

  const names = "sending with id, answered with 503";
  it.each<[Partial<Findings>, Step]>([
    [{ attempts: 2 }, { do: "send", withId: true }],
    [{ attempts: 3 }, { do: "refuse", because: "unknown" }],
    [
      { attempts: 1, ending: { kind: "rate-limited", delay: 5 } },
      { do: "wait", delay: 5 },
    ],
    [
      { attempts: 2, ending: { kind: "id-refused", delay: undefined }, withoutId: true },
      { do: "send", withId: false },
    ],
    // Its own ending allows no further attempt.
    [
      { attempts: 1, ending: { kind: "refused", delay: undefined } },
      { do: "refuse", because: "unknown" },
    ],
    [
      { attempts: 1, ending: { kind: "conflict", delay: undefined } },
      { do: "refuse", because: "unknown" },
    ],
  ])("after %j, with at most two retries: %j", (found, step) => {
    const findings = { ...missed, ...found };
    expect(nextStep(logOf(names), { ...request, maxRetries: 2 }, findings)).toEqual(step);
  });
});

describe("the next step where a person settles it before this run knows how its own attempt ended", () => {
  it("is for a person", () => {
    const released = logOf("sending with id, uncertain, not-created");
    const findings = { ...noFindings, attempts: 1, isUnclear: true };
    expect(nextStep(released, request, findings)).toEqual({ do: "refuse", because: "unknown" });
  });
});

describe("the next step, for every log, request and finding", () => {
  it("is never a send while an attempt is unknown, unless two looks missed a 503", () => {
    let count = 0;
    for (const log of distinctLogs)
      for (const asked of allRequests)
        for (const findings of allFindings) {
          count += 1;
          const step = nextStep(log, asked, findings);
          if (step.do !== "send" || log.uncertain === undefined) continue;
          const isMissed = log.mayBeRepeated && findings.readBack === "missed";
          if (!isMissed) expect.fail(JSON.stringify({ log, request: asked, findings, step }));
        }
    expect(count).toBeGreaterThan(15_000);
  });
});

describe("the picture in docs/internals/protocol.md", () => {
  it("is what next-step.ts and fold.ts say", () => {
    const page = readFileSync(new URL("../../docs/internals/protocol.md", import.meta.url), "utf8");
    const picture = drawStates();
    expect(page, `put this picture into docs/internals/protocol.md:\n${picture}`).toContain(picture);
  });
});

/** The events that each step can append. */
const appended = {
  answer: [],
  look: ["created"],
  send: ["sending with id", "sending without id"],
  settle: ["created"],
  wait: [],
  refuse: [],
} satisfies Record<Step["do"], readonly string[]>;

/** The process that has appended `sending` records how its attempt ended. A person may settle it. */
const endings = ["created", "unsent", "refused", "uncertain", "answered with 503"];
const decisions = ["settled as created", "not-created"];

/** A state diagram in Mermaid's language: each state, with the steps that may be decided in it. */
function drawStates(): string {
  const steps = new Map<OperationState, Set<string>>();
  const arrows = new Map<string, Set<string>>();
  const draw = (log: OperationLog, label: string, names: readonly string[]) => {
    for (const name of names) {
      const event = eventsAfter(log)[name];
      if (event === undefined || !canFollow(log, event)) continue;
      const arrow = `${log.state} --> ${append(log, event).state}`;
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(`${label} / ${event.type}`));
    }
  };
  for (const log of allLogs(3)) {
    const decided = steps.get(log.state) ?? new Set();
    for (const asked of allRequests)
      for (const findings of allFindings) {
        // A run whose own attempt is unclear meets a log that is open, or that a person has released.
        const isMet = log.state !== "new" && log.state !== "refused";
        if (isMet || !findings.isUnclear) decided.add(nextStep(log, asked, findings).do);
      }
    steps.set(log.state, decided);
    for (const step of decided) draw(log, step, appended[step as Step["do"]]);
    // The sender can learn how its attempt ended after a person has decided.
    if (isUnended(log)) draw(log, "attempt", endings);
    if (log.uncertain !== undefined) draw(log, "person", decisions);
    else if (canRevise(log)) draw(log, "person", ["settled as created", "not-created"]);
    // After an edit, the log of the create has the edited content.
    if (log.created !== undefined) arrows.get("created --> created")?.add("apply / created");
    for (const cause of log.created === undefined ? [] : ["apply --recreate", "person"])
      draw(log, cause, ["not-created"]);
  }
  return [
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> new",
    ...[...steps]
      .map(([state, decided]) => `  ${state}: ${state} (${[...decided].sort().join(", ")})`)
      .sort(),
    ...[...arrows].map(([arrow, labels]) => `  ${arrow}: ${[...labels].sort().join(", ")}`).sort(),
    "```",
  ].join("\n");
}
