// The sending itself: attempts with their markers, and what each ending means for the incident.
import type { CreateEnding } from "../api/client.ts";
import { outcomeFailure } from "../api/errors.ts";
import { Failure } from "../failure.ts";
import { cancelledWhileWaiting, retryDelay } from "../http/retry.ts";
import type { Answered, Outcome } from "../http/transport.ts";
import type { Incident } from "../incident/wire.ts";
import { type Delivered, type DeliveryOptions, now, type Wanted } from "./delivery-options.ts";
import { findSame } from "./find-existing.ts";
import { newContent, type Operation, type OperationEvent } from "./journal/events.ts";
import { cancelledFailure, settle, uncertainFailure } from "./settle.ts";

/** It was sent, nobody knows what came of it, and looking for it found nothing. */
export interface Unknown {
  readonly unknown: Operation;
  /** What this run was told, if it was this run that sent it. */
  readonly failure?: Failure;
}

/** Thrown before the first byte leaves, when another process has taken the step. Nothing is sent. */
class Overtaken extends Error {}

/**
 * Sends the create that is wanted, and of which `operation` is known, again where nothing can have come of it. "overtaken": another
 * process sends it, or has sent it.
 */
export async function sendCreate(
  delivering: DeliveryOptions,
  wanted: Wanted,
  operation: Operation | undefined,
): Promise<Delivered | "overtaken" | Unknown> {
  const { client, clientIds, context, maxRetries } = delivering;
  const { key } = wanted;
  await delivering.beforeSend?.();
  let known = operation;
  let withId = clientIds.current() !== "unsupported";
  for (let number = 1; ; number += 1) {
    const attempted = await attemptCreate(delivering, wanted, known, withId);
    if (attempted === "overtaken") return "overtaken";
    const { ending, marked } = attempted;
    if (ending.kind === "created") return recordCreated(delivering, marked, withId, ending.incident);
    const { outcome, failure } = ending;
    if (outcome.phase !== "unsent") {
      if (!isRefusal(outcome)) {
        const settled = await settleSent(delivering, marked, outcome, failure);
        if (settled === "overtaken" || "incident" in settled) return settled;
        known = settled;
        // Only a service that refuses a second create with the same id may be asked again.
        if (number > maxRetries || clientIds.current() !== "unique") return { unknown: known, failure };
        continue;
      }
      known = await record(delivering, marked, {
        type: "refused",
        at: now(delivering),
        status: outcome.status,
        message: failure.message,
      });
      if (outcome.status === 409) return resolveConflict(delivering, wanted, known, failure);
      if ((outcome.status === 400 || outcome.status === 422) && withId && clientIds.current() === "unknown") {
        // A refusal is final, so the same create without an id doubles nothing; unless it is refused because
        // the incident is there.
        if (known.uncertain !== undefined) return { unknown: known, failure };
        if ((await client.findIncident(key.id)) !== undefined) {
          return resolveConflict(delivering, wanted, known, failure);
        }
        withId = false;
        continue;
      }
    }
    const retry = {
      method: "POST",
      number,
      maxRetries,
      fraction: context.random.fraction(),
      now: context.clock.now(),
    } as const;
    const delay = retryDelay(outcome, retry);
    if (delay === undefined) {
      if (known?.uncertain !== undefined) return { unknown: known, failure };
      throw failure;
    }
    await delivering.pause(outcome, delay);
    if (!context.signal.aborted) continue;
    // Nothing came of the last attempt; of an earlier one, nobody may know.
    if (known?.uncertain !== undefined) throw cancelledFailure(known, context.signal);
    const about = {
      operation: "create",
      id: key.id,
      settings: client.settings,
      signal: context.signal,
    } as const;
    throw outcomeFailure(cancelledWhileWaiting, about);
  }
}

/** One attempt. `marked` is the log with its marker, which is on disk before the first byte leaves. */
async function attemptCreate(
  delivering: DeliveryOptions,
  { content, key }: Wanted,
  known: Operation | undefined,
  withId: boolean,
): Promise<{ readonly ending: CreateEnding; readonly marked: Operation } | "overtaken"> {
  const { client, journal } = delivering;
  const { id: _, ...bare } = content.body;
  let marked = known;
  try {
    const ending = await client.createIncident(withId ? { ...bare, id: key.id } : bare, async () => {
      marked = await journal.add(key, known, {
        type: "sending",
        at: now(delivering),
        withId,
        deadline: client.deadline,
        ...newContent(known, content),
      });
      if (marked === undefined) throw new Overtaken();
    });
    // Where nothing was sent, nobody asks for the marker.
    return { ending, marked: marked as Operation };
  } catch (error) {
    if (error instanceof Overtaken) return "overtaken";
    throw error;
  }
}

