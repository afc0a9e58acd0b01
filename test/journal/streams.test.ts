// The journal over sequences in memory: how an append is made sure of, what `still` decides, which appends share an entry,
// when a sequence is shortened, and what an entry that cannot be read stops.
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Failure } from "../../src/failure.ts";
import type { OperationEvent } from "../../src/journal/events.ts";
import { createJournal, type JournalDeps, sequenceName } from "../../src/journal/journal.ts";
import { findById, type Model, newest, operationIn, unsettled } from "../../src/journal/model.ts";
import type { Entry, Sequence, Sequences, Tail } from "../../src/journal/sequence.ts";
import { at, requestOf } from "../delivery/in-memory/deliveries.ts";
import { access, numberedId } from "../harness/builders.ts";
import { createClock } from "../harness/incident.ts";
import { createMemorySequences, withChanges } from "./memory-sequences.ts";

const service = { baseUrl: access.baseUrl, account: access.accountId };
const elsewhere = { ...service, account: "another" };
const name = sequenceName(service);
const keyOf = (number: number) => ({ ...service, id: numberedId(number) });
const { content } = requestOf();
const sending = { type: "sending", at, withId: true, deadline: 1000, content } as const;
const created = (serviceId = "an id"): OperationEvent => ({ type: "created", at, by: "answer", serviceId });
const refusing = (retryable: boolean) =>
  new Failure("unavailable", "no route to the host", { hint: "check it", retryable });

/** Each entry has a writer of its own, also of another process. */
let writers = 0;

/** A process with the journal in these sequences. */
function openProcess(sequences: Sequences, more: Partial<JournalDeps> = {}) {
  const pauses: number[] = [];
  const clock = { ...createClock(), sleep: async (milliseconds: number) => void pauses.push(milliseconds) };
  const random = { guid: () => `w${++writers}`, fraction: () => 0 };
  const system = { random, signal: new AbortController().signal, ...more.system, clock };
  const journal = createJournal({ sequences, ...more, system });
  const write = async (number: number, ...events: readonly OperationEvent[]) => {
    for (const event of events) await journal.append(await journal.read(keyOf(number)), event);
  };
  return { journal, pauses, write };
}

/** Sequences that are all this one. */
const only = (sequence: Partial<Sequence>): Sequences => ({
  ...withChanges(createMemorySequences(), () => sequence),
  names: async () => [name],
});

describe("an append", () => {
  const entry = (writer: string): Entry => ({
    writer,
    journal: 3,
    readBy: "0.4.0",
    at: 0,
    service,
    events: [{ id: numberedId(9), event: sending }],
  });
  const has = (first: number, ...own: readonly string[]): Tail => ({ first, entries: own.map(entry) });
  const begins = has(0, "other", "other2");
  const end = has(1, "other2");
  const third = has(1, "other2", "third");

  /** The answers of the sequence, one after the other: to appends and to readings. The journal is read before. */
  async function appendWith(answers: readonly unknown[], { isStopped = false } = {}) {
    const left = [begins, ...answers];
    const appended: (readonly [number, string])[] = [];
    const next = async () => {
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer as never;
    };
    const sequences = only({
      append: (number, { writer }) => {
        appended.push([number, writer]);
        return next();
      },
      read: next,
      place: (number) => `entry ${number}`,
    });
    const signal = isStopped ? AbortSignal.abort() : new AbortController().signal;
    const random = { guid: () => "mine" };
    const { journal, pauses } = openProcess(sequences, { system: { random, signal } as never });
    const log = await journal.read(keyOf(1));
    const is = await journal.append(log, sending).then(
      ({ result }) => result,
      ({ kind, message, retryable }: Failure) => ({ kind, message, retryable }),
    );
    return { is, pauses, left: left.length, numbers: appended.map(([number]) => number) };
  }

  it.each<[string, readonly unknown[], readonly number[], readonly number[]]>([
    ["that is ours", ["ours"], [], [2]],
    ["that another process takes", ["taken", third, "ours"], [], [2, 3]],
    ["that is there without an answer", [refusing(true), has(1, "other2", "mine")], [], [2]],
    ["that is there after a refusal", [refusing(false), has(1, "other2", "mine")], [], [2]],
    ["whose number has another entry", [refusing(true), third, "ours"], [], [2, 3]],
    ["refused where another is", [refusing(false), third, "ours"], [], [2, 3]],
    ["that succeeds the second time", [refusing(true), end, "ours"], [100], [2, 2]],
    ["that arrives late", [refusing(true), end, "taken", has(1, "other2", "mine")], [100], [2, 2]],
    ["that arrives too late", [refusing(true), end, "taken", third, "ours"], [100], [2, 2, 3]],
    ["whose reading fails once", [refusing(true), refusing(true), "ours"], [100], [2, 2]],
    ["that is taken, and shown a moment later", ["taken", end, third, "ours"], [100], [2, 3]],
  ])("%s is settled", async (_, answers, pauses, numbers) => {
    expect(await appendWith(answers)).toEqual({ is: "ours", pauses, left: 0, numbers });
  });

  const everyPause = [100, 500, 2000, 5000, 10_000, 10_000];
  const away = (retryable: boolean) => ({ kind: "unavailable", message: "no route to the host", retryable });

  it.each<[string, readonly unknown[], boolean, object, readonly number[]]>([
    ["the store is away", Array.from({ length: 14 }, () => refusing(true)), false, away(true), everyPause],
    ["the store refuses the entry", [refusing(false), end], false, away(false), []],
    ["the store refuses a reading", [refusing(true), refusing(false)], false, away(false), []],
    ["the code has a fault", [new TypeError("a fault"), end], false, { message: "a fault" }, []],
    [
      "the store never says",
      Array.from({ length: 7 }, () => [refusing(true), end] as const).flat(),
      false,
      away(true),
      everyPause,
    ],
    [
      "the process is stopped",
      [refusing(true), end],
      true,
      { kind: "interrupted", message: "cancelled by Ctrl-C", retryable: false },
      [],
    ],
    [
      "the store contradicts itself",
      ["taken", end, end, end, end],
      false,
      { kind: "unavailable", message: expect.stringContaining("its entry 2 is taken, and not shown") },
      [100, 500, 2000],
    ],
  ])("ends with a failure where %s", async (_, answers, isStopped, failure, pauses) => {
    expect(await appendWith(answers, { isStopped })).toMatchObject({ is: failure, pauses, left: 0 });
  });

  it("ends after two hundred entries of others in its place", async () => {
    let count = 0;
    const entries: Entry[] = [];
    const sequences = only({
      append: async () => {
        count += 1;
        if (count > 1000) throw new Error("endless");
        entries.push({ ...entry(`x${count}`), events: [] });
        return "taken";
      },
      read: async (from) => ({ first: from, entries: entries.slice(from) }),
    });
    const { journal } = openProcess(sequences);
    const log = await journal.read(keyOf(1));
    await expect(journal.append(log, sending)).rejects.toThrow("took none of 200 entries");
    expect(count).toBe(200);
  });
});

