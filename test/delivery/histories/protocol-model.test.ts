// The second model of the protocol: what it permits and forbids by example; and it permits every event that the code
// can append to a log.
import { describe, expect, it } from "vitest";
import { nextStep, type StepRequest } from "../../../src/delivery/next-step.ts";
import type { ClientIds } from "../../../src/journal/client-ids.ts";
import type { OperationEvent, OperationLog } from "../../../src/journal/events.ts";
import { emptyLog, summarize } from "../../../src/journal/fold.ts";
import { allFindings, allRequests, append } from "../all-logs.ts";
import { forbiddenStep, type Step } from "./protocol-model.ts";

const at = "2026-11-20T06:31:00.000Z";
const serviceId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

const sending = (digest = "digest", withId = true): OperationEvent => {
  return { type: "sending", at, withId, deadline: 1, content: { digest } };
};
const created = (by: "answer" | "reading" | "person", digest?: string): OperationEvent => {
  return { type: "created", at, by, serviceId, ...(digest !== undefined && { content: { digest } }) };
};

/** Events by name. A number is that of the attempt. */
function stepsOf(names: string): readonly Step[] {
  return names.split(", ").map((name, number) => {
    const [, type = "", attempt = "0", process] = /^([a-z -]+?)(?: (\d+))?(?: of (\w))?$/.exec(name) ?? [];
    const ended = { at, attempt: Number(attempt) };
    const events: Readonly<Record<string, OperationEvent>> = {
      sending: sending(),
      "sending without id": sending("digest", false),
      "sending edited": sending("edited"),
      unsent: { type: "unsent", ...ended, reason: "" },
      refused: { type: "refused", ...ended, status: 403, message: "" },
      "refused with timeout": { type: "refused", ...ended, status: 408, message: "" },
      uncertain: { type: "uncertain", ...ended, reason: "" },
      "server error": { type: "uncertain", ...ended, reason: "", status: 503 },
      answered: created("answer"),
      found: created("reading", "digest"),
      "settled as created": created("person"),
      "not-created": { type: "not-created", at },
      "pruned as created": pruned({ state: "created", digest: "digest", created: { at, serviceId } }),
      "pruned as another": pruned({
        state: "created",
        digest: "digest",
        created: { at, serviceId: "other" },
      }),
      "pruned as refused": pruned({ state: "refused", digest: "digest" }),
    };
    const event = events[type];
    if (event === undefined) throw new Error(`no event ${name}`);
    return { number, event, ...(process && { process }) };
  });
}

function pruned(summary: Extract<OperationEvent, { type: "pruned" }>["summary"]): OperationEvent {
  return { type: "pruned", at, summary };
}

describe("the second model of the protocol", () => {
  it.each([
    "sending, answered",
    "found",
    "sending, unsent, sending, refused 2, sending edited, answered",
    "sending, uncertain, found",
    "sending, uncertain, not-created, sending edited",
    "sending, not-created, sending, answered",
    "sending of a, uncertain of a, settled as created of b, not-created, sending",
    "sending, not-created, uncertain, found",
    "sending, answered, pruned as created",
    "sending, refused, pruned as refused, sending, uncertain 3",
  ])("permits %s", (names) => {
    expect(forbiddenStep(stepsOf(names))).toBeUndefined();
  });

  it.each([
    ["sending, sending", "1 sending: the outcome of attempt 0 is unknown"],
    ["sending, uncertain, sending", "2 sending: the outcome of attempt 0 is unknown"],
    ["sending, answered, sending", "2 sending: the incident is declared"],
    ["found, sending", "1 sending: the incident is declared"],
    ["sending, server error, sending edited", "2 sending: another content than that of attempt 0"],
    ["sending, uncertain, refused", "2 refused: attempt 0 has ended"],
    ["sending, refused with timeout", "1 refused: 408 refuses nothing"],
    ["sending of a, uncertain of b", "1 uncertain: attempt 0 is of another process"],
    ["sending of a, answered of b", "1 created: no attempt awaits an answer"],
    ["answered", "0 created: no attempt awaits an answer"],
    ["sending, refused, settled as created", "2 created: a person settles what is not unknown"],
    ["sending, answered, found", "2 created: the incident is declared"],
    ["sending, refused, not-created", "2 not-created: nothing is unknown"],
    ["sending, not-created, refused", "2 refused: a person has decided that nothing was declared"],
    ["sending, not-created, unsent", "2 unsent: a person has decided that nothing was declared"],
    ["sending, unsent 1", "1 unsent: no attempt 1"],
    ["sending, uncertain, pruned as refused", "2 pruned: an outcome is unknown"],
    ["sending, refused, pruned as created", "2 pruned: its state is refused, not declared"],
    ["sending, answered, pruned as another", "2 pruned: its id is another one"],
  ])("forbids %s", (names, reason) => {
    expect(forbiddenStep(stepsOf(names))).toBe(reason);
  });

  it("permits one more attempt after a 500 or a 503", () => {
    expect(forbiddenStep(stepsOf("sending, server error, sending, answered"))).toBeUndefined();
    expect(forbiddenStep(stepsOf("sending, server error, sending, uncertain 2, sending"))).toBe(
      "4 sending: the outcome of attempt 0 is unknown",
    );
  });
});

