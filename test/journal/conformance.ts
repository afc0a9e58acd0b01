// The conformance suite of sequences: what every engine guarantees. Two handles on the same place stand for two processes.
import { describe, expect, it } from "vitest";
import { Failure } from "../../src/failure.ts";
import type { Entry, Sequence, Sequences } from "../../src/journal/sequence.ts";

export interface Place {
  /** A handle of another process on the place of this test. */
  open(): Sequences | Promise<Sequences>;
  /** How many compete for a number; 8 by default. */
  readonly writers?: number;
}

export const name = "0123456789ab";

export const entryOf = (writer: string, more: object = {}): Entry => ({ writer, ...more });

/** The number of the first entry, and the writers of all. */
export async function writersOf(sequence: Pick<Sequence, "read">, from = 0) {
  const { entries, first } = await sequence.read(from);
  return [first, ...entries.map(({ writer }) => writer)];
}

/** Appends entries of these writers from number `at` on. */
export async function fill(sequence: Sequence, writers: string, at = 0) {
  for (const [index, writer] of [...writers].entries())
    expect(await sequence.append(at + index, entryOf(writer))).toBe("ours");
}

/** A host of git that refuses a push does not say that another was first: then the journal reads. */
async function appendLate(sequence: Sequence, at: number, writer: string) {
  return sequence.append(at, entryOf(writer)).catch((error) => error instanceof Failure && "taken");
}

/** `createPlace` gives a fresh place for each test. */
export function describeSequences(title: string, createPlace: () => Place): void {
  describe(`the sequences in ${title}`, () => {
    const create = () => {
      const { open, ...place } = createPlace();
      const openAll = async () => open();
      return { ...place, openAll, openOne: async (own = name) => (await openAll()).open(own) };
    };

    it("have no entry that nobody wrote, and no name", async () => {
      const sequences = await create().openAll();
      expect(await sequences.names()).toEqual([]);
      expect(await sequences.open(name).read(0)).toEqual({ first: 0, entries: [] });
    });

    it("give the entries back in their order, with every field, from any number on", async () => {
      const { openOne } = create();
      const sequence = await openOne();
      const entry = { writer: "a", text: 'é " \\ \n\u2028', nested: { list: [1, null, true] } };
      expect(await sequence.append(0, entry)).toBe("ours");
      await fill(sequence, "bc", 1);
      for (const reader of [sequence, await openOne()]) {
        expect(await reader.read(0)).toEqual({
          first: 0,
          entries: [entry, { writer: "b" }, { writer: "c" }],
        });
        expect(await writersOf(reader, 2)).toEqual([2, "c"]);
        expect(await writersOf(reader, 3)).toEqual([3]);
      }
    });

    it("are apart by their names", async () => {
      const sequences = await create().openAll();
      await fill(sequences.open("a0"), "a");
      await fill(sequences.open("b0"), "bc");
      expect((await sequences.names()).toSorted()).toEqual(["a0", "b0"]);
      expect(await writersOf(sequences.open("b0"))).toEqual([0, "b", "c"]);
    });

    it("take one entry for each number", async () => {
      const { openOne } = create();
      const [one, other] = [await openOne(), await openOne()];
      await fill(one, "a");
      await other.read(0);
      expect(await one.append(0, entryOf("b"))).toBe("taken");
      await fill(one, "c", 1);
      expect(await appendLate(other, 1, "d")).toBe("taken");
      expect(await writersOf(other)).toEqual([0, "a", "c"]);
    });

    it("let one of many concurrent appends win", async () => {
      const { openOne, writers: count = 8 } = create();
      const reader = await openOne();
      for (let number = 0; number < 3; number += 1) {
        const results = await Promise.all(
          Array.from({ length: count }, async (_, index) => {
            const sequence = await openOne();
            await sequence.read(0);
            return appendLate(sequence, number, `w${index}`);
          }),
        );
        expect(results.toSorted()).toEqual(["ours", ...Array(count - 1).fill("taken")]);
        const { entries } = await reader.read(0);
        expect(entries).toHaveLength(number + 1);
        expect(entries.at(-1)?.writer).toBe(`w${results.indexOf("ours")}`);
      }
    });

    it("begin at a snapshot once what is before it was dropped, and its numbers stay taken", async () => {
      const { openOne } = create();
      const sequence = await openOne();
      await fill(sequence, "abc");
      expect(await sequence.append(3, entryOf("s", { snapshot: {} }))).toBe("ours");
      if (sequence.mayDrop()) await sequence.drop(3);
      await fill(sequence, "d", 4);
      const late = await openOne();
      expect((await writersOf(late)).slice(-2)).toEqual(["s", "d"]);
      for (const number of [0, 2, 4]) expect(await late.append(number, entryOf("late"))).toBe("taken");
      expect(await writersOf(sequence, 4)).toEqual([4, "d"]);
    });
  });
}
