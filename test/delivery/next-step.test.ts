// The decision of the next step: the promise for every log, request and finding, the picture of all of them, and what no
// create of in-memory/steps.test.ts meets, which has the two tables of docs/internals/protocol.md by example.
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

/** One log for each state that a decision can tell apart. */
const distinctLogs = [
  ...new Map(
    allLogs(4).map((log) => {
      const { mayBeFoundById, mayBeRepeated, state, uncertain } = log;
      const facts = [state, uncertain === undefined, mayBeFoundById, mayBeRepeated, log.digest];
      return [JSON.stringify(facts), log];
    }),
  ).values(),
];

const refused = "sending with id, refused";
const failed = "sending with id, answered with 503";
const missed = { readBack: "missed" } as const;
const ended = (kind: EndingKind, delay?: number) => ({ ending: { kind, delay } });

it.each<[string, Partial<StepRequest>, Partial<Findings>, Step]>([
  ["sending with id", { isRedefined: true }, {}, { do: "refuse", because: "redefined" }],
  [refused, { canBeFound: false }, {}, { do: "send", withId: true }],
  [refused, {}, { look: "absent", ...ended("conflict") }, { do: "refuse", because: "ending" }],
  [
    `${refused}, sending without id, refused`,
    {},
    { look: "absent", withoutId: true },
    { do: "send", withId: false },
  ],
  [failed, {}, { attempts: 2, ...missed }, { do: "send", withId: true }],
  [failed, {}, { ...missed, ...ended("rate-limited", 5) }, { do: "wait", delay: 5 }],
  // Its own ending allows no further attempt.
  [failed, {}, { ...missed, ...ended("refused") }, { do: "refuse", because: "unknown" }],
  [failed, {}, { ...missed, ...ended("conflict") }, { do: "refuse", because: "unknown" }],
  [failed, {}, { withoutId: true, ...missed, ...ended("id-refused") }, { do: "refuse", because: "unknown" }],
])("the next step of %s, asked with %j, with the findings %j: %j", (names, asked, found, step) => {
  const request = { isRedefined: false, mayExist: false, canBeFound: true, ...asked };
  expect(nextStep({ log: logOf(names), ...noFindings, attempts: 1, ...found }, request)).toEqual(step);
});

describe("the next step, for every log, request and finding", () => {
  it("is never a send while an attempt is unknown, unless two looks missed a 503", () => {
    let count = 0;
    for (const log of distinctLogs)
      for (const asked of allRequests)
        for (const findings of allFindings) {
          count += 1;
          const step = nextStep({ log, ...findings }, asked);
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
        if (isMet || !findings.isUnclear) decided.add(nextStep({ log, ...findings }, asked).do);
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
