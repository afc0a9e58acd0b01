// One create, exactly once: reads what is known of it, and either answers from that, settles it by reading
// back, or sends. Every step is in the journal before it is taken (design: declaring exactly once).
import { Failure } from "../failure.ts";
import { compareIncident, describeDifferences } from "../incident/plan.ts";
import { canBeFound } from "./client-ids.ts";
import { type Delivered, type DeliveryOptions, now, type Wanted } from "./delivery-options.ts";
import { findSame } from "./find-existing.ts";
import type { Operation } from "./journal/events.ts";
import { sendCreate, type Unknown } from "./send.ts";
import { recordFound, settle, settlingCommands, uncertainFailure } from "./settle.ts";

/**
 * `read` is what the journal said not long ago, where it was read: should another process have gone on since, its
 * next step is taken. Throws a `Failure`; kind "uncertain" when a create was sent and its outcome is not known.
 */
export async function deliver(
  delivering: DeliveryOptions,
  wanted: Wanted,
  read?: { readonly operation: Operation | undefined },
): Promise<Delivered> {
  const { journal } = delivering;
  let operation = read === undefined ? journal.read(wanted.key) : read.operation;
  for (;;) {
    if (operation !== undefined && operation.content.digest !== wanted.content.digest && !isOpen(operation))
      throw editedFailure(operation, wanted);
    const step = await takeUp(delivering, wanted, operation);
    if (step !== "overtaken") {
      if (!("unknown" in step)) return step;
      const failure = uncertainFailure(step.unknown, step.failure);
      if (!(await delivering.wantsResend?.(failure))) throw failure;
      // What is declined here must not stand in the journal as a permit.
      await delivering.beforeSend?.();
      await journal.add(wanted.key, step.unknown, { type: "resend", at: now(delivering) });
    }
    operation = journal.read(wanted.key);
  }
}

/** Answers for what is done, looks for what may be done, sends what is not. */
async function takeUp(
  delivering: DeliveryOptions,
  wanted: Wanted,
  operation: Operation | undefined,
): Promise<Delivered | "overtaken" | Unknown> {
  if (operation === undefined) return lookAndSend(delivering, wanted, operation);
  switch (operation.state) {
    case "created":
      return answerAgain(delivering, operation);
    case "sending":
    case "uncertain": {
      const settled = await settle(delivering, operation);
      if (settled !== "not-found") return settled;
      if (delivering.clientIds.current() !== "unique") return { unknown: operation };
      return sendCreate(delivering, wanted, operation);
    }
    case "released":
    case "refused":
      return lookAndSend(delivering, wanted, operation);
  }
}

/** The incident may be there: by another runner with another journal, or by an attempt that nobody knows of. */
async function lookAndSend(
  delivering: DeliveryOptions,
  wanted: Wanted,
  operation: Operation | undefined,
): Promise<Delivered | "overtaken" | Unknown> {
  const { client, clientIds } = delivering;
  const mayBeThere = wanted.mayExist || operation?.uncertain !== undefined;
  if (mayBeThere && canBeFound(clientIds.current())) {
    try {
      const found = await findSame(client, wanted);
      if (found !== undefined) return await recordFound(delivering, wanted, operation, found);
    } catch (error) {
      // A look that fails must not hide that an earlier attempt may have gone through.
      if (!(error instanceof Failure) || operation?.uncertain === undefined) throw error;
      return { unknown: operation, failure: error };
    }
  }
  return sendCreate(delivering, wanted, operation);
}

/** Nothing can have come of it, so its content may still change. */
function isOpen(operation: Operation): boolean {
  return (
    (operation.state === "released" || operation.state === "refused") && operation.uncertain === undefined
  );
}

/** The service's answer if it can be had, else the one that the journal has; nothing is written. */
async function answerAgain({ client, warn }: DeliveryOptions, operation: Operation): Promise<Delivered> {
  const created = operation.created as NonNullable<Operation["created"]>;
  try {
    const incident = await client.findIncident(created.serviceId);
    if (incident !== undefined) return { incident, how: "remembered", since: created.at };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (created.incident === undefined) {
      throw new Failure(error.kind, `it was declared from here at ${created.at}; ${error.message}`, {
        hint: `nothing was sent; ${error.hint}`,
        cause: error,
      });
    }
    warn(`${error.message}; this is what the service answered at ${created.at}`);
    return { incident: created.incident, how: "remembered", since: created.at };
  }
  throw new Failure(
    "missing",
    `incident ${created.serviceId} was declared from here at ${created.at}, and the service no longer has it`,
    {
      hint: "nothing was sent; to declare it anew, give it another id, or use --new if it has none",
    },
  );
}

function editedFailure(operation: Operation, wanted: Wanted): Failure {
  const { id } = wanted.key;
  const differences = describeDifferences(
    compareIncident(wanted.content.body, { ...operation.content.body, id }),
  );
  const edited = `the definition of ${id} was changed since it was ${operation.state === "created" ? "declared" : "sent"}`;
  const what = differences === "" ? edited : `${edited}: ${differences}`;
  if (operation.state === "created") {
    return new Failure("rejected", what, {
      hint: "nothing was sent: the API cannot change an incident; take the change back, or give it another id or --key if it is another incident",
    });
  }
  return new Failure("uncertain", `${what}; and what came of the first is not known`, {
    hint: "look first, then settle the one that was sent",
    commands: settlingCommands(id),
  });
}
