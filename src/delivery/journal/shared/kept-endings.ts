// The ending of an attempt that a shared journal does not take is kept on this machine, and added by a later command.
// Until then its `sending` event keeps every machine from sending again.
import { Failure } from "../../../failure.ts";
import type { System } from "../../../platform/context.ts";
import type { OperationEvent, OperationKey } from "../events.ts";
import type { Journal } from "../journal.ts";
import { parseStored } from "../journal-errors.ts";
import type { PrivateFolder } from "../private-files.ts";

export interface KeptEndingsDeps {
  readonly system: Pick<System, "clock" | "random" | "signal">;
  readonly folder: PrivateFolder;
}

interface KeptEnding {
  readonly key: OperationKey;
  readonly event: OperationEvent;
}

/** Milliseconds for which a command tries again. */
const retryFor = 30_000;

/** Milliseconds between attempts; the last repeats. */
const pauses = [500, 1000, 2000, 5000] as const;

export function withKeptEndings(journal: Journal, { folder, system }: KeptEndingsDeps): Journal {
  const { clock, random, signal } = system;
  return {
    ...journal,
    async append(log, event) {
      if (!isEnding(event)) return journal.append(log, event);
      const until = clock.monotonic() + retryFor;
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await journal.append(log, event);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          if (!error.retryable || signal.aborted || clock.monotonic() >= until) {
            const kept: KeptEnding = { key: log.key, event };
            folder.replace(`${random.guid()}.json`, `${JSON.stringify(kept)}\n`);
            throw error;
          }
        }
        await clock.sleep(pauses[Math.min(attempt, pauses.length - 1)] as number, signal);
      }
    },
  };
}

/** What only this machine knows: a person can decide again. */
function isEnding(event: OperationEvent): boolean {
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

/** Adds the endings that earlier commands could not add. Throws a `Failure` where the journal cannot be reached. */
export async function addKeptEndings(journal: Journal, folder: PrivateFolder): Promise<void> {
  for (const name of folder.names()) {
    const text = folder.read(name);
    if (text === undefined) continue;
    const { event, key } = parseStored(name, text) as unknown as KeptEnding;
    for (let log = await journal.read(key); needs(log, event); ) {
      const appended = await journal.append(log, event);
      if (appended.result === "ours") break;
      ({ log } = appended);
    }
    folder.remove(name);
  }
}

function needs(log: Awaited<ReturnType<Journal["read"]>>, event: OperationEvent): boolean {
  if (log.state === "created") return false;
  return event.type === "created" || log.uncertain !== undefined;
}
