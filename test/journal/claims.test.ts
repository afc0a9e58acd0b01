// Claims: which operation a create without an id continues, and when its content is another incident.
import { describe, expect, it } from "vitest";
import { Failure } from "../../src/failure.ts";
import { type Claim, type ClaimedContent, createClaims } from "../../src/journal/claims.ts";
import type { EventStore } from "../../src/journal/event-store.ts";
import type { OperationEvent, OperationKey } from "../../src/journal/events.ts";
import { createJournal } from "../../src/journal/journal.ts";
import { createClock } from "../harness/incident.ts";
import { createMemoryStore } from "./open-stores.ts";

const at = "2026-03-10T08:30:00.000Z";
const service = { baseUrl: "http://service.example", account: "a" };
const content: ClaimedContent = { digest: "d", occurrence: 1 };

const sending: OperationEvent = {
  type: "sending",
  at,
  withId: true,
  deadline: 1000,
  content: { digest: "d" },
};

interface ProcessOptions {
  /** The ids of the operations whose incidents are open. */
  readonly open?: readonly string[];
}

/** A process that shares the store with others. */
function openProcess(store: EventStore, options: ProcessOptions = {}) {
  const { open = [] } = options;
  const deps = { store, writer: () => crypto.randomUUID(), clock: createClock() };
  const journal = createJournal(deps);
  const claims = createClaims({ ...deps, journal });
  let made = 0;
  return {
    claim: (more: Partial<ClaimedContent> = {}, isNew = false, createId = () => `id-${++made}`) =>
      claims.claim(service, { ...content, ...more }, createId, isNew, async ({ key }) =>
        open.includes(key.id) ? key.id : undefined,
      ),
    async append(key: OperationKey, ...events: readonly OperationEvent[]) {
      for (const event of events) await journal.append(await journal.read(key), event);
    },
  };
}

const created = (key: OperationKey): OperationEvent => {
  return { type: "created", at, by: "answer", serviceId: `service-${key.id}` };
};
const idsOf = (claims: readonly Claim<string>[]) => claims.map(({ key }) => key.id);

describe("a content that was claimed", () => {
  it("is the same operation until its incident is declared and over, then another", async () => {
    const store = createMemoryStore();
    const first = openProcess(store);
    const { key } = await first.claim();
    expect(key).toEqual({ ...service, id: "id-1" });
    expect((await openProcess(store).claim()).key).toEqual(key);
    await first.append(key, sending);
    expect((await openProcess(store).claim()).key).toEqual(key);
    await first.append(key, created(key));
    const next = await openProcess(store).claim({}, false, () => "id-2");
    expect(next).toEqual({ key: { ...service, id: "id-2" } });
  });

  it("is its incident while that is open, and claims nothing", async () => {
    const store = createMemoryStore();
    const first = openProcess(store);
    const { key } = await first.claim();
    await first.append(key, sending, created(key));
    const late = openProcess(store, { open: [key.id] });
    expect(await late.claim()).toEqual({ key, open: key.id });
    expect(await late.claim({}, true)).toEqual({ key: { ...service, id: "id-1" } });
    const [log = ""] = await store.logs("claim-");
    expect((await store.read(log)).events).toHaveLength(2);
  });

  it("leaves nothing to settle", async () => {
    const memory = createMemoryStore();
    const told: object[] = [];
    const store: EventStore = {
      ...memory,
      append: (appends) => {
        told.push(...appends.map(({ isUnsettled }) => ({ isUnsettled })));
        return memory.append(appends);
      },
    };
    await openProcess(store).claim();
    expect(told).toEqual([{ isUnsettled: false }]);
    expect(await memory.logs("claim-")).toEqual([expect.stringMatching(/^claim-[0-9a-f]{12}-[0-9a-f]{40}$/)]);
  });

  it("is not over where a person says that the incident was not created", async () => {
    const store = createMemoryStore();
    const first = openProcess(store);
    const { key } = await first.claim();
    await first.append(key, sending, created(key), { type: "not-created", at });
    expect((await openProcess(store).claim()).key).toEqual(key);
  });

  it("is another operation with --new, for another occurrence, another service and another content", async () => {
    const store = createMemoryStore();
    const { append, claim } = openProcess(store);
    const { key } = await claim();
    await append(key, sending);
    expect((await claim({}, true)).key.id).toBe("id-2");
    expect((await claim({ occurrence: 2 })).key.id).toBe("id-3");
    expect((await claim({ digest: "other" })).key.id).toBe("id-4");
  });

  it("is claimed once by processes that start at the same time", async () => {
    const store = createMemoryStore();
    const claims = await Promise.all(
      ["a", "b", "c"].map((id) => openProcess(store).claim({}, false, () => id)),
    );
    expect(new Set(idsOf(claims)).size).toBe(1);
  });
});

describe("a claim that was changed", () => {
  it.each([
    [{}],
    [{ claim: "x" }],
    [{ claim: null }],
    [{ claim: { id: "x" } }],
    [{ claim: { baseUrl: "x" } }],
  ])("is not trusted: %o", async (event) => {
    const store = createMemoryStore();
    await openProcess(store).claim();
    const [log = ""] = await store.logs("claim-");
    await store.append([{ log, number: 1, event: { writer: "w", ...event }, isUnsettled: false }]);
    await expect(openProcess(store).claim()).rejects.toThrow(Failure);
  });
});
