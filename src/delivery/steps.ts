// Carries out one step of a create each, and gives the progress that the next step is decided from.
import { cancellation, Failure } from "../failure.ts";
import { retryDelay } from "../http/retry.ts";
import { contradictions, describeDifferences } from "../incident/plan.ts";
import type { Incident } from "../incident/wire.ts";
import { attemptCreate, createdEvent, type UnsuccessfulEnding } from "./attempt.ts";
import {
  conflictFailure,
  editedFailure,
  interruptedFailure,
  uncertainFailure,
  unlookedFailure,
} from "./delivery-failures.ts";
import { type Delivered, type DeliveryOptions, type DeliveryRequest, timestamp } from "./delivery-options.ts";
import { contentFor, type OperationLog } from "./journal/events.ts";
import { type Findings, noFindings, type Step } from "./next-step.ts";
import { readBack } from "./read-back.ts";

/** What this run knows beside the log. */
export interface Progress {
  readonly log: OperationLog;
  readonly findings: Findings;
  /** The ending of the last attempt. */
  readonly ending?: UnsuccessfulEnding;
  /** Why the incident could not be read. */
  readonly failure?: Failure;
}

export type StepResult = { readonly done: Delivered } | Progress;

/** The service's answer if it can be had, else the one in the journal. Nothing is appended. */
export async function answer(
  { client, reporter }: DeliveryOptions,
  { content }: DeliveryRequest,
  { log }: Progress,
): Promise<StepResult> {
  const created = log.created as NonNullable<OperationLog["created"]>;
  const known = { how: "remembered", since: created.at } as const;
  let incident: Incident | undefined;
  try {
    incident = await client.findIncident(created.serviceId);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (created.incident === undefined) {
      throw new Failure(error.kind, `it was declared from here at ${created.at}; ${error.message}`, {
        hint: `nothing was sent; ${error.hint}`,
        cause: error,
      });
    }
    reporter.warn(`${error.message}; this is what the service answered at ${created.at}`);
    return { done: { incident: created.incident, ...known } };
  }
  if (incident === undefined) {
    throw new Failure(
      "missing",
      `incident ${created.serviceId} was declared from here at ${created.at}, and the service no longer has it`,
      {
        hint: "nothing was sent; to declare it again, use another id, or --new if it has none",
      },
    );
  }
  const differences = contradictions(content.body, incident);
  if (differences.length > 0)
    reporter.warn(`incident ${incident.id} differs from its definition: ${describeDifferences(differences)}`);
  return { done: { incident, ...known } };
}

/** Reads the id before sending, within the settling time. */
export async function look(
  options: DeliveryOptions,
  request: DeliveryRequest,
  progress: Progress,
  because: (Step & { do: "look" })["because"],
): Promise<StepResult> {
  const { findings, log } = progress;
  let incident: Incident | undefined;
  try {
    incident = await options.client.findIncident(request.key.id, { budget: options.settleFor });
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "interrupted" || error.kind === "terminated")
      throw error;
    return { ...progress, findings: { ...findings, look: "failed", readBack: "failed" }, failure: error };
  }
  if (incident === undefined) {
    const readBack = because === "earlier-attempt" ? ({ readBack: "absent" } as const) : {};
    return { ...progress, findings: { ...findings, look: "absent", ...readBack } };
  }
  const differences = contradictions(request.content.body, incident);
  if (differences.length > 0) throw conflictFailure(incident, differences);
  return recordFound(options, request, log, incident);
}

