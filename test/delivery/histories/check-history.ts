// Checks the history of sequences against the promises of their port (sequence.ts), whatever engine keeps them.
import type { AppendResult, RecordedCall } from "./history.ts";

/** `failed`: the call threw. `open`: it has not ended. */
type Append = Extract<RecordedCall, { readonly do: "append" }> & {
  readonly end: number;
  readonly outcome: AppendResult | "failed" | "open";
};

interface Read {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly first: number;
  readonly writers: readonly string[];
}

export interface CheckedHistory {
  readonly appends: number;
  readonly reads: number;
  /** Empty where every promise was kept. */
  readonly violations: readonly string[];
}

export function checkHistory(calls: readonly RecordedCall[]): CheckedHistory {
  let [appends, reads] = [0, 0];
  const violations: string[] = [];
  for (const [name, own] of bySequence(calls)) {
    const [appended, read] = [own.flatMap(appendsOf), own.flatMap(readsOf)];
    appends += appended.length;
    reads += read.length;
    violations.push(...checkSequence(appended, read).map((violation) => `${name.trim()} ${violation}`));
  }
  return { appends, reads, violations };
}

/** An entry that is in a sequence, with its first append. `known`: when a call first said that it is there. */
export interface AppendedEntry extends Append {
  readonly known: number;
}

/** The entries of each sequence in their order. */
export function entriesOf(calls: readonly RecordedCall[]): ReadonlyMap<string, readonly AppendedEntry[]> {
  const found = [...bySequence(calls)].map(([name, own]) => {
    const known = new Map<string, number>();
    const learn = (writer: string, time: number) =>
      known.set(writer, Math.min(known.get(writer) ?? Number.POSITIVE_INFINITY, time));
    const appends = own.flatMap(appendsOf);
    for (const { end, entry, outcome } of appends) if (outcome === "ours") learn(entry.writer, end);
    for (const { end, writers } of own.flatMap(readsOf)) for (const writer of writers) learn(writer, end);
    const there = appends.flatMap((append): [number, AppendedEntry][] => {
      const time = known.get(append.entry.writer);
      return time === undefined ? [] : [[append.number, { ...append, known: time }]];
    });
    const first = new Map(there.toReversed());
    return [name, [...first.values()].sort((a, b) => a.number - b.number)] as const;
  });
  return new Map(found);
}

function checkSequence(appends: readonly Append[], reads: readonly Read[]): readonly string[] {
  const violations: string[] = [];
  const agreed = new Map<number, string>();
  for (const { entry, number, outcome } of appends) {
    if (outcome !== "ours") continue;
    if (agreed.has(number)) violations.push(`${number}: two appends are ours`);
    else agreed.set(number, entry.writer);
  }
  for (const { end, first, from, writers } of reads) {
    for (const [index, writer] of writers.entries()) {
      const number = first + index;
      const other = agreed.get(number);
      if (other !== undefined && other !== writer)
        violations.push(`${number}: is ${other}, and is read as ${writer}`);
      agreed.set(number, other ?? writer);
      const own = appends.filter((each) => each.number === number && each.entry.writer === writer);
      if (!own.some(({ start }) => start <= end))
        violations.push(`${number}: ${writer} is read, and was not appended`);
      else if (own.every(isExcluded))
        violations.push(`${number}: ${writer} is read, and was ${own[0]?.outcome}`);
      else if (index === 0 && first > from && own.every(({ entry }) => entry.snapshot === undefined))
        violations.push(`${first}: begins the sequence, and is no snapshot`);
    }
  }
  const known = [
    ...appends
      .filter(({ outcome }) => outcome === "ours")
      .map(({ end, number }) => ({ end, next: number + 1 })),
    ...reads.map(({ end, first, writers }) => ({ end, next: first + writers.length })),
  ];
  for (const { first, start, writers } of reads) {
    const least = Math.max(0, ...known.filter(({ end }) => end < start).map(({ next }) => next));
    if (first + writers.length < least) violations.push(`${least - 1}: was there, and a later read lacks it`);
  }
  for (const { end, number, outcome } of appends) {
    const follows = (append: Append) =>
      append.number === number - 1 && append.start <= end && !isExcluded(append);
    if (outcome === "ours" && number > 0 && !appends.some(follows))
      violations.push(`${number}: is ours, and follows no entry`);
  }
  return violations;
}

/** Whether the engine said that the entry is not there, and never will be. */
function isExcluded({ outcome }: Append): boolean {
  return outcome === "taken" || outcome === "failed";
}

function appendsOf(call: RecordedCall): readonly Append[] {
  if (call.do !== "append") return [];
  const outcome = call.result ?? (call.end === undefined ? "open" : "failed");
  return [{ ...call, end: call.end ?? Number.POSITIVE_INFINITY, outcome }];
}

/** A read without a result proves nothing. */
function readsOf(call: RecordedCall): readonly Read[] {
  if (call.do !== "read" || call.found === undefined || call.end === undefined) return [];
  const { end, found, from, start } = call;
  return [{ start, end, from, ...found }];
}

function bySequence(calls: readonly RecordedCall[]): ReadonlyMap<string, readonly RecordedCall[]> {
  const groups = new Map<string, RecordedCall[]>();
  for (const call of calls) {
    const name = `${call.place} ${call.sequence}`;
    groups.set(name, [...(groups.get(name) ?? []), call]);
  }
  return groups;
}
