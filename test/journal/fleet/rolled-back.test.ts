// A shared journal that is rolled back at any time, while machines read it and append to it in any order: no machine appends
// to one that lacks the last entry that it has seen, until a person accepts it. The test keeps its own account of that.
import * as files from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Failure } from "../../../src/failure.ts";
import { type MachineMemory, openMachineMemory } from "../../../src/journal/fleet/machine-memory.ts";
import { createJournal, sequenceName } from "../../../src/journal/journal.ts";
import { createMemorySequences } from "../../../src/journal/memory-sequences.ts";
import { createClock, createRandom, temporaryFolder } from "../../harness/incident.ts";

const service = { baseUrl: "http://service.example", account: "a" };
const name = sequenceName(service);
const event = {
  type: "fired",
  at: "2026-11-20T06:31:00.000Z",
  alertStarts: [],
  content: { digest: "d" },
} as const;

const steps = fc.array(
  fc.record({
    machine: fc.nat(1),
    does: fc.constantFrom("append", "append", "read", "roll back", "accept"),
    kept: fc.nat(3),
  }),
  { minLength: 4, maxLength: 12, size: "max" },
);
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Whether each machine is stopped exactly where the journal lacks its last entry. */
async function holds(given: Steps, change: (memory: MachineMemory) => MachineMemory): Promise<boolean> {
  const random = createRandom();
  const system = { clock: createClock(), random, signal: new AbortController().signal };
  let sequences = createMemorySequences();
  const entries = async () => (await sequences.open(name).read(0)).entries;
  const machines = [0, 1].map(() => {
    const deps = { files, system: { random, user: process.getuid?.() } };
    return {
      memory: change(openMachineMemory(deps, join(temporaryFolder(), "s"), "j")),
      seen: [] as string[],
    };
  });
  for (const { does, kept, machine } of given) {
    const own = machines[machine] as (typeof machines)[number];
    if (does === "roll back") {
      const left = (await entries()).slice(0, kept);
      sequences = createMemorySequences();
      for (const [number, entry] of left.entries()) await sequences.open(name).append(number, entry);
      continue;
    }
    if (does === "accept") {
      own.memory.accept();
      own.seen = [];
      continue;
    }
    const there = (await entries()).map(({ writer }) => writer);
    const isRolledBack = own.seen.length > 0 && there[own.seen.length - 1] !== own.seen.at(-1);
    const journal = createJournal({ system, sequences, memory: own.memory, writer: random.guid });
    const isStopped = await journal
      .read({ ...service, id: "one" })
      .then((log) => (does === "append" ? journal.append(log, event) : undefined))
      .then(
        () => false,
        (error: unknown) => error instanceof Failure && error.kind === "uncertain",
      );
    if (isStopped !== isRolledBack) return false;
    if (!isStopped) own.seen = (await entries()).map(({ writer }) => writer);
  }
  return true;
}

const find = (change: (memory: MachineMemory) => MachineMemory) =>
  fc.check(
    fc.asyncProperty(steps, (given) => holds(given, change)),
    { numRuns: 60, endOnFailure: true },
  );

it("a machine appends to a journal that was rolled back only once a person accepts it", async () => {
  expect((await find((memory) => memory)).counterexample).toBeNull();
});

it.each<[string, (memory: MachineMemory) => MachineMemory]>([
  ["nothing is remembered", (memory) => ({ ...memory, remember: () => undefined })],
  ["the memory is not asked", (memory) => ({ ...memory, last: () => undefined })],
])("a mistake is found: %s", async (_, change) => {
  expect((await find(change)).failed).toBe(true);
});
