// Checks the history of an event store against the promises of its port (event-store.ts), whatever engine it uses.
import type { AppendResult } from "../../../src/journal/event-store.ts";
import type { RecordedAppend, RecordedCall } from "./history.ts";

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** One event of an append. `failed`: the call threw. `open`: it has not ended. */
interface Append extends RecordedAppend, Interval {
  readonly place: string;
  readonly process: string;
  readonly isPruning: boolean;
  readonly result: AppendResult | "failed" | "open";
}

interface Read extends Interval {
  readonly place: string;
  readonly log: string;
  readonly first: number;
  readonly writers: readonly string[];
}

interface List extends Interval {
  readonly place: string;
  readonly logs: readonly string[];
}

export interface CheckedHistory {
  readonly appends: number;
  readonly reads: number;
  /** Empty where every promise was kept. */
  readonly violations: readonly string[];
}

export function checkHistory(calls: readonly RecordedCall[]): CheckedHistory {
  const appends = calls.flatMap(appendsOf);
  const reads = calls.flatMap(readsOf);
  const lists = groupBy(calls.flatMap(listsOf), ({ place }) => place);
  const appendsByLog = groupBy(appends, nameOf);
  const readsByLog = groupBy(reads, nameOf);
  const violations = [...new Set([...appendsByLog.keys(), ...readsByLog.keys()])].flatMap((name) => {
    const own = appendsByLog.get(name) ?? [];
    const found = [...checkReads(own, readsByLog.get(name) ?? []), ...checkLists(own, lists)];
    return found.map((violation) => `${name.trim()} ${violation}`);
  });
  return { appends: appends.length, reads: reads.length, violations };
}

/** An event that is in a log, with its first append. `known`: when an append or a read first said that it is there. */
export interface AppendedEvent extends Append {
  readonly known: number;
}

/** The events of each log, by its name. */
export function eventsOf(calls: readonly RecordedCall[]): ReadonlyMap<string, readonly AppendedEvent[]> {
  const known = new Map<string, number>();
  const learn = (log: string, writer: string, time: number) => {
    const name = `${log} ${writer}`;
    known.set(name, Math.min(known.get(name) ?? Number.POSITIVE_INFINITY, time));
  };
  const appends = calls.flatMap(appendsOf);
  for (const append of appends)
    if (append.result === "ours") learn(nameOf(append), append.event.writer, append.end);
  for (const read of calls.flatMap(readsOf))
    for (const writer of read.writers) learn(nameOf(read), writer, read.end);
  const found = appends.flatMap((append) => {
    const time = known.get(`${nameOf(append)} ${append.event.writer}`);
    return time === undefined ? [] : [{ ...append, known: time }];
  });
  return new Map(
    [...groupBy(found, nameOf)].map(([name, own]) => {
      const byNumber = new Map([...own].reverse().map((append) => [append.number, append]));
      return [name, [...byNumber.values()].sort((a, b) => a.number - b.number)];
    }),
  );
}

/** What a call proves about a log from its end on: the number that comes next at least, and the first one at least. */
interface Evidence {
  readonly end: number;
  readonly next: number;
  readonly first: number;
}

