// One create, exactly once: the loop that carries out the steps that next-step.ts decides. After every append and
// every wait, the next step is decided anew from the log as it is.
import { Failure } from "../failure.ts";
import { asFailure, uncertainFailure } from "./delivery-failures.ts";
import type { Delivered, DeliveryOptions, DeliveryRequest } from "./delivery-options.ts";
import { nextStep, noFindings, type Step } from "./next-step.ts";
import { replay } from "./replay.ts";
import { ask, look, type Progress, refuse, type StepResult, send, settle, wait } from "./steps.ts";

/** Throws a `Failure`; kind "uncertain" when a create was sent and its outcome is not known. */
export async function createOnce(options: DeliveryOptions, request: DeliveryRequest): Promise<Delivered> {
  const { acceptsAnyContent, clientIds, decide = nextStep, journal, maxRetries, observe, skipLook } = options;
  const log = request.log ?? (await journal.read(request.key));
  let progress: Progress = { log, findings: noFindings, wasUnclear: false };
  for (;;) {
    const { findings, log } = progress;
    observe?.(progress);
    const step = decide(
      log,
      {
        digest: (acceptsAnyContent ? log.digest : undefined) ?? request.content.digest,
        earlierDigests: request.earlierDigests,
        mayExist: request.mayExist,
        skipLook,
        maxRetries,
      },
      clientIds.current(),
      findings,
    );
    try {
      const result: StepResult = await carryOut(options, request, progress, step);
      if ("done" in result) return result.done;
      progress = result;
    } catch (error) {
      throw withUncertainty(options, progress, error);
    }
  }
}

/** An unknown outcome is reported before any other error, also before a fault of the tool. */
function withUncertainty(options: DeliveryOptions, { log, wasUnclear }: Progress, error: unknown): unknown {
  const isKnown = log.uncertain === undefined && !wasUnclear;
  if (isKnown || (error instanceof Failure && error.kind === "uncertain")) return error;
  return uncertainFailure(options, log, asFailure(error));
}

async function carryOut(
  options: DeliveryOptions,
  request: DeliveryRequest,
  progress: Progress,
  step: Step,
): Promise<StepResult> {
  switch (step.do) {
    case "answer":
      return { done: await replay(options, request, progress.log) };
    case "look":
      return look(options, request, progress, step.because);
    case "send":
      return send(options, request, progress, step.withId);
    case "settle":
      return settle(options, request, progress);
    case "wait":
      return wait(options, request, progress, step.delay);
    case "ask":
      return ask(options, progress);
    case "refuse":
      return refuse(options, request, progress, step.because);
  }
}
