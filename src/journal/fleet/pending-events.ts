// What this machine remembers of its attempts with a shared journal: each one from before its `sending` event until its
// outcome is in the journal, and the outcome itself as a pending event, which a later command appends. While any of it is
// left, this machine sends with no other journal.
import { Failure } from "../../failure.ts";
import type { System } from "../../platform/context.ts";
import { advise } from "../../text/advice.ts";
import type { LoggedContent, OperationEvent, OperationKey, OperationLog } from "../events.ts";
import type { PrivateFolder } from "../folder/private-files.ts";
import { type Appended, type Journal, operationName } from "../journal.ts";
import { failureOfReading, parseStored } from "../journal-errors.ts";

export interface PendingEventsDeps {
  readonly system: Pick<System, "bootTime" | "clock" | "random" | "signal">;
  /** Of the pending events. */
  readonly folder: PrivateFolder;
  /** Of the `sending` events without an outcome. 0.2.0 would append what is in the other folder. */
  readonly attempts: PrivateFolder;
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

export function withPendingEvents(
  journal: Journal,
  { attempts, folder, shown, system }: PendingEventsDeps,
): Journal {
  const { clock, random, signal } = system;
  /** The files of the attempts of this process, by operation. */
  const own = new Map<string, string[]>();

  function keep(place: PrivateFolder, { key }: OperationLog, event: OperationEvent): string {
    const name = `${random.guid()}.json`;
    place.replace(name, `${JSON.stringify({ key, event, journal: shown } satisfies PendingEvent)}\n`);
    return name;
  }

  /** Remembers the attempt before another machine can know of it. Without its event, nothing is sent. */
  async function appendSending(log: OperationLog, event: OperationEvent): Promise<Appended> {
    const name = keep(attempts, log, event);
    let isOurs = false;
    try {
      const appended = await journal.append(log, event);
      isOurs = appended.result === "ours";
      return appended;
    } finally {
      const operation = operationName(log.key);
      if (isOurs) own.set(operation, [...(own.get(operation) ?? []), name]);
      else attempts.remove(name);
    }
  }

  async function appendOutcome(log: OperationLog, event: OperationEvent): Promise<Appended> {
    const deadline = clock.monotonic() + retryDeadline;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await journal.append(log, event);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (!error.retryable || signal.aborted || clock.monotonic() >= deadline) {
          keep(folder, log, event);
          throw error;
        }
      }
      await clock.sleep(retryDelays[Math.min(attempt, retryDelays.length - 1)] as number, signal);
    }
  }

  return {
    ...journal,
    async append(log, event) {
      if (event.type === "sending") return appendSending(log, event);
      const appended = await (isOutcome(event) ? appendOutcome(log, event) : journal.append(log, event));
      const operation = operationName(log.key);
      if (appended.log.uncertain === undefined) {
        for (const name of own.get(operation) ?? []) attempts.remove(name);
        own.delete(operation);
      }
      return appended;
    },
  };
}

/** Only this machine knows the outcome of its attempt. The decision of a person can be repeated. */
function isOutcome(event: OperationEvent): boolean {
  if (event.type === "created") return event.by !== "person";
  return event.type === "unsent" || event.type === "refused" || event.type === "uncertain";
}

/** The events that this machine keeps in a folder, each with the name of its file. */
function readPending(folder: PrivateFolder): readonly (PendingEvent & { readonly name: string })[] {
  return folder.names().flatMap((name) => {
    const text = folder.read(name);
    return text === undefined ? [] : [{ ...(parseStored(name, text) as unknown as PendingEvent), name }];
  });
}

/**
 * Refuses a send that may be the same incident as an attempt or outcome that belongs to another journal than `shown`: one
 * with its id, content or name, for the same service and account.
 */
export function checkPending(
  folders: readonly PrivateFolder[],
  key: OperationKey,
  content: LoggedContent | undefined,
  shown?: string,
): void {
  const all = folders.flatMap(readPending);
  const contentsOf = (operation: OperationKey) =>
    all.flatMap((each) =>
      operationName(each.key) === operationName(operation) && "content" in each.event
        ? (each.event.content ?? [])
        : [],
    );
  const pending = all.find(
    ({ journal = shown, key: sent }) =>
      sent.baseUrl === key.baseUrl &&
      sent.account === key.account &&
      (shown === undefined || journal !== shown) &&
      (operationName(sent) === operationName(key) || mayBeSame(contentsOf(sent), content)),
  );
  if (pending === undefined) return;
  const { event, key: sent } = pending;
  const outcome = event.type === "created" ? `declared as ${event.serviceId}` : event.type;
  const message = `the create of ${sent.id} was sent from here, and its shared journal has not recorded its outcome yet (${outcome})`;
  throw new Failure("uncertain", message, {
    hint: "nothing was sent, because it may be the same incident; run this again with that journal, or incident create with --new if it is another incident",
  });
}

/** An attempt whose content is not known may be of any. */
function mayBeSame(sent: readonly LoggedContent[], content: LoggedContent | undefined): boolean {
  if (sent.length === 0 || content === undefined) return true;
  const name = nameOf(content);
  return sent.some(
    (each) => each.digest === content.digest || name === undefined || (nameOf(each) ?? name) === name,
  );
}

function nameOf(content: LoggedContent): string | undefined {
  return (content.body ?? content).name?.trim().toLowerCase();
}

/**
 * Appends the events of the journal `shown` that earlier commands could not append, and forgets the attempts whose outcome
 * it knows. Throws a `Failure` where it cannot be reached: its hint names no other journal, which would not know of them.
 */
export async function appendPendingEvents(
  journal: Journal,
  deps: Omit<PendingEventsDeps, "system"> & { readonly system: Pick<System, "bootTime"> },
): Promise<void> {
  try {
    await appendAll(journal, deps);
    await forgetAttempts(journal, deps);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const failure = failureOfReading(error);
    throw failure.with({
      message: `the journal has not recorded the outcome of an earlier create from here: ${failure.message}`,
      hint: advise`nothing was sent; ${failure.details.hint}`,
    });
  }
}

/** An attempt that is not in the journal may be so later, while its sender is at work. */
async function forgetAttempts(
  journal: Journal,
  { attempts, shown, system }: Parameters<typeof appendPendingEvents>[1],
): Promise<void> {
  const now = system.bootTime("now");
  const kept = readPending(attempts).filter(({ journal: own }) => own === shown);
  const logs = await Promise.all(kept.map(({ key }) => journal.read(key)));
  for (const [index, { event, name }] of kept.entries()) {
    const { events, uncertain } = logs[index] as OperationLog;
    if (event.type !== "sending" || uncertain !== undefined) continue;
    const { at, bootTime, deadline } = event;
    const isRecorded = events.some((each) => each.type === "sending" && each.at === at);
    const isBefore = bootTime?.boot !== now?.boot;
    const isOver = now !== undefined && (isBefore || now.elapsed > (bootTime?.elapsed ?? 0) + deadline);
    if (isRecorded || isOver) attempts.remove(name);
  }
}

async function appendAll(
  journal: Journal,
  { folder, shown }: Pick<PendingEventsDeps, "folder" | "shown">,
): Promise<void> {
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

function isMissing(log: OperationLog, event: OperationEvent): boolean {
  if (log.state === "created") return false;
  return event.type === "created" || log.uncertain !== undefined;
}
