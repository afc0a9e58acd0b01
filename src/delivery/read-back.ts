// Reads back an attempt whose outcome is not known: for a while, since a commit can be slow, and with an eye on the
// log, since another process may learn the outcome.
import { Failure } from "../failure.ts";
import { compareIncident, contradictions } from "../incident/plan.ts";
import type { CreateBody, Incident } from "../incident/wire.ts";
import { canBeFound } from "./client-ids.ts";
import { conflictFailure, interruptedFailure } from "./delivery-failures.ts";
import type { DeliveryOptions } from "./delivery-options.ts";
import type { OperationLog } from "./journal/events.ts";
import { longestRemaining } from "./wait-for-sender.ts";

export type ReadBack =
  | { readonly kind: "found"; readonly incident: Incident }
  /** Another process appended to the log. */
  | { readonly kind: "changed"; readonly log: OperationLog }
  /** Nothing was found, which proves nothing: the commit may still come. The deadline of its sender is over. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** Milliseconds that even the last read gets: by so much the settling can take longer than asked. */
const shortestRead = 500;

/** Milliseconds between reads; the last repeats. */
const pauses = [250, 500, 1000, 2000] as const;

/** `otherIds`: where the answer to the attempt says that the incident may be. */
export async function readBack(
  options: DeliveryOptions,
  log: OperationLog,
  body: CreateBody,
  otherIds: readonly string[],
): Promise<ReadBack> {
  const { clientIds, reporter, settleFor, system } = options;
  const own = log.mayBeFoundById && canBeFound(clientIds.current()) ? [log.key.id] : [];
  const ids = [...new Set([...otherIds, ...own])];
  // A sender at work tells the outcome in the log, also where no id can be found.
  if (ids.length === 0 && log.unended === undefined) return { kind: "absent" };
  const span = Math.max(settleFor, longestRemaining(options, log));
  const until = system.clock.monotonic() + span;
  const left = () => Math.ceil((until - system.clock.monotonic()) / 1000);
  const say = () => `it was sent and not answered; looking for it, ${left()} s more`;
  return reporter.withSpinner(say, () => pollUntil(options, { log, body, ids, until }));
}

interface Poll {
  readonly log: OperationLog;
  readonly body: CreateBody;
  readonly ids: readonly string[];
  /** On the monotonic clock. */
  readonly until: number;
}

async function pollUntil(options: DeliveryOptions, { body, ids, log, until }: Poll): Promise<ReadBack> {
  const { journal, system } = options;
  const { clock, signal } = system;
  for (let read = 0; ; read += 1) {
    if (signal.aborted) throw interruptedFailure(options, log, signal);
    const now = await journal.read(log.key);
    if (now.next !== log.next) return { kind: "changed", log: now };
    const failures: Failure[] = [];
    for (const id of ids) {
      const found = await find(options, id, until);
      if (found instanceof Failure) failures.push(found);
      else if (found !== undefined) {
        const judged = judgeFound(options, { log, body }, found);
        if (judged !== undefined) return judged;
      }
    }
    const left = until - clock.monotonic();
    const [failure] = failures;
    if (failure !== undefined && failures.length === ids.length) return { kind: "failed", failure };
    if (left <= 0) return { kind: "absent" };
    await clock.sleep(Math.min(left, pauses[Math.min(read, pauses.length - 1)] as number), signal);
  }
}

/** An incident that was found by another id than the one that was sent must be equal in every field. */
function judgeFound(
  { acceptsAnyContent = false }: Pick<DeliveryOptions, "acceptsAnyContent">,
  { body, log }: Pick<Poll, "body" | "log">,
  incident: Incident,
): ReadBack | undefined {
  if (incident.id.toLowerCase() !== log.key.id) {
    return compareIncident(body, incident).length === 0 ? { kind: "found", incident } : undefined;
  }
  const differences = acceptsAnyContent ? [] : contradictions(body, incident);
  if (differences.length === 0) return { kind: "found", incident };
  return { kind: "failed", failure: conflictFailure(incident, differences) };
}

/** Undefined where it was not found, or the service cannot answer now. A failure that stays is returned. */
async function find(
  { client, reporter, system }: DeliveryOptions,
  id: string,
  until: number,
): Promise<Incident | Failure | undefined> {
  try {
    return await client.findIncident(id, {
      budget: Math.max(shortestRead, until - system.clock.monotonic()),
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === "unavailable" || system.signal.aborted) return undefined;
    // A refused key must not hide that a create may have been accepted.
    reporter.warn(`the incident could not be looked for: ${error.message}`);
    return error;
  }
}
