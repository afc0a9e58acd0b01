import { describe, expect, it } from "vitest";
import { Failure } from "../../../src/failure.ts";
import type { EventStore } from "../../../src/journal/event-store.ts";
import type { OperationEvent } from "../../../src/journal/events.ts";
import { copyLogs } from "../../../src/journal/fleet/copy-logs.ts";
import { withRedactedEvents } from "../../../src/journal/fleet/redact-events.ts";
import { createJournal, operationName } from "../../../src/journal/journal.ts";
import { requestOf } from "../../delivery/in-memory/deliveries.ts";
import { access, numberedId } from "../../harness/builders.ts";
import { createClock, createRandom } from "../../harness/incident.ts";
import { createMemoryStore } from "../open-stores.ts";

const at = "2026-11-20T06:31:00.000Z";
const clock = createClock();
const { content } = requestOf();

const sending: OperationEvent = {
  type: "sending",
  at,
  withId: true,
  deadline: 1000,
  content,
};
const uncertain = (attempt: number): OperationEvent => ({
  type: "uncertain",
  at,
  attempt,
  reason: "no answer",
});
const unsent: OperationEvent = { type: "unsent", at, attempt: 0, reason: "refused" };
const created: OperationEvent = { type: "created", at, by: "answer", serviceId: numberedId(900) };

const keyOf = (number: number) => ({
  baseUrl: access.baseUrl,
  account: access.accountId,
  id: numberedId(number),
});
const nameOf = (number: number) => operationName(keyOf(number));

/** A store in memory that knows which logs are unsettled, as one that machines share does. */
function openStore() {
  const memory = createMemoryStore();
  const unsettled = new Set<string>();
  const store: EventStore = {
    ...memory,
    append: async (appends) => {
      for (const { isUnsettled, log } of appends) {
        if (isUnsettled) unsettled.add(log);
        else unsettled.delete(log);
      }
      return memory.append(appends);
    },
    read: async (log) => structuredClone(await memory.read(log)),
    unsettled: async () => [...unsettled],
  };
  const journal = createJournal({ store, writer: createRandom().guid, clock });
  const write = async (number: number, ...events: readonly OperationEvent[]) => {
    for (const event of events) await journal.append(await journal.read(keyOf(number)), event);
  };
  const all = async () => {
    const names = [...(await store.newest(Number.POSITIVE_INFINITY)), ...(await store.logs("claim-"))];
    return Promise.all(names.map(async (name) => [name, await store.read(name)] as const));
  };
  return { all, store, write };
}

const copy = (from: EventStore, to: EventStore) => copyLogs({ clock }, from, to);

/** A claim that an operation is named by. */
const claim = (log: string, writer = "claimer") => ({
  log,
  number: 0,
  event: { writer, claim: keyOf(1) },
  isUnsettled: false,
});

describe("a copy of a journal", () => {
  it("has each log with its order, its claims, and what is unsettled", async () => {
    const [from, to] = [openStore(), openStore()];
    await from.write(3, sending, uncertain(0));
    await from.write(1, sending, created);
    await from.write(2, sending, unsent);
    await from.store.append([claim("claim-a"), claim("claim-b")]);
    expect(await copy(from.store, to.store)).toEqual({ copied: 3, unchanged: 0, conflicts: [] });
    expect(await to.all()).toEqual(await from.all());
    expect(await to.store.newest(2)).toEqual([nameOf(2), nameOf(1)]);
    expect(await to.store.unsettled()).toEqual([nameOf(3)]);
    expect(await copy(from.store, to.store)).toEqual({ copied: 0, unchanged: 3, conflicts: [] });
  });

  it("has every log of many", async () => {
    const [from, to] = [openStore(), openStore()];
    for (let number = 1; number <= 130; number += 1) await from.write(number, sending, created);
    expect(await copy(from.store, to.store)).toEqual({ copied: 130, unchanged: 0, conflicts: [] });
    expect(await to.all()).toEqual(await from.all());
  });

  it("completes a log that an interrupted copy left unsettled", async () => {
    const [from, to] = [openStore(), openStore()];
    await from.write(1, sending, created);
    let appends = 0;
    const failing: EventStore = {
      ...to.store,
      append: async (events) => {
        appends += 1;
        if (appends === 2) throw new Failure("unavailable", "no route to the host", { hint: "run it again" });
        return to.store.append(events);
      },
    };
    await expect(copy(from.store, failing)).rejects.toThrow("no route to the host");
    expect(await to.store.unsettled()).toEqual([nameOf(1)]);
    expect(await copy(from.store, to.store)).toEqual({ copied: 1, unchanged: 0, conflicts: [] });
    expect(await to.all()).toEqual(await from.all());
    expect(await to.store.unsettled()).toEqual([]);
  });

  it("takes the event that another copy appends at the same time for its own", async () => {
    const [from, to] = [openStore(), openStore()];
    await from.write(1, sending, created);
    const racing: EventStore = {
      ...to.store,
      append: async (events) => {
        await to.store.append(events);
        return to.store.append(events);
      },
    };
    expect(await copy(from.store, racing)).toEqual({ copied: 1, unchanged: 0, conflicts: [] });
    expect(await to.all()).toEqual(await from.all());
  });

  it("leaves a log that went on in the other journal", async () => {
    const [from, to] = [openStore(), openStore()];
    await from.write(1, sending, uncertain(0));
    await copy(from.store, to.store);
    await to.write(1, created);
    const before = await to.all();
    expect(await copy(from.store, to.store)).toEqual({ copied: 0, unchanged: 1, conflicts: [] });
    expect(await to.all()).toEqual(before);
  });

  it("names a log that went on in both journals, by its id or as a claim, and changes neither", async () => {
    const [from, to] = [openStore(), openStore()];
    await from.write(1, sending, uncertain(0));
    await from.write(2, sending);
    await copy(from.store, to.store);
    await from.write(1, created);
    await to.write(1, { ...created, serviceId: numberedId(901) });
    await from.store.append([claim("claim-a", "one"), claim("claim-b", "one")]);
    await to.store.append([claim("claim-a", "other")]);
    const before = await to.all();
    expect(await copy(from.store, to.store)).toEqual({
      copied: 0,
      unchanged: 1,
      conflicts: [numberedId(1), "claim-a"],
    });
    expect(await to.all()).toEqual([
      ...before,
      ["claim-b", { first: 0, events: [claim("claim-b", "one").event] }],
    ]);
  });

  it("is the same log where the other journal keeps it in another order", async () => {
    const [from, to] = [openStore(), openStore()];
    await from.write(1, sending, uncertain(0));
    const reversed = (value: unknown): unknown =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, field]) => [name, reversed(field)]),
          )
        : value;
    const shared: EventStore = {
      ...withRedactedEvents(to.store),
      read: async (log) => {
        const { events, first } = await to.store.read(log);
        return { first, events: events.map((event) => reversed(event) as typeof event) };
      },
    };
    expect(await copy(from.store, shared)).toEqual({ copied: 1, unchanged: 0, conflicts: [] });
    expect(await copy(from.store, shared)).toEqual({ copied: 0, unchanged: 1, conflicts: [] });
  });
});
