// A function for each step of a create. It carries out the step, and returns the facts for the next decision.
import { Failure } from "../failure.ts";
import { retryDelay } from "../http/retry.ts";
import type { Incident } from "../incident/wire.ts";
import { contentFor, type OperationLog } from "../journal/events.ts";
import { attemptCreate, createdEvent } from "./attempt.ts";
import {
  conflictFailure,
  editedFailure,
  interruptedFailure,
  uncertainFailure,
  unlookedFailure,
  waitEnded,
} from "./delivery-failures.ts";
import {
  type Delivered,
  type DeliveryOptions,
  type DeliveryRequest,
  freshness,
  timestamp,
} from "./delivery-options.ts";
import type { UnsuccessfulEnding } from "./endings.ts";
import { type Findings, noFindings, type Step } from "./next-step.ts";
import { readBack, recognize } from "./read-back.ts";
import { waitForSender } from "./wait-for-sender.ts";

/** The facts of this run that are not in the log. */
export interface Progress {
  readonly log: OperationLog;
  readonly findings: Findings;
  /** Whether an attempt of this run was sent, and its outcome not known then. A permit to send again does not reset it. */
  readonly wasUnclear: boolean;
  /** The ending of the last attempt. */
  readonly ending?: UnsuccessfulEnding;
  /** Why the incident could not be read. */
  readonly failure?: Failure;
  /** The attempt without an ending whose deadline this run has waited for. */
  readonly overdue?: OperationLog["unended"];
}

export type StepResult = { readonly done: Delivered } | Progress;

/** Reads the id before sending, within the settling time. */
export async function look(
  options: DeliveryOptions,
  request: DeliveryRequest,
  progress: Progress,
  because: (Step & { do: "look" })["because"],
): Promise<StepResult> {
  const { findings } = progress;
  let incident: Incident | undefined;
  try {
    incident = await options.client.findIncident(request.key.id, { budget: options.settleFor });
  } catch (error) {
    if (!(error instanceof Failure) || options.system.signal.aborted) throw error;
    return { ...progress, findings: { ...findings, look: "failed" }, failure: error };
  }
  if (incident === undefined) return { ...progress, findings: { ...findings, look: "absent" } };
  const differences = recognize(options, request, incident, because === "earlier-attempt");
  if (differences !== undefined) throw conflictFailure(incident, differences);
  const isOwn = because === "earlier-attempt" && findings.attempts > 0;
  return recordFound(options, request, progress, incident, isOwn ? "declared" : "found");
}

export async function send(
  options: DeliveryOptions,
  request: DeliveryRequest,
  progress: Progress,
  withId: boolean,
): Promise<StepResult> {
  const { clientIds, maxRetries, reporter, system } = options;
  const { attempts, isUnclear, look, readBack, withoutId } = progress.findings;
  // A person may take long to answer, and may decline.
  await options.beforeSend?.();
  const attempt = await attemptCreate(options, request, progress.log, withId);
  if (attempt.kind === "lost") return restart(progress, attempt.log);
  if (attempt.kind === "created") return { done: attempt.delivered };
  const { ending, isChanged, log } = attempt;
  const { failure, outcome } = ending;
  if (ending.kind === "unclear") {
    if (system.signal.aborted) throw interruptedFailure(log, system.signal);
    reporter.info(`${failure.message}; checking whether it was created`);
  }
  if (ending.kind === "refused" && withoutId) clientIds.learn("supported");
  const delay = retryDelay(outcome, {
    method: "POST",
    number: attempts + 1,
    maxRetries,
    fraction: system.random.fraction(),
    now: system.clock.now(),
  });
  const isIdInDoubt = ending.kind === "id-refused" && clientIds.current() === "unknown";
  const kind = ending.kind === "id-refused" && !isIdInDoubt ? "refused" : ending.kind;
  const wasUnclear = progress.wasUnclear || kind === "unclear";
  const findings = {
    attempts: attempts + 1,
    isUnclear: isUnclear || kind === "unclear",
    withoutId: withoutId || isIdInDoubt,
  };
  if (isChanged) return restart({ findings, wasUnclear }, log);
  // An unclear attempt makes an earlier reading back stale. After an unsent one, the look still counts.
  const reads = {
    readBack: kind === "unclear" ? undefined : readBack,
    look: kind === "unsent" ? look : undefined,
  };
  return { log, wasUnclear, ending, failure, findings: { ...findings, ...reads, ending: { kind, delay } } };
}

