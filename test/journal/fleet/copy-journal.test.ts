import { describe, expect, it } from "vitest";
import type { OperationEvent } from "../../../src/journal/events.ts";
import { copyJournal } from "../../../src/journal/fleet/copy-journal.ts";
import type { MachineMemory } from "../../../src/journal/fleet/machine-memory.ts";
import type { Origin } from "../../../src/journal/fleet/origin.ts";
import { foldEvents, shortened } from "../../../src/journal/fold.ts";
import { createJournal, type Journal } from "../../../src/journal/journal.ts";
import { claimedFor, operationIn, unsettled } from "../../../src/journal/model.ts";
import { failingFrom, requestOf } from "../../delivery/in-memory/deliveries.ts";
import { access, numberedId } from "../../harness/builders.ts";
import { createClock } from "../../harness/incident.ts";
import { createMemorySequences } from "../memory-sequences.ts";

const at = "2026-11-20T06:31:00.000Z";
const random = { guid: () => crypto.randomUUID(), fraction: () => 0 };
const { content } = requestOf();
const service = { baseUrl: access.baseUrl, account: access.accountId };
const sending: OperationEvent = { type: "sending", at, withId: true, deadline: 1000, content };
const uncertain: OperationEvent = { type: "uncertain", at, attempt: 0, reason: "no answer" };
const unsent: OperationEvent = { type: "unsent", at, attempt: 0, reason: "refused" };
const created: OperationEvent = { type: "created", at, by: "answer", serviceId: numberedId(900) };

/** Of a machine that has seen nothing. */
const shared = { last: () => undefined, names: () => [], remember: () => undefined, accept: () => 0 };

function openMemory(memory?: MachineMemory, origin?: Origin) {
  const journal = createJournal({
    origin,
    sequences: createMemorySequences(),
    system: { clock: createClock(), random, signal: new AbortController().signal },
    memory,
  });
  const write = async (number: number, ...events: readonly OperationEvent[]) => {
    const key = { ...service, id: numberedId(number) };
    for (const event of events) await journal.append(await journal.read(key), event);
  };
  const all = async () => {
    const model = await journal.model(service);
    return [...model.operations.keys()].map((id) => operationIn(model, { ...service, id }));
  };
  return { all, journal, write };
}

const done = (copied: number, unchanged: number, conflicts: readonly string[] = []) => ({
  copied,
  unchanged,
  conflicts,
});

describe("a copy of a journal", () => {
  it("has each operation in its order, its claims, and what is unsettled", async () => {
    const [from, to] = [openMemory(), openMemory()];
    await from.write(3, sending, uncertain);
    await from.write(1, { ...sending, claim: 1 }, created);
    await from.write(2, sending, unsent);
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(3, 0));
    expect(await to.all()).toEqual(await from.all());
    const model = await to.journal.model(service);
    expect(unsettled(model).map(({ key }) => key.id)).toEqual([numberedId(3)]);
    expect(claimedFor(model, content.digest, 1)?.key.id).toBe(numberedId(1));
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(0, 3));
  });

  it("has the updates of an incident that was declared again under its id", async () => {
    const [from, to] = [openMemory(), openMemory()];
    const change = { kind: "update", incidentId: numberedId(1), notify: false } as const;
    const posting: OperationEvent = { ...sending, content: { change, digest: "d" } };
    await from.write(1, sending, uncertain, created);
    await from.write(2, posting, created);
    await from.write(1, { type: "not-created", at }, sending, created);
    await from.write(2, posting, created);
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(2, 0));
    expect(await to.all()).toEqual(await from.all());
    expect((await to.all()).map(({ next }) => next)).toEqual([6, 5]);
  });

  it("knows a shortened operation again, which names nobody", async () => {
    const [from, to] = [openMemory(), openMemory(shared, { actor: "copier", version: "1" })];
    const log = foldEvents({ ...service, id: numberedId(1) }, 0, [sending, created]);
    const short = JSON.parse(JSON.stringify(shortened(log))) as readonly OperationEvent[];
    await from.write(1, ...short);
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(1, 0));
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(0, 1));
  });

  it("has every operation of many", async () => {
    const [from, to] = [openMemory(), openMemory()];
    for (let number = 1; number <= 130; number += 1) await from.write(number, sending, created);
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(130, 0));
    expect(await to.all()).toEqual(await from.all());
  });

  it("completes an operation that an interrupted copy left unsettled", async () => {
    const [from, to] = [openMemory(), openMemory()];
    await from.write(1, sending, created);
    await expect(copyJournal(from.journal, failingFrom(2)(to.journal))).rejects.toThrow("the disk is full");
    expect((await to.all())[0]?.state).toBe("sending");
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(1, 0));
    expect(await to.all()).toEqual(await from.all());
  });

  it("takes the event that another copy appends at the same time for its own", async () => {
    const [from, to] = [openMemory(), openMemory()];
    await from.write(1, sending, created);
    const racing: Journal = {
      ...to.journal,
      append: async (...args) => {
        await to.journal.append(...args);
        return to.journal.append(...args);
      },
    };
    expect((await copyJournal(from.journal, racing)).conflicts).toEqual([]);
    expect(await to.all()).toEqual(await from.all());
  });

  it("leaves an operation that went on in the other journal", async () => {
    const [from, to] = [openMemory(), openMemory()];
    await from.write(1, sending, uncertain);
    await copyJournal(from.journal, to.journal);
    await to.write(1, created);
    const before = await to.all();
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(0, 1));
    expect(await to.all()).toEqual(before);
  });

  it("names an operation that went on in both journals, and changes neither", async () => {
    const [from, to] = [openMemory(), openMemory()];
    await from.write(1, sending, uncertain);
    await from.write(2, sending);
    await copyJournal(from.journal, to.journal);
    await from.write(1, created);
    await to.write(1, { ...created, serviceId: numberedId(901) });
    const before = await to.all();
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(0, 1, [numberedId(1)]));
    expect(await to.all()).toEqual(before);
  });

  it("knows an operation again in a journal without texts", async () => {
    const [from, to] = [openMemory(), openMemory(shared)];
    await from.write(1, sending, uncertain);
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(1, 0));
    expect(await copyJournal(from.journal, to.journal)).toEqual(done(0, 1));
  });
});