export async function send(
  options: DeliveryOptions,
  request: DeliveryRequest,
  progress: Progress,
  withId: boolean,
): Promise<StepResult> {
  const { clientIds, maxRetries, reporter, system } = options;
  const { attempts, readBack: known } = progress.findings;
  // A person may take long to answer, and may decline.
  if (attempts === 0) await options.beforeSend?.();
  const attempt = await attemptCreate(options, request, progress.log, withId);
  if (attempt.kind === "lost") return restart(progress, attempt.log);
  if (attempt.kind === "created") return { done: attempt.delivered };
  const { ending, isChanged, log } = attempt;
  const { failure, outcome } = ending;
  if (ending.kind === "unclear") {
    if (system.signal.aborted) throw interruptedFailure(log, system.signal);
    reporter.info(`${failure.message}; checking whether it was created`);
  }
  if (ending.kind === "refused" && progress.findings.withoutId) clientIds.learn("supported");
  const number = attempts + 1;
  const delay = retryDelay(outcome, {
    method: "POST",
    number,
    maxRetries,
    fraction: system.random.fraction(),
    now: system.clock.now(),
  });
  const isIdInDoubt = ending.kind === "id-refused" && clientIds.current() === "unknown";
  const kind = ending.kind === "id-refused" && !isIdInDoubt ? "refused" : ending.kind;
  const next = {
    ...progress,
    log,
    findings: { attempts: number, withoutId: progress.findings.withoutId || isIdInDoubt },
  };
  if (isChanged) return restart(next, log);
  // A refusal leaves what was read back of earlier attempts.
  const kept = kind === "unclear" || known === undefined ? {} : { readBack: known };
  return { ...next, ending, failure, findings: { ...next.findings, ...kept, ending: { kind, delay } } };
}

export async function settle(
  options: DeliveryOptions,
  request: DeliveryRequest,
  progress: Progress,
): Promise<StepResult> {
  const { ending, findings, log } = progress;
  const read = await readBack(options, log, request.content.body, ending?.ids ?? []);
  switch (read.kind) {
    case "found":
      return recordFound(options, request, log, read.incident, findings.attempts > 0 ? "declared" : "found");
    case "changed":
      return restart(progress, read.log);
    case "absent":
      return { ...progress, findings: { ...findings, readBack: "absent" } };
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
  const { ending, findings } = progress;
  if (ending !== undefined) await waitForRetry(ending.outcome, delay);
  if (system.signal.aborted) throw cancellation(system.signal, "nothing was created; nothing was sent");
  const log = await journal.read(key);
  const { attempts, readBack: known, withoutId } = findings;
  const kept = log.next === progress.log.next && known !== undefined ? { readBack: known } : {};
  return { log, findings: { attempts, withoutId, ...kept } };
}

export async function ask(options: DeliveryOptions, progress: Progress): Promise<StepResult> {
  const { log } = progress;
  const failure = uncertainFailure(log, progress.failure);
  if (!(await options.confirmResend?.(failure))) throw failure;
  // A send that is declined here must not stand in the journal as permitted.
  await options.beforeSend?.();
  const appended = await options.journal.append(log, { type: "resend", at: timestamp(options) });
  return restart({ ...progress, findings: noFindings }, appended.log);
}

export async function refuse(
  { confirmWithoutLook }: DeliveryOptions,
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
      const unlooked = unlookedFailure(failure as Failure);
      if (!(await confirmWithoutLook?.(unlooked))) throw unlooked;
      return { ...progress, findings: { ...findings, look: "absent" } };
    }
    case "ending":
    case "conflict-absent":
      throw ending?.failure ?? failure;
  }
}

/** Records that the incident exists, or continues with the log of the process that recorded it first. */
async function recordFound(
  options: DeliveryOptions,
  { content, key }: DeliveryRequest,
  log: OperationLog,
  incident: Incident,
  how: "declared" | "found" = "found",
): Promise<StepResult> {
  const created = createdEvent(options, "reading", incident);
  const appended = await options.journal.append(log, { ...created, ...contentFor(log, content) });
  if (appended.result === "lost") return { log: appended.log, findings: noFindings };
  if (incident.id.toLowerCase() === key.id) options.clientIds.learn("honoured");
  return { done: { incident, how } };
}

/** The log has changed: what this run found out about it before counts no more. */
function restart({ findings: { attempts, withoutId } }: Progress, log: OperationLog): Progress {
  return { log, findings: { attempts, withoutId } };
}
