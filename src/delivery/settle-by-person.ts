// A person's decision about a create whose outcome is not known, or one more look by this tool.
import { Failure } from "../failure.ts";
import { createOnce } from "./create-once.ts";
import { type DeliveryOptions, timestamp } from "./delivery-options.ts";
import type { OperationEvent, OperationLog } from "./journal/events.ts";
import type { Journal } from "./journal/journal.ts";
import { nextStep } from "./next-step.ts";
import { waitForSender } from "./wait-for-sender.ts";

export type Decision =
  | { readonly type: "created"; readonly by: "person"; readonly serviceId: string }
  | { readonly type: "not-created" };

type Recorder = Pick<DeliveryOptions, "reporter" | "system"> & { readonly journal: Journal };

/** Appends the decision, and gives the log with it. Throws a `Failure` where another process took the step. */
export async function recordDecision(
  options: Recorder,
  log: OperationLog,
  decision: Decision,
): Promise<OperationLog> {
  if (decision.type === "not-created") await waitForSender(options, log);
  return appendDecision(options, log, { ...decision, at: timestamp(options) });
}

/** Sends it once more, under the same id. */
export async function resend(options: DeliveryOptions, log: OperationLog): Promise<void> {
  const { content, key } = log;
  if (content === undefined) return;
  await options.beforeSend?.();
  await waitForSender(options, log);
  await appendDecision(options, log, { type: "resend", at: timestamp(options) });
  const { failure } = await createOnce(options, { key, content, earlierDigests: [], mayExist: true });
  if (failure !== undefined) throw failure;
}

/** Reads it back once more, and sends nothing. Throws a `Failure` "uncertain" where its outcome stays unknown. */
export async function lookAgain(options: DeliveryOptions, { content, key }: OperationLog): Promise<void> {
  const { confirmResend: _, ...withoutQuestion } = options;
  if (content === undefined) return;
  await createOnce(
    { ...withoutQuestion, decide: neverSend },
    { key, content, earlierDigests: [], mayExist: true },
  );
}

const neverSend: typeof nextStep = (...given) => {
  const step = nextStep(...given);
  return step.do === "send" || step.do === "wait" ? { do: "ask" } : step;
};

async function appendDecision(
  { journal }: Recorder,
  log: OperationLog,
  event: OperationEvent,
): Promise<OperationLog> {
  const appended = await journal.append(log, event);
  if (appended.result === "ours") return appended.log;
  throw new Failure("uncertain", `another process continued the create of ${log.key.id} at the same time`, {
    hint: `see incident journal show ${log.key.id}`,
  });
}
