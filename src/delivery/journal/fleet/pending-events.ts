// The outcome of an attempt that a shared journal does not accept stays on this machine as a pending event. A later
// command appends it. Until then the `sending` event of the attempt keeps every machine from sending again.
import { Failure } from "../../../failure.ts";
import type { System } from "../../../platform/context.ts";
import type { OperationEvent, OperationKey } from "../events.ts";
import type { Journal } from "../journal.ts";
import { parseStored } from "../journal-errors.ts";
import type { PrivateFolder } from "../private-files.ts";

export interface PendingEventsDeps {
  readonly system: Pick<System, "clock" | "random" | "signal">;
  readonly folder: PrivateFolder;
}

interface PendingEvent {
  readonly key: OperationKey;
  readonly event: OperationEvent;
}

/** In milliseconds. */
const retryDeadline = 30_000;

/** Milliseconds between attempts; the last repeats. */
const retryDelays = [500, 1000, 2000, 5000] as const;

export function withPendingEvents(journal: Journal, { folder, system }: PendingEventsDeps): Journal {
  const { clock, random, signal } = system;
  return {
    ...journal,
    async append(log, event) {
      if (!isOutcome(event)) return journal.append(log, event);
      const deadline = clock.monotonic() + retryDeadline;
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await journal.append(log, event);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          if (!error.retryable || signal.aborted || clock.monotonic() >= deadline) {
            const pending: PendingEvent = { key: log.key, event };
            folder.replace(`${random.guid()}.json`, `${JSON.stringify(pending)}\n`);
            throw error;
          }
        }
        await clock.sleep(retryDelays[Math.min(attempt, retryDelays.length - 1)] as number, signal);
      }
    },
  };
}

/** Only this machine knows the outcome of its attempt. The decision of a person can be repeated. */
function isOutcome(event: OperationEvent): boolean {
  switch (event.type) {
    case "unsent":
    case "refused":
    case "uncertain":
      return true;
    case "created":
      return event.by !== "person";
    default:
      return false;
  }
}

/** Appends the events that earlier commands could not append. Throws a `Failure` where the journal cannot be reached. */
export async function appendPendingEvents(journal: Journal, folder: PrivateFolder): Promise<void> {
  for (const name of folder.names()) {
    const text = folder.read(name);
    if (text === undefined) continue;
    const { event, key } = parseStored(name, text) as unknown as PendingEvent;
    for (let log = await journal.read(key); isMissing(log, event); ) {
      const appended = await journal.append(log, event);
      if (appended.result === "ours") break;
      ({ log } = appended);
    }
    folder.remove(name);
  }
}

function isMissing(log: Awaited<ReturnType<Journal["read"]>>, event: OperationEvent): boolean {
  if (log.state === "created") return false;
  return event.type === "created" || log.uncertain !== undefined;
}
