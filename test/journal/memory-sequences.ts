// Sequences in memory, for the tests of the journal.
import type { Entry, Sequence, Sequences } from "../../src/journal/sequence.ts";

export function createMemorySequences(): Sequences {
  const sequences = new Map<string, Sequence>();
  return {
    names: async () => [...sequences.keys()],
    open(name) {
      const sequence = sequences.get(name) ?? createSequence();
      sequences.set(name, sequence);
      return sequence;
    },
  };
}

/** The sequences, of which some functions are others. */
export function withChanges(
  sequences: Sequences,
  change: (sequence: Sequence, name: string) => Partial<Sequence>,
): Sequences {
  return {
    ...sequences,
    open(name) {
      const sequence = sequences.open(name);
      return { ...sequence, ...change(sequence, name) };
    },
  };
}

function createSequence(): Sequence {
  const entries: Entry[] = [];
  return {
    mayDrop: () => false,
    place: (number) => `entry ${number} in memory`,
    read: async (from) => ({ first: from, entries: entries.slice(from) }),
    async append(at, entry) {
      if (at !== entries.length) return "taken";
      entries.push(entry);
      return "ours";
    },
    drop: async () => undefined,
  };
}
