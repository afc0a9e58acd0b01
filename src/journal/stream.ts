// A sequence as logs in memory. It reads the entries that are new, appends, and replaces a long sequence by a snapshot. Its
// calls take turns, so that each sees what the one before it has read or appended.
import { bestEffort, Failure } from "../failure.ts";
import type { System } from "../platform/context.ts";
import { isMapping } from "../untrusted-data.ts";
import { createBatcher } from "./batcher.ts";
import type { Append, AppendResult } from "./event-store.ts";
import type { ServiceKey } from "./events.ts";
import { digestOf, hasSeen, namedWriters, rolledBack, type Seen } from "./fleet/machine-memory.ts";
import { newerEntry, StoreHint, untrusted } from "./journal-errors.ts";
import { type Logs, logOf, logsOf, nextOf, type Snapshot, takeSnapshot } from "./logs.ts";
import type { Entry, Sequence, Tail } from "./sequence.ts";

/** The format of an entry, and the first version that reads it. */
const format = { journal: 2, readBy: "0.4.0" } as const;

/** More entries than this are replaced by a snapshot. */
const longest = 256;

/** The length of an entry in UTF-16 units, unless one event is longer. */
const largestEntry = 1024 * 1024;

/** How often, and after how many milliseconds, a sequence is read again that is shorter than it was said to be. */
const stalePauses = [100, 500, 2000] as const;

/** How often in a row this process appends nothing: more than machines that begin together cause. */
const mostLost = 200;

/** What the sequence says, as of the last reading. */
export interface Reading {
  readonly logs: Logs;
  /** Of the first operation. */
  readonly service: ServiceKey | undefined;
}

export interface Stream {
  read(): Promise<Reading>;
  /** Those that are appended at the same time share an entry. Throws a `Failure` where nothing was appended. */
  append(item: Append): Promise<AppendResult>;
  /** Replaces a long sequence by a snapshot, where this machine may. */
  shorten(): Promise<void>;
}

/** What this machine remembers of a sequence that it shares. */
export interface SequenceMemory {
  readonly last: () => Seen | undefined;
  readonly remember: (seen: Seen) => void;
}

