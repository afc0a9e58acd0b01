// Copies the operations of one journal into another, event by event, and can be repeated: it completes a partial operation,
// leaves a longer one as it is, and reports one that both journals continued.
import { jsonDigest } from "../../text/json-digest.ts";
import type { OperationEvent, OperationLog } from "../events.ts";
import { redactEvent } from "../fold.ts";
import type { Journal } from "../journal.ts";
import { allIn, operationIn } from "../model.ts";

/** Operations that are copied at a time. Their events share an entry. */
const batchSize = 64;

export async function copyJournal(from: Journal, to: Journal) {
  /** `copied`: operations that were missing or incomplete in the other journal. */
  const outcomes = { copied: 0, unchanged: 0 };
  const conflicts: string[] = [];
  const { broken, models } = await from.models();
  for (const failure of broken) throw failure;
  for (const source of models) {
    const { service } = source;
    if (service === undefined) continue;
    const target = await to.model(service);
    const logs = allIn(source);
    const copy = async (own: OperationLog) => {
      const outcome = await copyOperation(own, to, operationIn(target, own.key));
      if (outcome === "conflict") conflicts.push(own.key.id);
      else outcomes[outcome] += 1;
    };
    for (let at = 0; at < logs.length; at += batchSize) {
      const batch = logs.slice(at, at + batchSize);
      // Creates come first: one that ends as not created also ends the changes that are there already.
      await Promise.all(batch.filter(({ change }) => change === undefined).map(copy));
      await Promise.all(batch.filter(({ change }) => change !== undefined).map(copy));
    }
  }
  return { ...outcomes, conflicts };
}

async function copyOperation(
  own: OperationLog,
  to: Journal,
  target: OperationLog,
): Promise<"copied" | "unchanged" | "conflict"> {
  const source = renumbered(own);
  let log = target;
  for (let copied = 0; ; copied += 1) {
    // Only a complete operation is shortened.
    if (log.next > log.events.length) return "unchanged";
    const isSame = log.events
      .slice(0, source.length)
      .every((event, index) => digestOf(event) === digestOf(source[index] as OperationEvent));
    if (!isSame) return isAlsoThere(own, log) ? "unchanged" : "conflict";
    const event = source[log.events.length];
    if (event === undefined) return copied > 0 ? "copied" : "unchanged";
    // Another process may append meanwhile: then the next look shows it.
    ({ log } = await to.append(log, event));
  }
}

/** An operation that was shortened begins at 0 in the other journal, so its attempts get other numbers. */
function renumbered({ events, next }: OperationLog): readonly OperationEvent[] {
  const first = next - events.length;
  return events.map((event) => ("attempt" in event ? { ...event, attempt: event.attempt - first } : event));
}

function digestOf(event: OperationEvent): string {
  return jsonDigest(redactEvent(event));
}

/** Whether the other journal has the incident, and this one knows no other incident for the operation. */
function isAlsoThere({ created: own }: OperationLog, { created: other }: OperationLog): boolean {
  return other !== undefined && (own === undefined || own.serviceId === other.serviceId);
}
