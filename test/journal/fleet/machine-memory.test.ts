// A shared journal that was rolled back, with the sequences of each machine in memory.
import * as files from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMachineMemory } from "../../../src/journal/fleet/machine-memory.ts";
import { createJournal, sequenceName } from "../../../src/journal/journal.ts";
import type { Sequences } from "../../../src/journal/sequence.ts";
import { createClock, createRandom, temporaryFolder } from "../../harness/incident.ts";
import { refusing } from "../../harness/watched-files.ts";
import { createMemorySequences, withChanges } from "../memory-sequences.ts";

const random = createRandom();
const system = { clock: createClock(), random, signal: new AbortController().signal };
const deps = { files, system: { random, user: process.getuid?.() } };
const service = { baseUrl: "http://service.example", account: "a" };
const sequence = sequenceName(service);
const at = "2026-11-20T06:31:00.000Z";
const fired = { type: "fired", at, alertStarts: [], content: { digest: "d" } } as const;

function createMachine() {
  const root = join(temporaryFolder(), "state");
  files.mkdirSync(root, { mode: 0o700 });
  let isReadOnly = false;
  const own = refusing("EROFS", (name) => isReadOnly && ["openSync", "mkdirSync"].includes(name))(files);
  const open = () => openMachineMemory({ ...deps, files: own }, root, "the journal");
  return {
    close: () => {
      isReadOnly = true;
    },
    memory: open,
    /** A process of the machine. */
    start(sequences: Sequences) {
      const journal = createJournal({ system, sequences, memory: open() });
      const append = async (id = "one") =>
        (await journal.append(await journal.read({ ...service, id }), fired)).result;
      const count = async (id = "one") => (await journal.read({ ...service, id })).next;
      return { append, count, journal };
    },
  };
}

/** The sequences, and those that another journal has of them: its first `count` entries. */
async function cut(sequences: Sequences, count: number): Promise<Sequences> {
  const other = createMemorySequences();
  for (const name of await sequences.names()) {
    const { entries } = await sequences.open(name).read(0);
    for (const [number, entry] of entries.slice(0, count).entries())
      await other.open(name).append(number, entry);
  }
  return other;
}

const refusal = { kind: "uncertain", message: expect.stringContaining("was rolled back") };

describe("a machine that shares a journal", () => {
  it.each([
    ["lost its last entry", 2],
    ["lost all entries", 0],
  ])("appends nothing to one that %s, until a person accepts it", async (_, kept) => {
    const sequences = createMemorySequences();
    const machine = createMachine();
    for (let count = 0; count < 3; count += 1) await machine.start(sequences).append();
    const older = await cut(sequences, kept);
    const { append, journal } = machine.start(older);
    await expect(append()).rejects.toMatchObject(refusal);
    await expect(append("other")).rejects.toMatchObject(refusal);
    // It is listed as one that cannot be read, also where all of its entries are gone.
    expect((await journal.models()).broken).toMatchObject([refusal]);
    expect(machine.memory().accept()).toBe(1);
    expect(await machine.start(older).append()).toBe("ours");
    expect(await machine.start(older).append()).toBe("ours");
  });

  it("appends nothing where another entry is in the place of the last one that it has read", async () => {
    const sequences = createMemorySequences();
    const [machine, other] = [createMachine(), createMachine()];
    await other.start(sequences).append();
    await machine.start(sequences).count();
    const older = await cut(sequences, 0);
    await createMachine().start(older).append();
    await expect(machine.start(older).append()).rejects.toMatchObject(refusal);
  });

  it("goes on after its entry was replaced by a snapshot that names it", async () => {
    const sequences = createMemorySequences();
    const [machine, other] = [createMachine(), createMachine()];
    await machine.start(sequences).append();
    const { entries } = await sequences.open(sequence).read(0);
    const snapshot = { operations: [], pastById: "", began: 0 };
    const writers = entries.map(({ writer }) => writer);
    const entry = { ...entries[0], writer: "snapshot", writers, snapshot, at: 0, events: undefined };
    const dropped = (named: typeof entry) =>
      withChanges(sequences, () => ({
        read: async (from) => ({ first: Math.max(1, from), entries: from < 2 ? [named] : [] }),
        append: async () => "ours",
      }));
    expect(await machine.start(dropped(entry)).append()).toBe("ours");
    await other.start(sequences).count();
    await expect(other.start(dropped({ ...entry, writers: ["another"] })).append()).rejects.toMatchObject(
      refusal,
    );
  });

  it("reads a journal also where it can remember nothing, and appends nothing to it", async () => {
    const sequences = createMemorySequences();
    const machine = createMachine();
    await createMachine().start(sequences).append();
    machine.close();
    const { append, count } = machine.start(sequences);
    expect(await count()).toBe(1);
    await expect(append()).rejects.toMatchObject({ kind: "usage" });
    expect(await count()).toBe(1);
  });

  it("remembers the latest of what its processes have seen", () => {
    const machine = createMachine();
    machine.memory().remember("a", { number: 7, writer: "07" });
    machine.memory().remember("a", { number: 5, writer: "05" });
    machine.memory().remember("b", { number: 1, writer: "01" });
    expect(machine.memory().last("a")).toMatchObject({ number: 7, writer: "07" });
    expect(machine.memory().names()).toEqual(["a", "b"]);
  });

  it("waits for a replica that is behind", async () => {
    const sequences = createMemorySequences();
    const machine = createMachine();
    await machine.start(sequences).append();
    let reads = 0;
    const behind = withChanges(sequences, ({ read }) => ({
      read: async (from) => (++reads < 3 ? { first: from, entries: [] } : read(from)),
    }));
    expect(await machine.start(behind).append()).toBe("ours");
  });
});
