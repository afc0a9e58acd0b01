// Sequences in memory, for `--no-journal`: they are gone when the process ends. What this machine knows comes before them.
import { Failure } from "../failure.ts";
import type { Entry, Sequence, Sequences, Tail } from "./sequence.ts";

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
  let all: Promise<{ readonly first: number; readonly entries: Entry[] }> | undefined;
  const readAll = () => {
    all ??= (past?.read(0) ?? Promise.resolve(nothing))
      .catch((error: unknown) => {
        if (error instanceof Failure) return nothing;
        throw error;
      })
      .then(({ entries, first }) => ({ first, entries: [...entries] }));
    return all;
  };
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
