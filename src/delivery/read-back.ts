// Reads back an attempt whose outcome is not known. It repeats the read for a while, because a commit can be slow, and
// reads the log again, because another process may learn the outcome. Also tells whether an incident is that of a request.
import { foreignIdFailure } from "../api/errors.ts";
import { Failure } from "../failure.ts";
import { compareIncident, type Difference, describeDifferences } from "../incident/comparison.ts";
import type { Incident } from "../incident/wire.ts";
import { canBeFound } from "../journal/client-ids.ts";
import type { OperationLog } from "../journal/events.ts";
import { isGuid } from "../rules/forms.ts";
import { conflictFailure, interruptedFailure } from "./delivery-failures.ts";
import type { DeliveryOptions, DeliveryRequest } from "./delivery-options.ts";
import { longestRemaining } from "./wait-for-sender.ts";

export type ReadBack =
  | { readonly kind: "found"; readonly incident: Incident }
  /** Another process appended to the log. */
  | { readonly kind: "changed"; readonly log: OperationLog }
  /** Nothing was found, which proves nothing: the commit may still come. The deadline of its sender is over. */
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** The least time of a read, in milliseconds. The search can take this much longer than --settle-for. */
const shortestRead = 500;

/** Milliseconds between reads; the last repeats. */
const pauses = [250, 500, 1000, 2000] as const;

export async function readBack(
  options: DeliveryOptions,
  log: OperationLog,
  request: DeliveryRequest,
): Promise<ReadBack> {
  const { clientIds, journal, reporter, settleFor, system } = options;
  const { clock, signal } = system;
  const own = log.mayBeFoundById && canBeFound(clientIds.current()) ? [log.key.id] : [];
  const ids = [...new Set([...log.answeredIds.filter(isGuid), ...own])];
  const foreign = log.answeredIds.find((id) => !isGuid(id));
  // An incident may have the foreign id, so that none counts as absent.
  const absent: ReadBack =
    foreign === undefined ? { kind: "absent" } : { kind: "failed", failure: foreignIdFailure(foreign) };
  // A sender that is still at work records the outcome in the log, also where no id can be found.
  if (ids.length === 0 && log.unended === undefined) return absent;
  const until = clock.monotonic() + Math.max(settleFor, longestRemaining(options, log));

  async function poll(): Promise<ReadBack> {
    for (let read = 0; ; read += 1) {
      if (signal.aborted) throw interruptedFailure(log, signal);
      const now = await journal.read(log.key);
      if (now.next !== log.next) return { kind: "changed", log: now };
      const failures: Failure[] = [];
      for (const id of ids) {
        const found = await find(options, id, until);
        if (found instanceof Failure) failures.push(found);
        else if (found !== undefined) {
          const judged = judgeFound(options, request, found);
          if (judged !== undefined) return judged;
        }
      }
      const left = until - clock.monotonic();
      const [failure] = failures;
      if (failure !== undefined && failures.length === ids.length) return { kind: "failed", failure };
      if (left <= 0) return absent;
      await clock.sleep(Math.min(left, pauses[Math.min(read, pauses.length - 1)] as number), signal);
    }
  }

  const left = () => Math.ceil((until - clock.monotonic()) / 1000);
  return reporter.withSpinner(() => `it was sent and not answered; looking for it, ${left()} s more`, poll);
}

/** Judges an incident that was read. One whose id is only in an answer must also have the name: it may be another. */
function judgeFound(
  options: DeliveryOptions,
  request: DeliveryRequest,
  incident: Incident,
): ReadBack | undefined {
  const isOwn = incident.id.toLowerCase() === request.key.id;
  if (!isOwn && incident.name === undefined) return undefined;
  const differences = recognize(options, request, incident, isOwn);
  if (differences === undefined) return { kind: "found", incident };
  return isOwn ? { kind: "failed", failure: conflictFailure(incident, differences) } : undefined;
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

/** The differences that make it another incident; undefined where it is the incident of the request. */
export function recognize(
  { acceptsAnyContent, reporter }: Pick<DeliveryOptions, "acceptsAnyContent" | "reporter">,
  { content, hasRandomId, key }: DeliveryRequest,
  incident: Incident,
  isSent: boolean,
): readonly Difference[] | undefined {
  const isOwn = incident.id.toLowerCase() === key.id;
  if (acceptsAnyContent && isOwn) return undefined;
  const id = isOwn ? (hasRandomId ? "random" : "chosen") : "unknown";
  const { differences, kind } = compareIncident(content.body, incident, { id, isSent });
  if (kind === "other") return differences;
  warnOfDifferences(reporter, incident, differences);
  return undefined;
}

export function warnOfDifferences(
  reporter: DeliveryOptions["reporter"],
  { id }: Incident,
  differences: readonly Difference[],
): void {
  if (differences.length > 0)
    reporter.warn(`incident ${id} differs from its definition: ${describeDifferences(differences)}`);
}