/** Answers that say that nothing was created, whoever on the way gave them (design 6). */
function isRefusal(outcome: Outcome): outcome is Answered {
  if (outcome.phase !== "answered") return false;
  const { status } = outcome;
  return status >= 300 && status < 500 && status !== 408 && status !== 499;
}

/** Adds an event whatever others have added meanwhile; gives the log as it is then. */
async function record(
  { journal }: DeliveryOptions,
  known: Operation,
  event: OperationEvent,
): Promise<Operation> {
  for (let current = known; ; ) {
    const next = current.state === "created" ? current : await journal.add(known.key, current, event);
    if (next !== undefined) return next;
    const read = journal.read(known.key);
    if (read === undefined) throw takenAway(known);
    current = read;
  }
}

function takenAway({ key: { id } }: Operation): Failure {
  return new Failure("usage", `the journal of the create of ${id} was taken away while it was sent`, {
    hint: `see with incident get ${id} whether it is there, before you run it again`,
  });
}

async function recordCreated(
  delivering: DeliveryOptions,
  marked: Operation,
  withId: boolean,
  incident: Incident,
): Promise<Delivered> {
  const { clientIds, warn } = delivering;
  const { key } = marked;
  const serviceId = incident.id;
  try {
    await record(delivering, marked, {
      type: "created",
      at: now(delivering),
      by: "answer",
      serviceId,
      incident,
    });
    if (!withId) clientIds.learn("unsupported");
    else clientIds.learn(serviceId.toLowerCase() === key.id ? "honoured" : "ignored");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const failure = new Failure(
      "uncertain",
      `incident ${serviceId} is declared, but the journal could not be written: ${error.message}`,
      {
        hint: "make room, then run it again: it sends nothing, and reads the incident back",
        cause: error,
      },
    );
    return { incident, how: "declared", failure };
  }
  if (serviceId.toLowerCase() !== key.id) {
    warn(
      `the service gave the incident an id of its own, ${serviceId}; only this machine's journal knows that it is ${key.id}, so keep the state directory between runs`,
    );
  }
  return { incident, how: "declared" };
}

/** Something has this id: the same content means that it is this incident. */
async function resolveConflict(
  delivering: DeliveryOptions,
  wanted: Wanted,
  known: Operation,
  failure: Failure,
): Promise<Delivered | Unknown> {
  let incident: Incident | undefined;
  let refusal = failure;
  try {
    incident = await findSame(delivering.client, wanted);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    refusal = error;
  }
  if (incident === undefined) {
    // Neither a refusal nor a look that fails must hide that an earlier attempt may have gone through.
    if (known.uncertain !== undefined) return { unknown: known, failure: refusal };
    throw refusal;
  }
  await record(delivering, known, {
    type: "created",
    at: now(delivering),
    by: "reading",
    serviceId: incident.id,
    incident,
  });
  return { incident, how: "found" };
}

/** It was sent, and the answer does not say what came of it: reads back. Gives the log where nothing was found. */
async function settleSent(
  delivering: DeliveryOptions,
  marked: Operation,
  outcome: Outcome,
  failure: Failure,
): Promise<Delivered | "overtaken" | Operation> {
  let operation: Operation;
  try {
    operation = await record(delivering, marked, {
      type: "uncertain",
      at: now(delivering),
      reason: failure.message,
    });
  } catch {
    // The marker stands, so nothing is sent again; that it was not answered is still to be said.
    throw uncertainFailure(marked, failure);
  }
  const { signal } = delivering.context;
  if (signal.aborted) throw cancelledFailure(operation, signal);
  delivering.note(`${failure.message}; looking for what came of it`);
  const settled = await settle(delivering, operation, outcome);
  if (settled === "not-found") return operation;
  return settled === "overtaken" ? settled : { ...settled, how: "declared" };
}
