// What came of a create that was sent and not answered: looks for the incident for a while, since a commit can
// be slow, and watches the journal, since another process may know.
import { readIncident } from "../api/answer.ts";
import { cancellation, Failure, type NextCommand } from "../failure.ts";
import type { Outcome } from "../http/transport.ts";
import type { Incident } from "../incident/wire.ts";
import { canBeFound } from "./client-ids.ts";
import { type Delivered, type DeliveryOptions, now, type Wanted } from "./delivery-options.ts";
import { newContent, type Operation } from "./journal/events.ts";

/** Milliseconds between looks; the last repeats. */
const pauses = [250, 500, 1000, 2000] as const;

/**
 * Looks for what came of `operation`. "overtaken": another process has gone on with it. "not-found" proves
 * nothing: the commit may still come.
 */
export async function settle(
  delivering: DeliveryOptions,
  operation: Operation,
  answer?: Outcome,
): Promise<Delivered | "overtaken" | "not-found"> {
  const { context, settleFor, wait } = delivering;
  const ids = idsToLookFor(delivering, operation, answer);
  if (ids.length === 0 && operation.state !== "sending") return "not-found";
  const until = lookUntil(operation, context.clock.now(), settleFor);
  const left = () => Math.ceil((until - context.clock.now()) / 1000);
  const say = () => `it was sent and not answered; looking for it, ${left()} s more`;
  return wait(say, () => lookFor(delivering, operation, ids, until));
}

/** `until` in milliseconds since the epoch. */
async function lookFor(
  delivering: DeliveryOptions,
  operation: Operation,
  ids: readonly string[],
  until: number,
): Promise<Delivered | "overtaken" | "not-found"> {
  const { context, journal } = delivering;
  const longest = until - context.clock.now();
  let slept = 0;
  for (let look = 0; ; look += 1) {
    if (context.signal.aborted) throw cancelledFailure(operation, context.signal);
    if (journal.read(operation.key)?.events.length !== operation.events.length) return "overtaken";
    let unreadable = 0;
    for (const id of ids) {
      const incident = await find(delivering, id);
      if (incident === "unreadable") unreadable += 1;
      else if (incident !== undefined) return recordFound(delivering, operation, operation, incident);
    }
    // By what was slept as well, should the clock be set back.
    const left = Math.min(until - context.clock.now(), longest - slept);
    if (left <= 0 || (ids.length > 0 && unreadable === ids.length)) return "not-found";
    const pause = Math.min(left, pauses[Math.min(look, pauses.length - 1)] as number);
    await context.clock.sleep(pause, context.signal);
    slept += pause;
  }
}

/** A create whose outcome is not known: what was sent, when, under which id, why, and what comes next. */
export function uncertainFailure(operation: Operation, failure?: Failure): Failure {
  const { id } = operation.key;
  const why = failure === undefined ? "" : `; ${failure.message}`;
  const sending = operation.events.findLast((event) => event.type === "sending");
  const hasId = sending?.type !== "sending" || sending.withId;
  const looked = hasId
    ? "looking for it found nothing, which proves nothing"
    : "it was sent without an id, so it cannot be looked for";
  return new Failure(
    "uncertain",
    `it is not known whether "${operation.content.body.name}" was declared: it was sent at ${sending?.at ?? "an unknown time"} as ${id}${why}; ${looked}`,
    {
      hint: hasId
        ? "look first, at the status page or with the first of these; then settle it, and nothing is sent twice"
        : "look at the status page; then settle it, and nothing is sent twice",
      commands: hasId ? settlingCommands(id) : settlingCommands(id).slice(1),
      ...(failure?.response && { response: failure.response }),
    },
  );
}

/** What a person may do about a create whose outcome is not known. */
export function settlingCommands(id: string): readonly NextCommand[] {
  return [
    { command: `incident get ${id}`, purpose: "look" },
    { command: `incident journal settle ${id} --created`, purpose: "it is there" },
    { command: `incident journal settle ${id} --not-created`, purpose: "it is not there, and will not come" },
    { command: `incident journal settle ${id} --resend`, purpose: "send it again, at the risk of two" },
  ];
}

/** A create that Ctrl-C met after its first byte had left. */
export function cancelledFailure({ content, key: { id } }: Operation, signal: AbortSignal): Failure {
  const hint = `"${content.body.name}" was sent as ${id}, and its outcome is not known: look first, then settle it`;
  return cancellation(signal, hint, settlingCommands(id));
}

/** The id in the answer's body, if it has one, and the one that was sent, if the service may have kept it. */
function idsToLookFor(
  { clientIds }: DeliveryOptions,
  operation: Operation,
  answer: Outcome | undefined,
): string[] {
  const ids: string[] = [];
  const read = answer?.phase === "answered" && answer.status < 300 ? readIncident(answer) : undefined;
  if (read?.ok) ids.push(read.value.id);
  const sending = operation.events.findLast((event) => event.type === "sending");
  const sent = sending?.type === "sending" && sending.withId && canBeFound(clientIds.current());
  if (sent && !ids.includes(operation.key.id)) ids.push(operation.key.id);
  return ids;
}

/** At least as long as another process that is at work may still wait for its answer. */
function lookUntil(operation: Operation, start: number, settleFor: number): number {
  const last = operation.events.at(-1);
  if (last?.type !== "sending") return start + settleFor;
  // Measured from its start by this clock, and never longer than a whole deadline, should a clock have jumped.
  const answeredBy = Math.min(Date.parse(last.at) + last.deadline, start + last.deadline);
  return Math.max(start + settleFor, answeredBy);
}

async function find(
  { client, warn }: DeliveryOptions,
  id: string,
): Promise<Incident | "unreadable" | undefined> {
  try {
    return await client.findIncident(id);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === "interrupted" || error.kind === "terminated")
      throw error;
    // A service that cannot be read now may answer a moment later.
    if (error.kind === "unavailable") return undefined;
    // A refused key must not hide that a create may have gone through.
    warn(`it could not be looked for: ${error.message}`);
    return "unreadable";
  }
}

/** Writes down that the incident is there. "overtaken": another process has gone on with it. */
export async function recordFound(
  delivering: DeliveryOptions,
  { content, key }: Pick<Wanted, "content" | "key">,
  known: Operation | undefined,
  incident: Incident,
): Promise<Delivered | "overtaken"> {
  const { clientIds, journal } = delivering;
  const created = {
    type: "created",
    at: now(delivering),
    by: "reading",
    serviceId: incident.id,
    incident,
    ...newContent(known, content),
  } as const;
  if ((await journal.add(key, known, created)) === undefined) return "overtaken";
  if (incident.id.toLowerCase() === key.id) clientIds.learn("honoured");
  return { incident, how: "found" };
}
