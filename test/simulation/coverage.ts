// Which decisions a simulation has met: each cell of step × ending × support for ids × journal that next-step.ts permits.

import { type Findings, nextStep, type Step, type StepRequest } from "../../src/delivery/next-step.ts";
import type { ClientIds } from "../../src/journal/client-ids.ts";
import type { OperationLog } from "../../src/journal/events.ts";
import { allFindings, allLogs, allRequests, allSupports } from "../delivery/all-logs.ts";
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

interface Input {
  readonly log: OperationLog;
  readonly request: StepRequest;
  readonly support: ClientIds;
  readonly findings: Findings;
}

/** Of the logs that a decision cannot tell apart, one. */
function* everyInput(): Generator<Input, void> {
  const logs = new Map(
    allLogs(4).map((log) => {
      const { digest, mayBeFoundById, mayBeRepeated, state, uncertain, wasRefused } = log;
      const facts = [state, digest, uncertain !== undefined, mayBeFoundById, mayBeRepeated, wasRefused];
      return [JSON.stringify([...facts, log.events.at(-1)?.type]), log];
    }),
  );
  for (const log of logs.values())
    for (const findings of allFindings.flatMap(withAttempts))
      for (const request of allRequests)
        for (const support of allSupports)
          if (fits(log, findings, support, request)) yield { findings, log, request, support };
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
  // Where a service keeps ids, a create never leaves its id out.
  if (withoutId && support === "honoured") return false;
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
      // Where ids are kept, it is a plain refusal.
      return last === "refused" && withoutId;
    case "rate-limited":
      return last === "refused";
    case "conflict":
    case "refused":
      // Only an attempt that created nothing for certain, and that may succeed later, is repeated.
      return last === "refused" && ending.delay === undefined;
  }
}
