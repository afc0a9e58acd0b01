// One operation, exactly once: the loop that carries out the steps that next-step.ts decides. After every append and every
// wait, the next step is decided anew from the log as it is.
import { asFailure, atTimeLimit, cancellation, expiredLimit, Failure } from "../failure.ts";
import { retryDelay } from "../http/retry.ts";
import { describeDifferences, differencesOf } from "../incident/comparison.ts";
import type { OperationLog } from "../journal/events.ts";
import { type Model, operationIn } from "../journal/model.ts";
import { shell } from "../text/advice.ts";
import { attempt, createdEvent } from "./attempt.ts";
import type {
  Delivered,
  DeliveryOptions,
  Found,
  LookReason,
  Operation,
  Progress,
  UnsuccessfulEnding,
} from "./delivery-options.ts";
import { describeOperation, interruptedFailure, uncertainFailure, unrecordedFailure } from "./failures.ts";
import { nextStep, noFindings, type Step } from "./next-step.ts";
import { readBack } from "./read-back.ts";

/** The most steps beside retries: more than other processes and a person ever cause. */
const mostSteps = 200;

type StepResult = { readonly done: Delivered } | Progress;

/** Throws a `Failure`: "uncertain" when it was sent and its outcome is not known. */
export async function deliverOnce(options: DeliveryOptions, operation: Operation): Promise<Delivered> {
  const { journal, maxRetries, nextStep: next = nextStep, reporter, settleFor, system } = options;
  const { content } = operation;
  let progress: Progress = { log: operation.log, ...noFindings };

  async function carryOut(step: Step): Promise<StepResult> {
    const { failure, log } = progress;
    switch (step.do) {
      case "answer":
        return { done: await operation.replay(log) };
      case "look":
        return look(step.because);
      case "send":
        if (options.neverSends) return { done: { incident: { id: log.key.id }, log, how: "unsent" } };
        return send(step.withId);
      case "settle":
        return settle();
      case "wait":
        return wait(options, operation, progress, step.delay);
      case "refuse":
        if (step.because === "redefined") throw redefinedFailure(options, log, operation);
        throw step.because === "unknown" ? uncertainFailure(options, log, failure) : failure;
    }
  }

  async function look(because: LookReason): Promise<StepResult> {
    const looked = await operation.find(progress.log, because, system.clock.monotonic() + settleFor);
    if (typeof looked === "object") return recordFound(looked, { isSent: because === "earlier-attempt" });
    return { ...progress, look: "absent" };
  }

  async function send(withId: boolean): Promise<StepResult> {
    const { attempts, isUnclear, withoutId } = progress;
    if (progress.log.mayBeRepeated)
      reporter.warn(
        `two looks, at least 30 s apart, did not find ${describeOperation(progress.log)} after a server error; sending it once more`,
      );
    // A person may take long to answer, and may decline.
    await options.beforeSend?.();
    const attempted = await attempt(options, operation, progress.log, withId);
    if ("delivered" in attempted) return { done: attempted.delivered };
    const { ending, isChanged, log } = attempted;
    if (ending === undefined) return restart(progress, log);
    const { failure, kind, outcome } = ending;
    if (kind === "unclear") {
      if (system.signal.aborted) throw interruptedFailure(options, log);
      const done = log.change === undefined ? "created" : "posted";
      reporter.info(`${failure.message}; checking whether it was ${done}`);
    }
    const delay = retryDelay(outcome, {
      method: "POST",
      number: attempts + 1,
      maxRetries,
      fraction: system.random.fraction(),
      now: system.clock.now(),
    });
    const tried = {
      log,
      attempts: attempts + 1,
      isUnclear: isUnclear || kind === "unclear",
      withoutId: withoutId || kind === "id-refused",
    };
    if (isChanged) return tried;
    return { ...tried, ending: { ...ending, delay }, failure };
  }

  async function settle(): Promise<StepResult> {
    const read = await readBack(options, progress.log, operation);
    if ("found" in read) return recordFound(read.found, { isSent: true });
    if ("changed" in read) return restart(progress, read.changed);
    // The failure of the attempt says more than that of a read, which may succeed later.
    const failure = read.ended === "failed" ? read.failure : (progress.failure ?? read.failure);
    return { ...progress, readBack: read.ended, ...(failure && { failure }) };
  }

  /** Records that it exists, or continues with the log of the process that did so first. `isSent`: it may be of an attempt. */
  async function recordFound(found: Found, { isSent }: { readonly isSent: boolean }): Promise<StepResult> {
    const { log } = progress;
    if (found.isAnswer) return { done: { incident: found.incident, log, how: "open" } };
    const created = createdEvent(options, "reading", found);
    // The log keeps the content of an equal earlier attempt.
    const own = log.digest === content.digest ? {} : { content };
    const { isFree = () => true } = found;
    const still = (model: Model) => operationIn(model, log.key).next === log.next && isFree(model);
    const how = found.how ?? (isSent && progress.attempts > 0 ? "declared" : "found");
    const delivered: Delivered = { incident: found.incident, log, how };
    try {
      const appended = await journal.append(log, { ...created, ...own }, still);
      if (appended.result === "lost") return restart(progress, appended.log);
      return { done: { ...delivered, log: appended.log } };
    } catch (error) {
      if (log.uncertain === undefined) throw error;
      return { done: { ...delivered, failure: unrecordedFailure(log, found.serviceId, error) } };
    }
  }

  for (let steps = 0; ; steps += 1) {
    const { isUnclear, log } = progress;
    const step = next(progress, operation.stepRequest(log));
    try {
      if (steps > mostSteps + 3 * maxRetries) throw endlessFailure(log.key.id);
      const result = await carryOut(step);
      if ("done" in result) return result.done;
      progress = result;
    } catch (error) {
      const isKnown = log.uncertain === undefined && !isUnclear;
      if (isKnown || (error instanceof Failure && error.kind === "uncertain")) throw error;
      // An unknown outcome is reported before any other error, also before a fault of the tool.
      throw uncertainFailure(options, log, asFailure(error));
    }
  }
}