function contentOf({ digest = "digest" }: OperationLog, { isEdited }: StepRequest): string {
  return isEdited ? (digest === "edited" ? "digest" : "edited") : digest;
}

/** The events that the code can append: those of the steps it decides, of senders, of persons, and of pruning. */
function eventsOf(log: OperationLog, support: ClientIds): readonly OperationEvent[] {
  const { created: declared, events, state, uncertain } = log;
  const found: OperationEvent[] = [];
  for (const request of allRequests)
    for (const findings of allFindings) {
      // A run whose own attempt is unclear has sent one.
      if (findings.isUnclear && !events.some(({ type }) => type === "sending")) continue;
      const step = nextStep(log, request, support, findings);
      if (step.do === "send") found.push(sending(contentOf(log, request), step.withId));
      if (step.do === "look" || step.do === "settle") found.push(created("reading", contentOf(log, request)));
    }
  for (const [attempt, { type }] of events.entries()) {
    const hasEnded = events.some((event) => "attempt" in event && event.attempt === attempt);
    if (type !== "sending" || hasEnded || state === "created") continue;
    found.push(created("answer"), { type: "uncertain", at, attempt, reason: "" });
    found.push({ type: "uncertain", at, attempt, reason: "", status: 503 });
    if (uncertain === undefined) continue;
    found.push({ type: "unsent", at, attempt, reason: "" });
    found.push({ type: "refused", at, attempt, status: 403, message: "" });
  }
  if (uncertain !== undefined) found.push(created("person"));
  if (uncertain !== undefined || declared !== undefined) found.push({ type: "not-created", at });
  const summary = events.length > 0 ? summarize(log) : undefined;
  if (summary !== undefined) found.push({ type: "pruned", at, summary });
  return [...new Map(found.map((event) => [JSON.stringify(event), event])).values()];
}

describe("the code, seen by the second model", () => {
  const key = { baseUrl: "http://127.0.0.1:1", account: undefined, id: serviceId };

  it.each<[ClientIds, number]>([
    ["unknown", process.env.CASES === "all" ? 5 : 4],
    ["unsupported", 4],
    ["honoured", 4],
  ])("appends nothing that the model forbids: ids are %s, %i events", (support, length) => {
    let logs = [emptyLog(key)];
    let count = 0;
    for (let number = 0; number < length; number += 1) {
      const longer: OperationLog[] = [];
      for (const log of logs)
        for (const event of eventsOf(log, support)) {
          const next = append(log, event);
          const steps = next.events.map((each, index) => ({ number: index, event: each }));
          const reason = forbiddenStep(steps);
          if (reason !== undefined)
            expect.fail(`${next.events.map(({ type }) => type).join(", ")}: ${reason}`);
          longer.push(next);
          count += 1;
        }
      logs = longer;
    }
    expect(count).toBeGreaterThan(400);
  });
});