describe("an append of several processes", () => {
  it("is lost to the one that took the step, with the operation as it is now", async () => {
    const sequences = createMemorySequences();
    const [one, other] = [openProcess(sequences), openProcess(sequences)];
    const log = await one.journal.read(keyOf(1));
    await other.write(1, sending, created());
    expect(await one.journal.append(log, sending)).toMatchObject({
      result: "lost",
      log: { state: "created", next: 2 },
    });
  });

  it("goes on after the steps of others in other operations", async () => {
    const sequences = createMemorySequences();
    const [one, other] = [openProcess(sequences), openProcess(sequences)];
    const log = await one.journal.read(keyOf(1));
    await other.write(2, sending, created());
    expect(await one.journal.append(log, sending)).toMatchObject({ result: "ours", log: { next: 1 } });
    expect((await other.journal.read(keyOf(1))).state).toBe("sending");
  });

  it("asks `still` of the model that the entry follows, again after each entry of another", async () => {
    const sequences = createMemorySequences();
    const [one, other] = [openProcess(sequences), openProcess(sequences)];
    const log = await one.journal.read(keyOf(1));
    await other.write(2, sending);
    const asked: number[] = [];
    const { result } = await one.journal.append(log, sending, (model) => {
      asked.push(unsettled(model).length);
      return unsettled(model).length === 0;
    });
    expect([result, asked]).toEqual(["lost", [0, 1]]);
  });
});

describe("appends of one process at the same time", () => {
  it("share an entry, each after those before it, and lose each for itself", async () => {
    const sequences = createMemorySequences();
    const { journal } = openProcess(sequences);
    const [one, two] = [await journal.read(keyOf(1)), await journal.read(keyOf(2))];
    const results = await Promise.all([one, two, one].map((log) => journal.append(log, sending)));
    expect(results.map(({ result }) => result)).toEqual(["ours", "ours", "lost"]);
    const { entries } = await sequences.open(name).read(0);
    expect(entries.map(({ events }) => (events as unknown[]).length)).toEqual([2]);
  });

  it("copy the model once, however many they are", async () => {
    const { journal } = openProcess(createMemorySequences());
    const seen = new Set<unknown>();
    const still = ({ operations }: Model) => Boolean(seen.add(operations));
    const log = await journal.read(keyOf(1));
    await Promise.all(Array.from({ length: 50 }, () => journal.append(log, sending, still)));
    expect(seen.size).toBe(1);
    expect((await journal.read(keyOf(1))).events).toHaveLength(50);
  });
});

it("an entry says who wrote it, and which version reads it", async () => {
  const sequences = createMemorySequences();
  const { write } = openProcess(sequences);
  await write(1, sending, created());
  const [first] = (await sequences.open(name).read(0)).entries;
  const events = [{ id: numberedId(1), event: sending }];
  const format = {
    writer: expect.stringMatching(/^w\d+$/),
    journal: 3,
    readBy: "0.4.0",
    at: expect.any(Number),
  };
  expect(first).toEqual({ ...format, service, events });
});

