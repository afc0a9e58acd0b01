// A store that contradicts itself: every loop over its answers ends, and nothing is decided from what it lost.
import fc from "fast-check";
import { expect, it } from "vitest";
import { createClaims } from "../../src/journal/claims.ts";
import { withConsistentReads } from "../../src/journal/consistent-store.ts";
import type { AppendResult, EventStore } from "../../src/journal/event-store.ts";
import { copyLogs } from "../../src/journal/fleet/copy-logs.ts";
import { createJournal, operationName } from "../../src/journal/journal.ts";
import { createMemoryStore } from "../../src/journal/memory-store.ts";
import { createClock } from "../harness/incident.ts";
import { appendOf } from "./event-store.ts";

const service = { baseUrl: "http://service.example", account: "a" };
const key = { ...service, id: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };
const at = "2026-03-10T08:30:00.000Z";

function open(store: EventStore) {
  const clock = createClock();
  const consistent = withConsistentReads(store, { clock });
  const deps = { store: consistent, writer: () => crypto.randomUUID(), clock };
  const journal = createJournal(deps);
  const system = { bootTime: () => undefined };
  const claims = createClaims({ ...deps, journal, system });
  const content = { digest: "d", occurrence: 1 };
  return {
    clock,
    consistent,
    journal,
    claim: (isNew = false) =>
      claims.claim(
        service,
        content,
        () => key.id,
        isNew,
        async () => undefined,
      ),
  };
}

/** Says that every entry is taken, and shows none: a trigger that returns NULL, or row security. */
const hidden = (): EventStore => ({
  ...createMemoryStore(),
  append: async (appends) => appends.map(() => "taken"),
});

it("names what contradicts, where every entry is taken and none is shown", async () => {
  const { claim, clock, journal } = open(hidden());
  const start = clock.monotonic();
  const sending = { type: "sending", at, withId: true, deadline: 1, content: { digest: "d" } } as const;
  await expect(journal.append(await journal.read(key), sending)).rejects.toMatchObject({
    kind: "unavailable",
    message: `the journal's store contradicts itself: it confirmed entry 0 of ${operationName(key)}, and shows 0 entries`,
    hint: "nothing was sent; find out what hides or drops its entries, such as a trigger, row security, or a copy that was restored",
  });
  expect(clock.monotonic() - start).toBe(2600);
  await expect(claim()).rejects.toThrow("contradicts itself");
});

it("reads a stale log again, until it shows what was confirmed", async () => {
  const store = createMemoryStore();
  let stale = 3;
  const read: EventStore["read"] = async (log) => (stale-- > 0 ? { first: 0, events: [] } : store.read(log));
  const { consistent } = open({ ...store, read });
  const append = appendOf(0, "a");
  expect(await consistent.append([append])).toEqual(["ours"]);
  expect((await consistent.read(append.log)).events).toEqual([append.event]);
});

it("refuses a log that was rolled back after it was confirmed", async () => {
  const store = createMemoryStore();
  const { consistent } = open({ ...store, read: async () => ({ first: 0, events: [] }) });
  await consistent.append([appendOf(0, "a"), appendOf(1, "b")]);
  await expect(consistent.read(appendOf(0, "a").log)).rejects.toThrow(
    "it confirmed entry 1 of op-0123456789abcdef, and shows 0 entries",
  );
});

it("knows the length of a log that it has pruned", async () => {
  const store = createMemoryStore();
  const { consistent } = open({ ...store, read: async () => ({ first: 0, events: [] }) });
  expect(await consistent.prune(appendOf(0, "a"))).toBe("ours");
  await expect(consistent.read(appendOf(0, "a").log)).rejects.toThrow("shows 0 entries");
});

it("ends a claim whose log is too long, where the store never says whether it pruned it", async () => {
  const store = createMemoryStore();
  for (let claims = 0; claims < 20; claims += 1) await open(store).claim(true);
  const { claim } = open({ ...store, prune: async () => "unknown" });
  await expect(claim(true)).rejects.toThrow("the journal's store did not confirm an entry");
});

it("ends every loop over the answers of a store, whatever it answers", async () => {
  const results = fc.infiniteStream(fc.constantFrom<AppendResult>("ours", "taken", "unknown"));
  const lengths = fc.infiniteStream(fc.nat(3));
  await fc.assert(
    fc.asyncProperty(results, lengths, async (nextResult, nextLength) => {
      const result = () => nextResult.next().value as AppendResult;
      const contrary: EventStore = {
        ...createMemoryStore(),
        append: async (appends) => appends.map(result),
        prune: async () => result(),
        read: async () => {
          const length = nextLength.next().value as number;
          const claim = (writer: number) => ({ writer: `${writer}`, claim: { ...key, id: `${writer}` } });
          return { first: 0, events: Array.from({ length }, (_, index) => claim(index)) };
        },
      };
      const source = createMemoryStore();
      await source.append([appendOf(0, "a"), appendOf(1, "b"), appendOf(2, "c")]);
      await Promise.allSettled([
        open(contrary).claim(),
        open(contrary).claim(true),
        copyLogs({ clock: createClock() }, source, contrary),
      ]);
    }),
  );
});
