// Which decisions a simulation has met: each cell of step × ending × support for ids × journal that next-step.ts permits.

import { type Findings, nextStep, type Step, type StepRequest } from "../../src/delivery/next-step.ts";
import type { ClientIds } from "../../src/journal/client-ids.ts";
import type { OperationEvent, OperationLog } from "../../src/journal/events.ts";
import { foldEvents } from "../../src/journal/fold.ts";
import { allFindings, allLogs, allRequests, allSupports } from "../delivery/all-logs.ts";
import {
  checkLog,
  checkRemaining,
  checkSummary,
  expectedStep,
  isSameStep,
  type Reading,
  readEvents,
} from "./expected-step.ts";
import { type JournalKind, journals } from "./world/start.ts";

export interface Coverage {
  visit(step: Step, findings: Findings, support: ClientIds, journal: JournalKind): void;
  /** How often each permitted cell was met, the rarest first. */
  counts(): readonly (readonly [cell: string, count: number])[];
  /** The cells that were met, and that the table does not permit. */
  unexpected(): readonly string[];
}

export function createCoverage(): Coverage {
  const met = new Map<string, number>();
  return {
    visit(step, findings, support, journal) {
      const cell = cellOf(step, findings, support, journal);
      met.set(cell, (met.get(cell) ?? 0) + 1);
    },
    counts: () =>
      [...permittedCells()].map((cell) => [cell, met.get(cell) ?? 0] as const).sort((a, b) => a[1] - b[1]),
    unexpected() {
      const permitted = permittedCells();
      return [...met.keys()].filter((cell) => !permitted.has(cell));
    },
  };
}

function cellOf(step: Step, { ending }: Findings, support: ClientIds, journal: JournalKind): string {
  return [nameOf(step), `after ${ending?.kind ?? "nothing"}`, `ids ${support}`, journal].join(", ");
}

function nameOf(step: Step): string {
  if ("because" in step) return `${step.do} (${step.because})`;
  return step.do === "send" ? `send ${step.withId ? "with" : "without"} the id` : step.do;
}

/** Every cell that the decision can give for a log, a request, a support and findings that fit each other. */
export function permittedCells(): ReadonlySet<string> {
  const cells = new Set<string>();
  for (const { findings, log, request, support } of everyInput()) {
    const step = nextStep(log, request, support, findings);
    for (const journal of journals) cells.add(cellOf(step, findings, support, journal));
  }
  return cells;
}

/** Compares how every short log is read with a second reading. Throws where they differ. */
export function checkEveryLog(): number {
  const logs = allLogs(4);
  for (const log of logs) {
    checkLog(log);
    checkLog(withoutTexts(log));
    for (const event of lateEndings(log)) checkLog(foldEvents(log.key, 0, [...log.events, event]));
    checkSummary(log);
    checkRemaining(log);
  }
  return logs.length;
}

/** Endings of any attempt, also of one that a person settled meanwhile, and as 0.1.0 wrote them, without its number. */
function lateEndings({ events }: OperationLog): readonly OperationEvent[] {
  const at = "2026-11-20T06:31:00.000Z";
  const attempts = events.flatMap(({ type }, index) => (type === "sending" ? [index] : []));
  return [
    { type: "refused", at, status: 403, message: "" },
    { type: "uncertain", at, reason: "" },
    ...attempts.flatMap((attempt): OperationEvent[] => [
      { type: "unsent", at, attempt, reason: "" },
      { type: "refused", at, attempt, status: 403, message: "" },
      { type: "uncertain", at, attempt, reason: "", ids: [`id ${attempt}`] },
    ]),
  ];
}

/** As a shared journal keeps it. */
function withoutTexts({ events, key, next }: OperationLog): OperationLog {
  const bare = events.map((event) => {
    if (!("content" in event) || event.content?.body === undefined) return event;
    const { body, digest } = event.content;
    return { ...event, content: { digest, name: body.name } };
  });
  return foldEvents(key, next - events.length, bare);
}

/** Compares every decision with a second one. Throws where they differ. */
export function checkEveryDecision(): number {
  let decisions = 0;
  for (const { findings, log, reading, request, support } of everyInput()) {
    decisions += 1;
    const step = nextStep(log, request, support, findings);
    const expected = expectedStep(reading, request, support, findings);
    if (!isSameStep(step, expected))
      throw new Error(
        `decides ${JSON.stringify([step, log.events.map(({ type }) => type), request, support, findings])}`,
      );
  }
  return decisions;
}

interface Input {
  readonly log: OperationLog;
  readonly reading: Reading;
  readonly request: StepRequest;
  readonly support: ClientIds;
  readonly findings: Findings;
}

/** Also with a definition that has another digest of the same content. */
const requests = allRequests.flatMap((request) => [
  request,
  { ...request, digest: "now", earlierDigests: ["older", request.digest] },
]);

/** Of the logs that a decision cannot tell apart, one. */
function* everyInput(): Generator<Input, void> {
  const logs = new Map(
    allLogs(4).map((log) => {
      const reading = readEvents(log.next - log.events.length, log.events);
      const { isDeclared, isPermitted, unknown } = reading;
      const told = [isDeclared, isPermitted, unknown, reading.digest, log.events.at(-1)?.type];
      return [JSON.stringify(told), { log, reading }];
    }),
  );
  for (const { log, reading } of logs.values())
    for (const findings of allFindings.flatMap(withAttempts))
      for (const request of requests)
        for (const support of allSupports)
          if (fits(log, findings, support, request)) yield { findings, log, reading, request, support };
}

function withAttempts(findings: Findings): readonly Findings[] {
  return findings.attempts === 0 ? [findings] : [1, 4, 5].map((attempts) => ({ ...findings, attempts }));
}

function fits(
  log: OperationLog,
  { attempts, ending, isUnclear, withoutId }: Findings,
  support: ClientIds,
  request: StepRequest,
): boolean {
  // An answer that teaches more about ids ends the create that left its id out.
  if (withoutId && support !== "unknown") return false;
  if (ending === undefined) return true;
  // A run that has sent this content does not take it for an edited one.
  if (attempts === 0 || request.digest !== log.digest) return false;
  // The ending of an attempt is the last event of the log, as long as no other process has appended another.
  const last = log.events.at(-1)?.type;
  switch (ending.kind) {
    case "unsent":
      return last === "unsent";
    case "unclear":
      return last === "uncertain" && isUnclear && ending.delay === undefined;
    case "id-refused":
      // Where the support is known, it is a plain refusal.
      return last === "refused" && withoutId;
    case "rate-limited":
      return last === "refused";
    case "conflict":
    case "refused":
      // Only an attempt that created nothing for certain, and that may succeed later, is repeated.
      return last === "refused" && ending.delay === undefined;
  }
}
