// The decision of the next step: the two tables of docs/exactly-once.md by example, and what holds for every log,
// request, support for ids and finding.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
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
  allSupports,
  append,
  canFollow,
  digest,
  eventsAfter,
  isUnended,
  logOf,
} from "./all-logs.ts";

const request: StepRequest = { digest, earlierDigests: [], mayExist: false, skipLook: false, maxRetries: 4 };
const logs = allLogs(4);

/** One log for each state that a decision can tell apart, and for each answer to whether a person permitted a send. */
const distinctLogs = [
  ...new Map(
    logs.map((log) => {
      const isPermitted = log.events.some(({ type }) => type === "resend");
      const { allCarriedId, mayBeFoundById, state, uncertain } = log;
      const facts = [state, uncertain === undefined, mayBeFoundById, allCarriedId, log.digest, isPermitted];
      return [JSON.stringify(facts), log];
    }),
  ).values(),
];

describe("the next step of a log, with nothing learned in this run", () => {
  it.each<[string, Partial<StepRequest>, Step]>([
    ["", {}, { do: "send", withId: true }],
    ["", { mayExist: true }, { do: "look", because: "may-exist" }],
    ["", { mayExist: true, skipLook: true }, { do: "send", withId: true }],
    ["sending with id", {}, { do: "settle" }],
    ["sending with id", { digest: "edited" }, { do: "refuse", because: "edited" }],
    ["sending with id", { digest: "now", earlierDigests: [digest] }, { do: "settle" }],
    ["sending with id, unsent", {}, { do: "send", withId: true }],
    ["sending with id, uncertain", {}, { do: "settle" }],
    ["sending without id, uncertain", {}, { do: "settle" }],
    ["sending with id, refused", {}, { do: "send", withId: true }],
    ["sending with id, refused", { digest: "edited" }, { do: "send", withId: true }],
    ["sending with id, refused", { mayExist: true }, { do: "look", because: "may-exist" }],
    ["sending with id, created", {}, { do: "answer" }],
    ["sending with id, created", { digest: "edited" }, { do: "refuse", because: "edited" }],
    ["sending with id, created", { digest: "now", earlierDigests: [digest] }, { do: "answer" }],
    ["sending with id, uncertain, not-created", {}, { do: "send", withId: true }],
    ["sending with id, uncertain, resend", {}, { do: "look", because: "earlier-attempt" }],
    ["sending with id, uncertain, resend", { skipLook: true }, { do: "look", because: "earlier-attempt" }],
    ["sending without id, uncertain, resend", {}, { do: "send", withId: true }],
    ["sending with id, created, pruned", {}, { do: "answer" }],
  ])("%s, asked with %j", (names, asked, step) => {
    expect(nextStep(logOf(names), { ...request, ...asked }, "unknown", noFindings)).toEqual(step);
  });
});

describe("the next step after an ending of this run", () => {
  const decideAfter = (
    names: string,
    kind: NonNullable<Findings["ending"]>["kind"],
    more: Partial<Findings> = {},
  ) =>
    nextStep(logOf(names), request, "unknown", {
      attempts: 1,
      isUnclear: false,
      withoutId: false,
      ending: { kind, delay: undefined },
      ...more,
    });
  const delayed = (kind: NonNullable<Findings["ending"]>["kind"]) => ({ ending: { kind, delay: 5 } });

  it.each<[string, Step, Step]>([
    ["unsent", { do: "refuse", because: "ending" }, decideAfter("sending with id, unsent", "unsent")],
    [
      "unsent, to be repeated",
      { do: "wait", delay: 5 },
      decideAfter("sending with id, unsent", "unsent", delayed("unsent")),
    ],
    ["429", { do: "refuse", because: "ending" }, decideAfter("sending with id, refused", "rate-limited")],
    [
      "429, with a pause",
      { do: "wait", delay: 5 },
      decideAfter("sending with id, refused", "rate-limited", delayed("rate-limited")),
    ],
    ["refused", { do: "refuse", because: "ending" }, decideAfter("sending with id, refused", "refused")],
    ["409", { do: "look", because: "conflict" }, decideAfter("sending with id, refused", "conflict")],
    [
      "409, not found",
      { do: "refuse", because: "conflict-absent" },
      decideAfter("sending with id, refused", "conflict", { look: "absent" }),
    ],
    [
      "409, not readable",
      { do: "refuse", because: "look-failed" },
      decideAfter("sending with id, refused", "conflict", { look: "failed" }),
    ],
    [
      "400 in the service's shape",
      { do: "look", because: "id-refused" },
      decideAfter("sending with id, refused", "id-refused"),
    ],
    [
      "the same, not found",
      { do: "send", withId: false },
      decideAfter("sending with id, refused", "id-refused", { look: "absent" }),
    ],
    [
      "the same, not readable",
      { do: "refuse", because: "look-failed" },
      decideAfter("sending with id, refused", "id-refused", { look: "failed" }),
    ],
    ["unclear", { do: "settle" }, decideAfter("sending with id, uncertain", "unclear")],
    [
      "unclear, not found",
      { do: "ask" },
      decideAfter("sending with id, uncertain", "unclear", { readBack: "absent" }),
    ],
  ])("%s: %j", (_, step, decided) => {
    expect(decided).toEqual(step);
  });
});