it("an operation does not begin without its content", async () => {
  const { journal } = openProcess(createMemorySequences());
  const append = journal.append(await journal.read(keyOf(1)), { type: "not-created", at });
  await expect(append).rejects.toThrow("it does not begin with its content");
});

describe("a long sequence", () => {
  it("is replaced by a snapshot that says the same, and goes on", async () => {
    const memory = createMemorySequences();
    const dropped: number[] = [];
    const drop = async (number: number) => void dropped.push(number);
    const sequences = withChanges(memory, () => ({ mayDrop: () => true, drop }));
    const [one, late] = [openProcess(sequences), openProcess(sequences)];
    for (let number = 1; number <= 129; number += 1) await one.write(number, sending, created(`s-${number}`));
    await late.write(130, sending);
    await one.journal.shorten();
    expect(dropped).toEqual([259]);
    await one.journal.shorten();
    expect(dropped).toEqual([259]);
    await late.write(131, sending);
    const { entries } = await memory.open(name).read(259);
    const short = openProcess(only({ read: async () => ({ first: 259, entries }) }));
    for (const { journal } of [one, late, short]) {
      const model = await journal.model(service);
      expect([...newest(model)]).toHaveLength(131);
      expect(unsettled(model).map(({ key }) => key.id)).toEqual([130, 131].map(numberedId));
      expect(findById(model, "S-7")).toMatchObject([{ key: keyOf(7) }]);
    }
  });

  it.each([
    ["stays without a word where the store does not take the snapshot now", refusing(true), "shortened"],
    ["is told where the store refuses the snapshot", refusing(false), "no route to the host"],
  ])("%s", async (_, failure, end) => {
    const memory = createMemorySequences();
    const sequences = withChanges(memory, ({ append }) => ({
      mayDrop: () => true,
      append: async (at, entry) => {
        if (entry.snapshot !== undefined) throw failure;
        return append(at, entry);
      },
    }));
    const { journal, write } = openProcess(sequences);
    for (let number = 1; number <= 130; number += 1) await write(number, sending, created());
    const shortened = journal.shorten().then(() => "shortened");
    expect(await shortened.catch(({ message }) => message)).toBe(end);
    expect((await memory.open(name).read(0)).entries).toHaveLength(260);
  });

  it("stays where this machine may not drop its entries", async () => {
    const sequences = createMemorySequences();
    const { journal, write } = openProcess(sequences);
    for (let number = 1; number <= 130; number += 1) await write(number, sending, created());
    await journal.shorten();
    expect((await sequences.open(name).read(0)).entries).toHaveLength(260);
  });
});

describe("an entry that cannot be read", () => {
  /** A journal of two services, whose entry of the first is changed. */
  async function openChanged(change: (entry: Entry) => object) {
    const memory = createMemorySequences();
    const { journal, write } = openProcess(memory);
    await write(1, sending);
    await journal.append(await journal.read({ ...elsewhere, id: numberedId(2) }), sending);
    const changed = withChanges(memory, ({ read }, own) => ({
      async read(from) {
        const { entries, first } = await read(from);
        if (own !== name) return { first, entries };
        return { first, entries: entries.map((each) => ({ ...each, ...change(each) }) as Entry) };
      },
    }));
    return openProcess(changed).journal;
  }

  it("stops its service and account, and no other", async () => {
    const journal = await openChanged(() => ({ journal: 4, readBy: "9.1.0" }));
    const message = "the journal's entry 0 in memory needs incident 9.1.0 or later";
    await expect(journal.model(service)).rejects.toThrow(message);
    await expect(
      journal.append(operationIn(await journal.model(elsewhere), { ...service, id: "x" }), sending),
    ).rejects.toThrow(message);
    const { broken, models } = await journal.models();
    expect(broken).toMatchObject([{ message }]);
    expect(models.flatMap((model) => [...newest(model)])).toMatchObject([{ key: elsewhere }]);
  });

  it("is told from a store that is away", async () => {
    const { journal } = openProcess(
      only({
        read: async () => {
          throw refusing(true);
        },
      }),
    );
    await expect(journal.models()).rejects.toThrow("no route to the host");
  });
});

it("all sequences are read one after the other: an engine does one thing at a time", async () => {
  const steps: string[] = [];
  const names = ["a0", "b0", "c0"];
  const sequences = withChanges(createMemorySequences(), (_, name) => ({
    async read(from) {
      steps.push(`${name} begins`);
      await setImmediate();
      steps.push(`${name} ends`);
      return { first: from, entries: [] };
    },
  }));
  await openProcess({ ...sequences, names: async () => names }).journal.models();
  expect(steps).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

it("a shared journal gets no text for customers, and the origin of each event", async () => {
  const sequences = createMemorySequences();
  const memory = { last: () => undefined, names: () => [], remember: () => undefined, accept: () => 0 };
  const { write } = openProcess(sequences, { memory, origin: { host: "runner-1" } });
  await write(1, sending);
  const [entry] = (await sequences.open(name).read(0)).entries;
  expect(JSON.stringify(entry)).toContain('"origin":{"host":"runner-1"}');
  expect(JSON.stringify(entry)).not.toContain("looking");
});
