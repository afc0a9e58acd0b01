// Sequences in memory, for `--no-journal`: they are gone when the process ends. What this machine knows comes before them.
import { ignoreFailure } from "../failure.ts";
import { once } from "../once.ts";
import type { Sequence, Sequences, Tail } from "./sequence.ts";

const nothing: Tail = { first: 0, entries: [] };

/** `past` is read once, where that is possible, and never changed. */
export function createMemorySequences(past?: Sequences): Sequences {
  const sequences = new Map<string, Sequence>();
  return {
    names: async () => [...new Set([...sequences.keys(), ...((await past?.names()) ?? [])])],
    open(name) {
      const sequence = sequences.get(name) ?? createSequence(past?.open(name));
      sequences.set(name, sequence);
      return sequence;
    },
  };
}

function createSequence(past: Sequence | undefined): Sequence {
  const readAll = once(async () => {
    const { entries, first } = (await past?.read(0).catch(ignoreFailure)) ?? nothing;
    return { first, entries: [...entries] };
  });
  return {
    mayDrop: () => false,
    place: (number) => `entry ${number} in memory`,
    async read(from) {
      const { entries, first } = await readAll();
      return from <= first ? { first, entries } : { first: from, entries: entries.slice(from - first) };
    },
    async append(at, entry) {
      const { entries, first } = await readAll();
      if (at !== first + entries.length) return "taken";
      entries.push(entry);
      return "ours";
    },
    drop: async () => undefined,
  };
}
