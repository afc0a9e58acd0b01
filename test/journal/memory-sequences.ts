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