describe("the next step where ids are unique", () => {
  const readBack = { ...noFindings, readBack: "absent" } as const;
  it.each<[string, Step]>([
    ["sending with id, uncertain", { do: "send", withId: true }],
    ["sending with id, uncertain, resend, sending with id, uncertain", { do: "send", withId: true }],
    ["sending without id, uncertain", { do: "ask" }],
    // The service may have declared the second one under another id.
    ["sending with id, uncertain, resend, sending without id, uncertain", { do: "ask" }],
  ])("%s: %j", (names, step) => {
    expect(nextStep(logOf(names), request, "unique", readBack)).toEqual(step);
  });
});

describe("a log", () => {
  it("forgets who has seen an incident that does not exist: the next one is not acknowledged", () => {
    expect(logOf("sending with id, created, acknowledged").acknowledged).toBeDefined();
    const again = "sending with id, created, acknowledged, not-created, sending with id, created";
    expect(logOf(again).acknowledged).toBeUndefined();
  });
});

describe("the next step, for every log, request, support and finding", () => {
  /** Calls `check` for each combination; `place` describes it. */
  function forAll(
    check: (given: {
      log: OperationLog;
      request: StepRequest;
      support: (typeof allSupports)[number];
      findings: Findings;
      step: Step;
    }) => boolean,
  ): number {
    let count = 0;
    for (const log of distinctLogs)
      for (const asked of allRequests)
        for (const support of allSupports)
          for (const findings of allFindings) {
            const step = nextStep(log, asked, support, findings);
            const given = { log, request: asked, support, findings, step };
            count += 1;
            if (!check(given)) expect.fail(JSON.stringify(given));
          }
    return count;
  }

  it("is never a send while an attempt is unknown, unless ids are unique or a person permitted it", () => {
    const count = forAll(({ log, findings, step, support }) => {
      if (step.do !== "send" || log.uncertain === undefined) return true;
      const isPermitted =
        log.events.some(({ type }) => type === "resend") &&
        log.state !== "uncertain" &&
        log.state !== "sending";
      const isUnique =
        support === "unique" && log.allCarriedId && findings.readBack === "absent" && step.withId;
      return isPermitted || isUnique;
    });
    expect(count).toBeGreaterThan(50_000);
  });

  it("is an answer if and only if it is created and not edited", () => {
    forAll(
      ({ log, request: { digest: asked }, step }) =>
        (step.do === "answer") === (log.state === "created" && asked === digest),
    );
  });

  it("is nothing that sends or reads for an edited definition of an attempt that may have been accepted", () => {
    forAll(
      ({ log, request: { digest: asked }, step }) =>
        asked === digest ||
        (log.state !== "created" && log.uncertain === undefined) ||
        (step.do === "refuse" && step.because === "edited"),
    );
  });

  it("reads back an unknown attempt before anything else is done about it", () => {
    forAll(
      ({ log, findings, request: { digest: asked }, step }) =>
        (log.state !== "sending" && log.state !== "uncertain") ||
        asked !== digest ||
        findings.readBack !== undefined ||
        step.do === "settle",
    );
  });

  it("carries no id where the service refuses ids, and asks no person while none is unknown", () => {
    forAll(({ findings, log, step, support }) => {
      if (step.do === "send" && step.withId && log.uncertain === undefined) return support !== "unsupported";
      return step.do !== "ask" || log.uncertain !== undefined || findings.isUnclear;
    });
  });

  it("waits only for an ending that says so, and stops waiting without one", () => {
    forAll(({ findings, step }) => step.do !== "wait" || step.delay === findings.ending?.delay);
  });
});

describe("the picture in docs/exactly-once.md", () => {
  it("is what next-step.ts and fold.ts say", () => {
    const page = readFileSync(new URL("../../docs/exactly-once.md", import.meta.url), "utf8");
    const picture = drawStates();
    expect(page, `put this picture into docs/exactly-once.md:\n${picture}`).toContain(picture);
  });
});

/** The events that each step can append. */
const appended = {
  answer: ["acknowledged"],
  look: ["created"],
  send: ["sending with id", "sending without id"],
  settle: ["created"],
  wait: [],
  ask: ["resend"],
  refuse: [],
} satisfies Record<Step["do"], readonly string[]>;

/** The process that has appended `sending` records how its attempt ended. A person may settle it. */
const endings = ["created", "unsent", "refused", "uncertain"];
const decisions = ["settled as created", "not-created", "resend"];

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
      for (const support of allSupports)
        for (const findings of allFindings) {
          // A run whose own attempt is unclear meets a log that is open, or that a person has released.
          const isMet = log.state !== "new" && log.state !== "refused";
          if (isMet || !findings.isUnclear) decided.add(nextStep(log, asked, support, findings).do);
        }
    steps.set(log.state, decided);
    for (const step of decided) draw(log, step, appended[step as Step["do"]]);
    // The sender can learn how its attempt ended after a person has decided.
    if (isUnended(log)) draw(log, "attempt", endings);
    if (log.uncertain !== undefined) draw(log, "person", decisions);
    else if (canRevise(log)) draw(log, "person", ["settled as created", "not-created"]);
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