function endlessFailure(id: string): Failure {
  return new Failure("unavailable", `the log of ${id} in the journal changes without an end`, {
    hint: "nothing was sent; find out what changes its entries, such as a trigger, or a copy that was restored",
  });
}

/** Waits, then reads the log again: another process may have gone on. */
export async function wait(
  { journal, system, waitForRetry }: Pick<DeliveryOptions, "journal" | "system" | "waitForRetry">,
  operation: Pick<Operation, "logIn">,
  progress: Progress,
  delay: number,
): Promise<StepResult> {
  const { ending } = progress;
  if (ending !== undefined) await waitForRetry(ending.outcome, delay);
  if (system.signal.aborted) throw waitEnded(system.signal, ending);
  return restart(progress, operation.logIn(await journal.model(progress.log.key), progress.log));
}

/** Drops the findings of this run, which are stale after a change of the log, and after a wait. */
function restart({ attempts, isUnclear, withoutId }: Progress, log: OperationLog): Progress {
  return { log, attempts, isUnclear, withoutId };
}

/** The failure of a signal or a time limit between two attempts. The last ending says more than a time limit. */
function waitEnded(signal: AbortSignal, ending: UnsuccessfulEnding | undefined): Failure {
  if (!expiredLimit(signal) || ending === undefined) return cancellation(signal, "nothing was published");
  return ending.outcome.phase === "answered" ? atTimeLimit(ending.failure, signal) : ending.failure;
}

function redefinedFailure(options: DeliveryOptions, log: OperationLog, { content }: Operation): Failure {
  const { key } = log;
  const isDeclared = log.state === "created";
  const differences =
    log.content && content.body ? differencesOf(content.body, { ...log.content.body, id: key.id }) : [];
  // A shared journal keeps no texts, and a status that one of the two leaves out is no difference.
  const told = differences.length > 0 ? describeDifferences(differences) : "in a text or a status";
  const message = `the definition of ${key.id} was changed since it was ${isDeclared ? "declared" : "sent"}: ${told}`;
  const redefined = new Failure("rejected", message, {
    hint: `nothing was sent; to change the incident, use ${shell`incident update ${log.created?.serviceId ?? key.id}`}; else undo the change, or use another id or --key if it is another incident`,
  });
  return isDeclared ? redefined : uncertainFailure(options, log, redefined);
}