function checkReads(appends: readonly Append[], reads: readonly Read[]): readonly string[] {
  const violations: string[] = [];
  const agreed = new Map<number, string>();
  for (const { event, number, result } of appends) {
    if (result !== "ours") continue;
    if (agreed.has(number)) violations.push(`${number}: two appends are ours`);
    else agreed.set(number, event.writer);
  }
  const tried = groupBy(appends, ({ event, number }) => `${number} ${event.writer}`);
  for (const { end, first, writers } of reads) {
    for (const [index, writer] of writers.entries()) {
      const number = first + index;
      const other = agreed.get(number);
      if (other !== undefined && other !== writer)
        violations.push(`${number}: is ${other}, and is read as ${writer}`);
      agreed.set(number, other ?? writer);
      const own = tried.get(`${number} ${writer}`) ?? [];
      if (!own.some(({ start }) => start <= end))
        violations.push(`${number}: ${writer} is read, and was not appended`);
      else if (own.every(isExcluded))
        violations.push(`${number}: ${writer} is read, and was ${own[0]?.result}`);
    }
  }

  const acknowledged = appends
    .filter(({ result }) => result === "ours")
    .map(({ end, isPruning, number }) => ({ end, next: number + 1, first: isPruning ? number : 0 }));
  const seen = reads.map(({ end, first, writers }) => ({ end, next: first + writers.length, first }));
  const before = (evidence: readonly Evidence[], start: number) => {
    const earlier = evidence.filter(({ end }) => end < start);
    return {
      next: Math.max(0, ...earlier.map(({ next }) => next)),
      first: Math.max(0, ...earlier.map(({ first }) => first)),
    };
  };
  for (const { end, first, start, writers } of reads) {
    const next = first + writers.length;
    const stored = before(acknowledged, start);
    const read = before(seen, start);
    if (next < stored.next) violations.push(`${stored.next - 1}: is ours, and a later read lacks it`);
    if (next < read.next) violations.push(`${read.next - 1}: was read, and a later read lacks it`);
    if (first < stored.first || first < read.first)
      violations.push(`${first}: was pruned, and is read again`);
    const isPruned = (append: Append) =>
      append.isPruning && append.number === first && append.start <= end && !isExcluded(append);
    if (first > 0 && !appends.some(isPruned))
      violations.push(`${first}: begins the log, and was not pruned to it`);
  }
  for (const { end, number, result, start } of appends) {
    if (result !== "ours") continue;
    const follows = (append: Append) =>
      append.number === number - 1 && append.start <= end && !isExcluded(append);
    if (number > 0 && !appends.some(follows)) violations.push(`${number}: is ours, and follows no event`);
    const first = Math.max(before(acknowledged, start).first, before(seen, start).first);
    if (number < first) violations.push(`${number}: is ours, and was pruned before`);
  }
  return violations;
}

/** A log is listed as unsettled while the last event that any process can have appended says so. */
function checkLists(
  appends: readonly Append[],
  lists: ReadonlyMap<string, readonly List[]>,
): readonly string[] {
  const isLast = ({ number }: Append, until: number) =>
    !appends.some((later) => later.number > number && later.start <= until && !isExcluded(later));
  return appends
    .filter(({ isUnsettled, result }) => isUnsettled && result === "ours")
    .flatMap((append) => {
      const missing = (lists.get(append.place) ?? []).some(
        ({ end, logs, start }) => append.end < start && !logs.includes(append.log) && isLast(append, end),
      );
      return missing ? [`${append.number}: is unsettled, and is not listed`] : [];
    });
}

/** Whether the store said that the event is not in the log, and never will be. */
function isExcluded({ result }: Append): boolean {
  return result === "taken" || result === "failed";
}

function appendsOf(call: RecordedCall): readonly Append[] {
  if (call.do !== "append" && call.do !== "prune") return [];
  const { appends, end = Number.POSITIVE_INFINITY, place, process, results, start } = call;
  const unanswered = call.end === undefined ? "open" : "failed";
  const isPruning = call.do === "prune";
  return appends.map((append, index) => {
    return { ...append, place, process, start, end, isPruning, result: results?.[index] ?? unanswered };
  });
}

/** A read without a result proves nothing. */
function readsOf(call: RecordedCall): readonly Read[] {
  if (call.do !== "read" || call.found === undefined || call.end === undefined) return [];
  const { end, found, log, place, start } = call;
  return [{ place, log, start, end, ...found }];
}

function listsOf(call: RecordedCall): readonly List[] {
  if (call.do !== "unsettled" || call.logs === undefined || call.end === undefined) return [];
  const { end, logs, place, start } = call;
  return [{ place, start, end, logs }];
}

function nameOf({ log, place }: { readonly place: string; readonly log: string }): string {
  return `${place} ${log}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
