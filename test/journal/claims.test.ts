// Claims: which operation a create without an id continues, and when its content is another incident.
import { describe, expect, it } from "vitest";
import { claimContent } from "../../src/journal/claims.ts";
import type { Claimed, OperationEvent, OperationKey } from "../../src/journal/events.ts";
import { createJournal } from "../../src/journal/journal.ts";
import { createMemorySequences } from "../../src/journal/memory-sequences.ts";
import { newest } from "../../src/journal/model.ts";
import type { Sequences } from "../../src/journal/sequence.ts";
import { createClock } from "../harness/incident.ts";

const at = "2026-03-10T08:30:00.000Z";
const service = { baseUrl: "http://service.example", account: "a" };
const sending: OperationEvent = {
  type: "sending",
  at,
  withId: true,
  deadline: 1000,
  content: { digest: "d" },
};
const created = (key: OperationKey): OperationEvent => {
  return { type: "created", at, by: "answer", serviceId: `service-${key.id}` };
};

/** A process that shares the journal with others. `open`: the ids of the operations whose incidents are open. */
function openProcess(sequences: Sequences, open: readonly string[] = []) {
  const system = { clock: createClock(), signal: new AbortController().signal };
  const journal = createJournal({ sequences, system, writer: () => crypto.randomUUID() });
  let made = 0;
  return {
    journal,
    claim: (claim: Partial<Claimed> = {}, isNew = false, createId = () => `id-${++made}`) =>
      claimContent<string>(
        journal,
        service,
        {
          claim: { digest: "d", occurrence: 1, ...claim },
          createId,
          isNew,
          findOpen: async ({ key }) => (open.includes(key.id) ? key.id : undefined),
        },
        () => at,
      ),
    async append(key: OperationKey, ...events: readonly OperationEvent[]) {
      for (const event of events) await journal.append(await journal.read(key), event);
    },
  };
}

describe("a content that was claimed", () => {
  it("is the same operation until its incident is declared and over, then another", async () => {
    const sequences = createMemorySequences();
    const first = openProcess(sequences);
    const { key } = await first.claim();
    expect(key).toEqual({ ...service, id: "id-1" });
    expect((await openProcess(sequences).claim()).key).toEqual(key);
    await first.append(key, sending);
    expect((await openProcess(sequences).claim()).key).toEqual(key);
    await first.append(key, created(key));
    const next = await openProcess(sequences).claim({}, false, () => "id-2");
    expect(next).toEqual({ key: { ...service, id: "id-2" } });
  });

  it("is its incident while that is open", async () => {
    const sequences = createMemorySequences();
    const first = openProcess(sequences);
    const { key } = await first.claim();
    await first.append(key, sending, created(key));
    const late = openProcess(sequences, [key.id]);
    expect(await late.claim()).toEqual({ key, open: key.id });
    expect(await late.claim({}, true, () => "id-2")).toEqual({ key: { ...service, id: "id-2" } });
  });

  it("leaves nothing to settle, and nothing to list", async () => {
    const { claim, journal } = openProcess(createMemorySequences());
    await claim();
    expect([...newest(await journal.model(service))]).toEqual([]);
  });

  it("is not over where a person says that the incident was not created", async () => {
    const sequences = createMemorySequences();
    const first = openProcess(sequences);
    const { key } = await first.claim();
    await first.append(key, sending, created(key), { type: "not-created", at });
    expect((await openProcess(sequences).claim()).key).toEqual(key);
  });

  it("is another operation with --new, for another occurrence, another service and another content", async () => {
    const { append, claim } = openProcess(createMemorySequences());
    const { key } = await claim();
    await append(key, sending);
    expect((await claim({}, true)).key.id).toBe("id-2");
    expect((await claim({ occurrence: 2 })).key.id).toBe("id-3");
    expect((await claim({ digest: "other" })).key.id).toBe("id-4");
  });

  it("is claimed once by processes that start at the same time", async () => {
    const sequences = createMemorySequences();
    const claims = await Promise.all(
      ["a", "b", "c"].map((id) => openProcess(sequences).claim({}, false, () => id)),
    );
    expect(new Set(claims.map(({ key }) => key.id)).size).toBe(1);
  });
});
