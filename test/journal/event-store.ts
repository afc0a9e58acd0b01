// The conformance suite of event stores: what every store guarantees, whatever engine it uses. Two handles on the same
// place stand for two processes.
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Append, AppendResult, EventStore, StoredLog } from "../../src/journal/event-store.ts";
import { checkHistory } from "../delivery/histories/check-history.ts";
import { createHistory } from "../delivery/histories/history.ts";

export interface StoreUnderTest {
  /** A handle of another process on the place of this test. */
  open(): EventStore | Promise<EventStore>;
  /** Whether another process sees what one has appended: not in memory. */
  readonly isShared: boolean;
  /** How many compete for a number; 8 by default. */
  readonly writers?: number;
}

const log = "op-0123456789abcdef";
const other = "op-fedcba9876543210";

export function appendOf(number: number, writer: string, fields: Partial<Append> = {}): Append {
  return { log, number, event: { writer, step: number }, isUnsettled: false, ...fields };
}

const writersOf = ({ events }: StoredLog) => events.map(({ writer }) => writer);

/** `createPlace` gives a fresh place for each test. The history of each test is checked as well. */
export function describeEventStore(name: string, createPlace: () => StoreUnderTest): void {
  describe(`the event store: ${name}`, () => {
    let history = createHistory();
    let isPlaceShared = true;
    const create = (): StoreUnderTest => {
      const { open, ...place } = createPlace();
      history = createHistory();
      isPlaceShared = place.isShared;
      return { ...place, open: async () => history.record(await open(), "a process") };
    };
    afterEach(() => {
      const calls = history.calls();
      if (isPlaceShared) expect(calls).not.toEqual([]);
      // What one process keeps in memory, no other one has to list.
      const checked = isPlaceShared ? calls : calls.filter((call) => call.do !== "unsettled");
      expect(checkHistory(checked).violations).toEqual([]);
    });

    it("has no event of a log that nobody wrote", async () => {
      const store = await create().open();
      expect(await store.read(log)).toEqual({ first: 0, events: [] });
      expect(await store.unsettled()).toEqual([]);
      expect(await store.logs("op-")).toEqual([]);
    });

    it("gives the events back in their order, with every field", async () => {
      const store = await create().open();
      const event = { writer: "a", text: 'é " \\ \n\u2028', nested: { list: [1, null, true] } };
      expect(await store.append([appendOf(0, "a", { event })])).toEqual(["ours"]);
      expect(await store.append([appendOf(1, "b")])).toEqual(["ours"]);
      expect(await store.read(log)).toEqual({ first: 0, events: [event, { writer: "b", step: 1 }] });
    });

    it("keeps logs apart, and lists them by their prefix", async () => {
      const store = await create().open();
      const claim = { log: "claim-1" };
      const results = await store.append([
        appendOf(0, "a"),
        appendOf(0, "b", { log: other }),
        appendOf(0, "c", claim),
      ]);
      expect(results).toEqual(["ours", "ours", "ours"]);
      expect(await store.logs("op-")).toEqual([log, other]);
      expect(await store.logs("claim-")).toEqual(["claim-1"]);
      expect(writersOf(await store.read(other))).toEqual(["b"]);
    });

    it("finds the operations with an id, the one that was sent or the service's own, where it has an index", async () => {
      const { isShared, open } = create();
      const store = await open();
      // A store without an index reads its logs.
      await store.append([appendOf(0, "a", { log: "claim-1" })]);
      if (store.find === undefined) return;
      const longId = `s-3 \u0000 é \ud800 ${"x".repeat(9000)}`;
      const find = async (handle: EventStore) =>
        Promise.all(["id-1", "id-2", "s-1", longId].map(async (id) => (await handle.find?.(id))?.toSorted()));
      const begin = (id: string, name: string) =>
        appendOf(0, "a", { log: name, event: { writer: "a", key: { id }, event: { type: "sending" } } });
      const end = (id: string, serviceId: string, name = log) => {
        const event = { writer: "b", key: { id }, event: { type: "created", serviceId } };
        return appendOf(1, "b", { log: name, event });
      };
      await store.append([begin("id-1", log)]);
      expect(await find(store)).toEqual([[log], [], [], []]);
      const late = isShared ? await open() : store;
      await late.append([end("id-1", "S-1"), begin("id-2", other)]);
      expect(await find(store)).toEqual([[log], [other], [log], []]);
      await store.append([end("id-2", longId, other)]);
      await store.sweep(Number.MAX_SAFE_INTEGER);
      for (const handle of [store, late])
        expect(await find(handle)).toEqual([[log], [other], [log], [other]]);
    });

    it("answers each of several appends for itself, in their order", async () => {
      const store = await create().open();
      await store.append([appendOf(0, "a")]);
      expect(
        await store.append([appendOf(0, "b"), appendOf(0, "b", { log: other }), appendOf(1, "b")]),
      ).toEqual(["taken", "ours", "ours"]);
    });

    it("takes one event for each number", async () => {
      const store = await create().open();
      expect(await store.append([appendOf(0, "a"), appendOf(0, "b")])).toEqual(["ours", "taken"]);
      expect(await store.append([appendOf(0, "a")])).toEqual(["taken"]);
      expect(writersOf(await store.read(log))).toEqual(["a"]);
    });

    it("lets one of many concurrent appends win", async () => {
      const { isShared, open, writers: count = 8 } = create();
      const one = await open();
      for (let number = 0; number < 3; number += 1) {
        const writers = Array.from({ length: count }, (_, index) => `writer-${index}`);
        const results = await Promise.all(
          writers.map(
            async (writer) => (await (isShared ? await open() : one).append([appendOf(number, writer)]))[0],
          ),
        );
        expect(results.filter((result) => result === "ours")).toHaveLength(1);
        const { events } = await one.read(log);
        expect(events).toHaveLength(number + 1);
        expect(events.at(-1)?.writer).toBe(writers[results.indexOf("ours")]);
      }
    });

    it("lists a log as unsettled while its last event says so", async () => {
      const { isShared, open } = create();
      if (!isShared) return;
      const store = await open();
      await store.append([appendOf(0, "a", { isUnsettled: true })]);
      expect(await (await open()).unsettled()).toEqual([log]);
      await store.append([appendOf(1, "a", { isUnsettled: true })]);
      expect(await (await open()).unsettled()).toEqual([log]);
      // Taken: it settles nothing.
      await (await open()).append([appendOf(1, "b")]);
      expect(await (await open()).unsettled()).toEqual([log]);
      await store.append([appendOf(2, "a")]);
      expect(await (await open()).unsettled()).toEqual([]);
    });

    it("lists a log that another process settled between the list that was read and the next event", async () => {
      const { isShared, open } = create();
      if (!isShared) return;
      const [one, other] = [await open(), await open()];
      await one.append([appendOf(0, "a", { isUnsettled: true })]);
      expect(await other.unsettled()).toEqual([log]);
      await one.append([appendOf(1, "a")]);
      await other.read(log);
      expect(await other.append([appendOf(2, "b", { isUnsettled: true })])).toEqual(["ours"]);
      expect(await (await open()).unsettled()).toEqual([log]);
    });

    it("gives the newest logs of operations first, whatever was appended or pruned since", async () => {
      const store = await create().open();
      const names = ["op-9", "op-1", "op-5"];
      for (const each of names) {
        // git knows the second of a commit; within one second, the order is free.
        await delay(1001);
        await store.append([appendOf(0, "a", { log: each })]);
        await store.append([appendOf(0, "a", { log: each.replace("op", "claim") })]);
        await store.append([appendOf(1, "b", { log: each })]);
      }
      expect(await store.newest(2)).toEqual(["op-5", "op-1"]);
      expect(await store.newest(9)).toEqual(["op-5", "op-1", "op-9"]);
      expect([...(await store.newest(Number.POSITIVE_INFINITY))].sort()).toEqual(names.toSorted());
    });

    it("sweeps nothing that belongs to a log", async () => {
      const store = await create().open();
      await store.append([appendOf(0, "a", { isUnsettled: true })]);
      const unsettled = await store.unsettled();
      await store.sweep(Number.MAX_SAFE_INTEGER);
      expect(writersOf(await store.read(log))).toEqual(["a"]);
      expect(await store.unsettled()).toEqual(unsettled);
    });
  });
}

/** What must hold of a log after any interleaving: contiguous, and each `ours` is in it or was pruned. */
export function checkLog(
  { events, first }: StoredLog,
  appended: readonly (readonly [Append, AppendResult])[],
  place: string,
): void {
  const numbers = new Map<number, number>();
  for (const [{ event, number }, result] of appended) {
    if (result === "ours") numbers.set(number, (numbers.get(number) ?? 0) + 1);
    const found = events[number - first];
    if (result === "ours" && number >= first) expect(found, place).toMatchObject({ writer: event.writer });
    if (result === "taken") expect(found?.writer, place).not.toBe(event.writer);
  }
  for (const [number, winners] of numbers) expect(winners, `${place}, number ${number}`).toBe(1);
}
