// A person's decision about a create whose outcome is not known, or one more look by this tool.
import { Failure } from "../failure.ts";
import { isSameOrCut } from "../incident/comparison.ts";
import { incidentFacts, isSameId } from "../incident/wire.ts";
import type { OperationEvent, OperationLog } from "../journal/events.ts";
import { shell } from "../text/advice.ts";
import { createdEvent } from "./attempt.ts";
import { loggedUpdate } from "./changes/update-operation.ts";
import { createOnce } from "./create-once.ts";
import { deliverOnce } from "./deliver.ts";
import { type Delivered, type DeliveryOptions, timestamp } from "./delivery-options.ts";
import { conflictFailure, describeOperation, uncertainFailure, unrecordedFailure } from "./failures.ts";
import { waitForSender } from "./read-back.ts";

export type Decision =
  | { readonly type: "created"; readonly by: "person"; readonly serviceId: string }
  | { readonly type: "not-created" };

/** Whether a person decided last about the operation, and no send has followed. */
export function canRevise({ events }: OperationLog): boolean {
  const last = events.findLast(({ type }) => type !== "fired");
  return last?.type === "not-created" || (last?.type === "created" && last.by === "person");
}

/** Whether a decision may change a known outcome: it revises a decision, or says that the incident is gone. */
export function canDecide(log: OperationLog, decision: Decision): boolean {
  if (decision.type === "not-created") return log.created !== undefined;
  return canRevise(log) && !isSameId(log.created?.serviceId, decision.serviceId);
}

type Recorder = Pick<DeliveryOptions, "journal" | "reporter" | "system">;

/**
 * Appends the decision, and returns the log with it. Throws a `Failure` where another process took the step. With `connect`, the
 * decision "not-created" is checked first: an operation that the service shows is settled as created.
 */
export async function recordDecision(
  options: Recorder,
  log: OperationLog,
  decision: Decision,
  connect?: () => Promise<DeliveryOptions>,
): Promise<OperationLog> {
  const { journal, reporter, system } = options;

  /** Looks once. A service that cannot be read gives a warning, and does not stop the person. */
  async function isThere(connect: () => Promise<DeliveryOptions>): Promise<boolean> {
    let unrecorded: Failure | undefined;
    try {
      unrecorded = await lookAgain(await connect(), { ...log, unended: undefined, mayBeRepeated: false });
    } catch (error) {
      if (!(error instanceof Failure) || system.signal.aborted) throw error;
      const reason = error.kind === "uncertain" ? error.cause : error;
      if (reason instanceof Failure)
        reporter.warn(
          `it could not be checked whether the service has ${describeOperation(log)}: ${reason.message}`,
        );
      return false;
    }
    if (unrecorded !== undefined) throw unrecorded;
    reporter.warn(`the service shows ${describeOperation(log)}, so it was settled as created`);
    return true;
  }

  if (decision.type === "not-created") {
    await waitForSender(options, log);
    if (connect !== undefined && log.uncertain !== undefined && (await isThere(connect)))
      return journal.read(log.key);
  }
  return appendDecision(options, log, { ...decision, at: timestamp(options) });
}

/**
 * Reads it back once more, and sends nothing. Throws a `Failure` "uncertain" where its outcome stays unknown, and returns the
 * `Failure` of the journal where it is found and cannot be recorded.
 */
export async function lookAgain(options: DeliveryOptions, log: OperationLog): Promise<Failure | undefined> {
  const { change, content } = log;
  // Reads the journal, which knows whether the service keeps ids.
  await options.journal.model(options.service);
  if (change !== undefined) {
    const incident = await options.client.getIncident(change.incidentId);
    const operation = loggedUpdate(options, log, incident);
    return checkFound(options, await deliverOnce({ ...options, neverSends: true }, operation));
  }
  if (content === undefined) return lookByName(options, log);
  const request = { content, log, mayExist: true };
  return checkFound(options, await createOnce({ ...options, neverSends: true }, request));
}

function checkFound(options: DeliveryOptions, { failure, how, log }: Delivered): Failure | undefined {
  if (how === "unsent") throw uncertainFailure(options, log, undefined);
  return failure;
}

/** Looks by its random id for a create from another machine: a shared journal has only the name of its content. */
async function lookByName(options: DeliveryOptions, log: OperationLog): Promise<Failure | undefined> {
  const { key, mayBeFoundById, name = "" } = log;
  const incident = mayBeFoundById ? await options.client.findIncident(key.id) : undefined;
  if (incident === undefined) throw uncertainFailure(options, log, undefined);
  const found = incidentFacts(incident).name;
  if (found !== undefined && !isSameOrCut(name, found))
    throw conflictFailure(incident, [{ field: "name", wanted: name, found }]);
  const event = createdEvent(options, "reading", { serviceId: incident.id });
  return appendDecision(options, log, event).then(
    () => undefined,
    (error: unknown) => unrecordedFailure(log, incident.id, error),
  );
}

async function appendDecision(
  { journal }: Recorder,
  log: OperationLog,
  event: OperationEvent,
): Promise<OperationLog> {
  const appended = await journal.append(log, event);
  if (appended.result === "ours") return appended.log;
  const operation = log.change ? describeOperation(log) : `the create of ${log.key.id}`;
  const message = `another process continued ${operation} at the same time`;
  throw new Failure("uncertain", message, {
    hint: `see ${shell`incident journal show ${log.key.id}`}`,
  });
}
