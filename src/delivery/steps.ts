// A function for each step of an operation. It carries out the step, and returns the facts for the next decision.
import { Failure } from "../failure.ts";
import { contentFor, type OperationLog } from "../journal/events.ts";
import { attempt, createdEvent } from "./attempt.ts";
import {
  describeOperation,
  done,
  editedFailure,
  interruptedFailure,
  uncertainFailure,
  unlookedFailure,
  waitEnded,
} from "./delivery-failures.ts";
import {
  type Delivered,
  type DeliveryOptions,
  freshness,
  type Progress,
  retryAfter,
  timestamp,
} from "./delivery-options.ts";
import { noFindings, type Step } from "./next-step.ts";
import type { Found, LookReason, Operation } from "./operation.ts";
import { readBack } from "./read-back.ts";
import { waitForSender } from "./wait-for-sender.ts";

export type StepResult = { readonly done: Delivered } | Progress;

/** Looks for its effect before sending, within the settling time. */
export async function look(
  options: DeliveryOptions,
  operation: Operation,
  progress: Progress,
  because: LookReason,
): Promise<StepResult> {
  const { findings } = progress;
  const isSent = because === "earlier-attempt";
  let found: Found | Failure | undefined;
  try {
    found = await operation.look(progress.log, because);
  } catch (error) {
    if (!(error instanceof Failure) || options.system.signal.aborted) throw error;
    return { ...progress, findings: { ...findings, look: "failed" }, failure: error };
  }
  if (found === undefined) return { ...progress, findings: { ...findings, look: "absent" } };
  if (found instanceof Failure) throw found;
  if (found.open === "answer") return { done: { incident: found.incident, log: progress.log, how: "open" } };
  const isOwn = isSent && findings.attempts > 0;
  return recordFound(options, operation, progress, found, isOwn ? "declared" : "found");
}

export async function send(
  options: DeliveryOptions,
  operation: Operation,
  progress: Progress,
  withId: boolean,
): Promise<StepResult> {
  const { reporter, system } = options;
  const { ids } = operation;
  const { attempts, isUnclear, look, readBack, withoutId } = progress.findings;
  if (progress.log.mayBeRepeated)
    reporter.warn(
      `two looks, at least 30 s apart, did not find ${describeOperation(progress.log)} after a server error; sending it once more`,
    );
  // A person may take long to answer, and may decline.
  await options.beforeSend?.();
  await operation.prepare?.();
  const attempted = await attempt(options, operation, progress.log, withId);
  if (attempted.kind === "lost") return restart(progress, attempted.log);
  if (attempted.kind === "created") return { done: attempted.delivered };
  const { ending, isChanged, log } = attempted;
  const { failure, outcome } = ending;
  if (ending.kind === "unclear") {
    if (system.signal.aborted) throw interruptedFailure(options, log, system.signal);
    reporter.info(`${failure.message}; checking whether it was ${done[operation.kind]}`);
  }
  if (ending.kind === "refused" && withoutId) ids.learn("supported");
  const delay = retryAfter(options, outcome, attempts + 1);
  const isIdInDoubt = ending.kind === "id-refused" && ids.current() === "unknown";
  const kind = ending.kind === "id-refused" && !isIdInDoubt ? "refused" : ending.kind;
  const wasUnclear = progress.wasUnclear || kind === "unclear";
  const findings = {
    attempts: attempts + 1,
    isUnclear: isUnclear || kind === "unclear",
    withoutId: withoutId || isIdInDoubt,
  };
  if (isChanged) return restart({ findings, wasUnclear }, log);
  // An unclear attempt, or one that a limiter refused on its way, makes an earlier reading back stale, and what is in
  // conflict can be read. After an unsent one, the look still counts.
  const isReadAgain = kind === "unclear" || kind === "conflict" || kind === "rate-limited";
  const reads = { readBack: isReadAgain ? undefined : readBack, look: kind === "unsent" ? look : undefined };
  return { log, wasUnclear, ending, failure, findings: { ...findings, ...reads, ending: { kind, delay } } };
}

export async function settle(
  options: DeliveryOptions,
  operation: Operation,
  progress: Progress,
): Promise<StepResult> {
  const { findings, log } = progress;
  const read = await readBack(options, log, operation);
  switch (read.kind) {
    case "found":
      return recordFound(
        options,
        operation,
        progress,
        read.found,
        findings.attempts > 0 ? "declared" : "found",
      );
    case "changed":
      return restart(progress, read.log);
    case "absent":
    case "missed":
      return { ...progress, findings: { ...findings, readBack: read.kind }, overdue: log.unended };
    case "failed":
      return { ...progress, findings: { ...findings, readBack: "failed" }, failure: read.failure };
  }
}

/** Waits, then reads the log again: another process may have gone on. */
export async function wait(
  { journal, system, waitForRetry }: DeliveryOptions,
  { key, kind }: Pick<Operation, "key" | "kind">,
  progress: Progress,
  delay: number,
): Promise<StepResult> {
  const { ending, wasUnclear } = progress;
  const { attempts, isUnclear, look, readBack, withoutId } = progress.findings;
  if (ending !== undefined) await waitForRetry(ending.outcome, delay);
  if (system.signal.aborted) throw waitEnded(system.signal, ending, done[kind]);
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
  operation: Operation,
  progress: Progress,
  because: (Step & { do: "refuse" })["because"],
): Promise<StepResult> {
  const { ending, failure, findings, log } = progress;
  switch (because) {
    case "edited":
      throw editedFailure(options, log, operation);
    case "look-failed": {
      if (ending !== undefined) throw failure;
      const unlooked = unlookedFailure(failure as Failure, log, operation.kind);
      if (!(await options.confirmWithoutLook?.(unlooked))) throw unlooked;
      return { ...progress, findings: { ...findings, look: "absent" } };
    }
    case "ending":
    case "conflict-absent":
      throw failure;
  }
}

/** Records that it exists, or continues with the log of the process that recorded it first. */
async function recordFound(
  options: DeliveryOptions,
  { content, ids, key }: Operation,
  progress: Progress,
  found: Found,
  how: "declared" | "found",
): Promise<StepResult> {
  const { log } = progress;
  const created = createdEvent(options, "reading", found);
  const { isOfEarlierContent = false } = found;
  const appended = await options.journal.append(log, {
    ...created,
    ...(isOfEarlierContent ? {} : contentFor(log, content)),
  });
  // The next step refuses the edit.
  if (appended.result === "lost" || isOfEarlierContent) return restart(progress, appended.log);
  if (found.serviceId.toLowerCase() === key.id) ids.learn("honoured");
  return { done: { incident: found.incident, log: appended.log, how: found.open ? "open" : how } };
}

/** The log has changed: the earlier findings of this run are stale. */
function restart(
  { findings, wasUnclear }: Pick<Progress, "findings" | "wasUnclear">,
  log: OperationLog,
): Progress {
  const { attempts, isUnclear, withoutId } = findings;
  return { log, wasUnclear, findings: { attempts, isUnclear, withoutId } };
}