export async function settle(
  options: DeliveryOptions,
  request: DeliveryRequest,
  progress: Progress,
): Promise<StepResult> {
  const { findings, log } = progress;
  const read = await readBack(options, log, request);
  switch (read.kind) {
    case "found":
      return recordFound(
        options,
        request,
        progress,
        read.incident,
        findings.attempts > 0 ? "declared" : "found",
      );
    case "changed":
      return restart(progress, read.log);
    case "absent":
      return { ...progress, findings: { ...findings, readBack: "absent" }, overdue: log.unended };
    case "failed":
      return { ...progress, findings: { ...findings, readBack: "failed" }, failure: read.failure };
  }
}

/** Waits, then reads the log again: another process may have gone on. */
export async function wait(
  { journal, system, waitForRetry }: DeliveryOptions,
  { key }: DeliveryRequest,
  progress: Progress,
  delay: number,
): Promise<StepResult> {
  const { ending, wasUnclear } = progress;
  const { attempts, isUnclear, look, readBack, withoutId } = progress.findings;
  if (ending !== undefined) await waitForRetry(ending.outcome, delay);
  if (system.signal.aborted) throw waitEnded(system.signal, ending);
  const log = await journal.read(key);
  const isFresh = log.next === progress.log.next;
  // Another machine may declare it during a long wait.
  const reads = isFresh ? { readBack, look: delay <= freshness ? look : undefined } : {};
  return { log, wasUnclear, findings: { attempts, isUnclear, withoutId, ...reads } };
}

export async function ask(options: DeliveryOptions, progress: Progress): Promise<StepResult> {
  const { log } = progress;
  const failure = uncertainFailure(options, log, progress.failure);
  if (!(await options.confirmResend?.(failure))) throw failure;
  // If the person declines here, the journal must not have a permission to send.
  await options.beforeSend?.();
  if (log.unended !== progress.overdue) await waitForSender(options, log);
  const appended = await options.journal.append(log, { type: "resend", at: timestamp(options) });
  return restart({ ...progress, findings: noFindings }, appended.log);
}

export async function refuse(
  options: DeliveryOptions,
  request: DeliveryRequest,
  progress: Progress,
  because: (Step & { do: "refuse" })["because"],
): Promise<StepResult> {
  const { ending, failure, findings, log } = progress;
  switch (because) {
    case "edited":
      throw editedFailure(log, request);
    case "look-failed": {
      if (ending !== undefined) throw failure;
      const unlooked = unlookedFailure(failure as Failure, log);
      if (!(await options.confirmWithoutLook?.(unlooked))) throw unlooked;
      return { ...progress, findings: { ...findings, look: "absent" } };
    }
    case "ending":
    case "conflict-absent":
      throw failure;
  }
}

/** Records that the incident exists, or continues with the log of the process that recorded it first. */
async function recordFound(
  options: DeliveryOptions,
  { content, key }: DeliveryRequest,
  progress: Progress,
  incident: Incident,
  how: "declared" | "found" = "found",
): Promise<StepResult> {
  const { log } = progress;
  const created = createdEvent(options, "reading", incident);
  const appended = await options.journal.append(log, { ...created, ...contentFor(log, content) });
  if (appended.result === "lost") return restart(progress, appended.log);
  if (incident.id.toLowerCase() === key.id) options.clientIds.learn("honoured");
  return { done: { incident, log: appended.log, how } };
}

/** The log has changed: the earlier findings of this run are stale. */
function restart(
  { findings, wasUnclear }: Pick<Progress, "findings" | "wasUnclear">,
  log: OperationLog,
): Progress {
  const { attempts, isUnclear, withoutId } = findings;
  return { log, wasUnclear, findings: { attempts, isUnclear, withoutId } };
}
