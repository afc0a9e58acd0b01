// The outcome of an attempt that a shared journal does not accept stays on this machine as a pending event. A later
// command appends it. Until then the `sending` event of the attempt keeps every machine from sending again.
import { Failure } from "../../failure.ts";
import type { System } from "../../platform/context.ts";
import type { OperationEvent, OperationKey, ServiceKey } from "../events.ts";
import type { PrivateFolder } from "../folder/private-files.ts";
import type { Journal } from "../journal.ts";
import { failureOfReading, parseStored } from "../journal-errors.ts";

export interface PendingEventsDeps {
  readonly system: Pick<System, "clock" | "random" | "signal">;
  readonly folder: PrivateFolder;
  /** The location of the journal, as it is shown. */
  readonly shown: string;
}

interface PendingEvent {
  readonly key: OperationKey;
  readonly event: OperationEvent;
  /** The `shown` of the journal that it belongs to; 0.2.0 did not record it. */
  readonly journal?: string;
}

/** In milliseconds. */
const retryDeadline = 30_000;

/** Milliseconds between attempts; the last repeats. */
const retryDelays = [500, 1000, 2000, 5000] as const;

export function withPendingEvents(journal: Journal, { folder, shown, system }: PendingEventsDeps): Journal {
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
            const pending: PendingEvent = { key: log.key, event, journal: shown };
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

/** The pending events of this machine, each with the name of its file. */
function readPending(folder: PrivateFolder): readonly (PendingEvent & { readonly name: string })[] {
  return folder.names().flatMap((name) => {
    const text = folder.read(name);
    return text === undefined ? [] : [{ ...(parseStored(name, text) as unknown as PendingEvent), name }];
  });
}

/** Refuses a send for the service and account of a pending event that belongs to another journal than `shown`. */
export function checkPending(folder: PrivateFolder, { account, baseUrl }: ServiceKey, shown?: string): void {
  const pending = readPending(folder).find(
    ({ journal = shown, key }) =>
      key.baseUrl === baseUrl &&
      (key.account ?? undefined) === account &&
      (shown === undefined || journal !== shown),
  );
  if (pending === undefined) return;
  const { event, key } = pending;
  const outcome = event.type === "created" ? `declared as ${event.serviceId}` : event.type;
  throw new Failure(
    "uncertain",
    `the create of ${key.id} was sent from here, and its shared journal has not recorded its outcome yet (${outcome})`,
    {
      hint: "nothing was sent, because it may be the same incident; run this again with that journal, or incident create with --new if it is another incident",
    },
  );
}

/**
 * Appends the events of the journal `shown` that earlier commands could not append. Throws a `Failure` where it cannot
 * be reached: its hint names no other journal, which would not know of them.
 */
export async function appendPendingEvents(
  journal: Journal,
  { folder, shown }: Omit<PendingEventsDeps, "system">,
): Promise<void> {
  try {
    await appendAll(journal, { folder, shown });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { hint, kind, message, retryable } = failureOfReading(error);
    const text = `the journal has not recorded the outcome of an earlier create from here: ${message}`;
    throw new Failure(kind, text, { hint: `nothing was sent; ${hint}`, retryable, cause: error });
  }
}

async function appendAll(journal: Journal, { folder, shown }: Omit<PendingEventsDeps, "system">) {
  for (const { event, journal: own = shown, key, name } of readPending(folder)) {
    if (own !== shown) continue;
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
