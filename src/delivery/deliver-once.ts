// One operation, exactly once: the loop that carries out the steps that next-step.ts decides. After every append and
// every wait, the next step is decided anew from the log as it is.
import { Failure } from "../failure.ts";
import { StoreHint } from "../journal/journal-errors.ts";
import { asFailure, uncertainFailure } from "./delivery-failures.ts";
import type { Decide, Delivered, DeliveryOptions, Progress } from "./delivery-options.ts";
import { nextStep, noFindings, type Step } from "./next-step.ts";
import type { Operation } from "./operation.ts";
import { ask, look, refuse, type StepResult, send, settle, wait } from "./steps.ts";

/** Steps of an operation, beside those of its retries: more than other processes and a person ever cause. */
const mostSteps = 200;

/** Throws a `Failure`; kind "uncertain" when it was sent and its outcome is not known. */
export async function deliverOnce(options: DeliveryOptions, operation: Operation): Promise<Delivered> {
  const { decide = decideNext, journal, maxRetries } = options;
  const log = operation.log ?? (await journal.read(operation.key));
  let progress: Progress = { log, findings: noFindings, wasUnclear: false };
  for (let steps = 0; ; steps += 1) {
    const { log } = progress;
    const request = { ...operation.stepRequest(log), maxRetries };
    const step = decide(progress, request, operation.ids.current());
    try {
      if (steps > mostSteps + 3 * maxRetries) throw endlessFailure(log.key.id);
      const result: StepResult = await carryOut(options, operation, progress, step);
      if ("done" in result) return result.done;
      progress = result;
    } catch (error) {
      throw withUncertainty(options, progress, error);
    }
  }
}

export const decideNext: Decide = ({ findings, log }, request, ids) => nextStep(log, request, ids, findings);

function endlessFailure(id: string): Failure {
  return new Failure("unavailable", `the log of ${id} in the journal changes without an end`, {
    hint: new StoreHint("find out what changes its entries, such as a trigger, or a copy that was restored"),
  });
}

/** An unknown outcome is reported before any other error, also before a fault of the tool. */
function withUncertainty(options: DeliveryOptions, { log, wasUnclear }: Progress, error: unknown): unknown {
  const isKnown = log.uncertain === undefined && !wasUnclear;
  if (isKnown || (error instanceof Failure && error.kind === "uncertain")) return error;
  return uncertainFailure(options, log, asFailure(error));
}

async function carryOut(
  options: DeliveryOptions,
  operation: Operation,
  progress: Progress,
  step: Step,
): Promise<StepResult> {
  switch (step.do) {
    case "answer":
      return { done: await operation.replay(progress.log) };
    case "look":
      return look(options, operation, progress, step.because);
    case "send":
      return send(options, operation, progress, step.withId);
    case "settle":
      return settle(options, operation, progress);
    case "wait":
      return wait(options, operation, progress, step.delay);
    case "ask":
      return ask(options, progress);
    case "refuse":
      return refuse(options, operation, progress, step.because);
  }
}