export function createStream(
  { clock, random, signal }: Pick<System, "clock" | "random" | "signal">,
  sequence: Sequence,
  memory: SequenceMemory = { last: () => undefined, remember: () => undefined },
): Stream {
  let logs: Logs = new Map();
  let service: ServiceKey | undefined;
  /** The number of the first entry, which is that of the newest snapshot. */
  let first = 0;
  let next = 0;
  let began = 0;
  /** The last entry that was seen, from which on the sequence is read: it must still be there. */
  let last: (Seen & { readonly isSnapshot?: boolean }) | undefined;
  let writers: string[] = [];
  let wasRead = false;
  /** How often in a row this process has appended nothing. */
  let lost = 0;
  let turn: Promise<unknown> = Promise.resolve();

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  function apply(entry: Entry, number: number): void {
    const { appends, at, journal, readBy, snapshot, writer } = entry;
    if (typeof journal === "number" && journal > format.journal)
      throw newerEntry(`entry ${sequence.place(number)}`, readBy);
    if (journal !== format.journal || typeof writer !== "string")
      throw untrusted(sequence.place(number), "it was changed");
    if (isMapping(snapshot)) restore(snapshot as unknown as Snapshot, entry, number);
    else for (const item of appends as readonly Append[]) add(item, Number(at), number);
    next = number + 1;
    last = { number, writer: digestOf(writer), isSnapshot: snapshot !== undefined };
    writers = [...writers.slice(1 - namedWriters), writer];
  }

  function restore(snapshot: Snapshot, { at, writers: named }: Entry, number: number): void {
    logs = logsOf(snapshot);
    ({ service } = snapshot);
    [first, began, writers] = [number, Number(at), named as string[]];
  }

  function add({ event, isUnsettled, log, number }: Append, at: number, entry: number): void {
    const found = logs.get(log);
    if (number !== nextOf(found)) throw untrusted(sequence.place(entry), "it does not follow");
    const key = event.key as ServiceKey | undefined;
    service ??= key && { baseUrl: key.baseUrl, account: key.account };
    // A clock that is set back, or behind, changes no order.
    if (found === undefined) began = Math.max(began, at);
    const before = found === undefined ? { first: 0, events: [], began } : logOf(found, service);
    logs.set(log, { ...before, events: [...before.events, event], isUnsettled });
  }

  /** The entries from this number on, once they have the last one that was seen: a replica may be behind. */
  async function readWhole(from: number): Promise<Tail> {
    const seen = last ?? memory.last();
    for (const pause of [...stalePauses, undefined]) {
      const tail = await sequence.read(from);
      // A snapshot that this process has read is not read again.
      const isAfterIt = last?.isSnapshot && tail.first === next;
      if (seen === undefined || isAfterIt || hasSeen(tail, seen)) return tail;
      if (pause !== undefined && !signal.aborted) await clock.sleep(pause, signal);
    }
    throw rolledBack(sequence.place((seen as Seen).number));
  }

  function remember(): void {
    if (last !== undefined) memory.remember(last);
  }

  async function refresh(): Promise<void> {
    const from = last === undefined || last.isSnapshot ? next : last.number;
    const tail = await readWhole(from);
    if (tail.first > next && tail.entries[0]?.snapshot === undefined)
      throw untrusted(sequence.place(next), "it is gone");
    for (const [index, entry] of tail.entries.entries())
      if (tail.first + index >= next) apply(entry, tail.first + index);
    wasRead = true;
  }

  /** Until it shows an entry at number `at`, which is taken. */
  async function refreshPast(at: number): Promise<void> {
    for (const pause of [...stalePauses, undefined]) {
      await refresh();
      if (next > at) return;
      if (pause === undefined || signal.aborted) throw contradiction(sequence.place(at));
      await clock.sleep(pause, signal);
    }
  }

  /** The items that their logs have room for. */
  function fitting(items: readonly Append[]): readonly boolean[] {
    const ends = new Map<string, number>();
    return items.map(({ log, number }) => {
      const isNext = number === (ends.get(log) ?? nextOf(logs.get(log)));
      if (isNext) ends.set(log, number + 1);
      return isNext;
    });
  }

  /** Appends the items of an entry. */
  async function appendAll(items: readonly Append[]): Promise<readonly AppendResult[]> {
    for (let isFresh = false; lost < mostLost; isFresh = true) {
      const fits = fitting(items);
      // This process may not have read what they follow.
      if (!isFresh && (!wasRead || fits.includes(false))) {
        await refresh();
        continue;
      }
      lost += 1;
      const appends = items.filter((_, at) => fits[at]);
      if (appends.length === 0) return items.map(() => "taken");
      // Nothing is appended where this machine cannot remember it.
      remember();
      const { writer } = (appends[0] as Append).event;
      const entry = { writer, ...format, at: clock.now(), appends };
      const at = next;
      const result = await sequence.append(at, entry);
      if (result === "ours") {
        apply(entry, at);
        // Before anything that it announces is sent.
        remember();
        lost = 0;
      }
      if (result !== "taken") return fits.map((isNext) => (isNext ? result : "taken"));
      await refreshPast(at);
    }
    throw endless(sequence.place(next));
  }

  const readTogether = createBatcher<undefined, Reading>(async (calls) => {
    await alone(refresh);
    // A command that only reads needs no memory.
    await bestEffort({ warn: () => undefined }, async () => remember());
    return calls.map(() => ({ logs, service }));
  });

  const appendTogether = createBatcher<Append, AppendResult | Failure>(async (items) => {
    const results: (AppendResult | Failure)[] = [];
    for (const group of groupsOf(items))
      results.push(...(await alone(() => appendAll(group)).catch((error) => failed(group, error))));
    return results;
  });

  return {
    read: () => readTogether(undefined),
    async append(item) {
      const result = await appendTogether(item);
      if (result instanceof Failure) throw result;
      return result;
    },
    shorten: () =>
      alone(async () => {
        if (next - first <= longest || !sequence.mayDrop()) return;
        // Another machine may have done it.
        await refresh();
        if (next - first <= longest) return;
        const now = clock.now();
        const snapshot = takeSnapshot(logs, service, now);
        const entry = { writer: random.guid(), ...format, at: now, writers, snapshot };
        const at = next;
        if ((await sequence.append(at, entry)) !== "ours") return;
        apply(entry, at);
        await sequence.drop(at);
      }),
  };
}

/** An error of one group is not that of the others. */
function failed(group: readonly Append[], error: unknown): readonly Failure[] {
  if (error instanceof Failure) return group.map(() => error);
  throw error;
}

/** Cuts a list where an entry would become long: in a file, it has to stay below the size of any that is read. */
function groupsOf(items: readonly Append[]): readonly (readonly Append[])[] {
  const groups: Append[][] = [];
  let length = 0;
  for (const item of items) {
    const own = JSON.stringify(item.event).length;
    if (groups.length === 0 || length + own > largestEntry) [groups[groups.length], length] = [[], 0];
    groups.at(-1)?.push(item);
    length += own;
  }
  return groups;
}

function contradiction(place: string): Failure {
  return new Failure(
    "unavailable",
    `the journal's store contradicts itself: its ${place} is taken, and not shown`,
    {
      hint: new StoreHint(
        "find out what hides or drops its entries, such as a trigger, row security, or a copy that was restored",
      ),
    },
  );
}

function endless(place: string): Failure {
  const message = `the journal's store took none of ${mostLost} entries as that of this process, the last as ${place}`;
  return new Failure("unavailable", message, {
    hint: new StoreHint("find out what takes its entries, such as a trigger; else run it again"),
    retryable: true,
  });
}
