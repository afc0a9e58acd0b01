import { describe, expect, it } from "vitest";
import type { OperationEvent } from "../../src/journal/events.ts";
import { foldEvents } from "../../src/journal/fold.ts";
import { prune } from "../../src/journal/prune.ts";
import { key, requestOf } from "../delivery/in-memory/deliveries.ts";

const now = Date.parse("2026-11-20T06:31:00.000Z");
const hour = 3_600_000;
const day = 24 * hour;
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();

const sending = (age: number): OperationEvent => ({
  type: "sending",
  at: ago(age),
  withId: true,
  deadline: 1000,
  content: requestOf().content,
});
const created = (age: number): OperationEvent => ({
  type: "created",
  at: ago(age),
  by: "answer",
  serviceId: "an id",
});

/** Prunes a journal of one operation with these events. Gives what it asks the journal and its stores for. */
async function pruneOnce(
  events: readonly OperationEvent[],
  { last, isShared = false }: { readonly last?: number; readonly isShared?: boolean } = {},
) {
  const log = foldEvents(key, 0, events);
  const done: unknown[] = [];
  const sample = async (...options: readonly number[]) => {
    done.push(["sample", ...options]);
    return [log];
  };
  const journal = {
    sample,
    prune: async (_: unknown, summary: unknown, at: string) => {
      done.push(["prune", summary, at]);
      return true;
    },
  };
  await prune({
    system: { clock: { now: () => now }, random: { fraction: () => 0.25 } } as never,
    journal: isShared ? undefined : (journal as never),
    notes: {
      read: () => (last === undefined ? undefined : String(last)),
      replace: (name, text) => void done.push([name, text]),
    },
    store: { sweep: async (time) => void done.push(["sweep", time]) },
  });
  return done;
}

const note = ["pruned.json", String(now)];
const look = ["sample", 500, 0.25];
const sweep = ["sweep", now - day];

describe("pruning", () => {
  it.each([
    ["never before", undefined, true],
    ["a day ago", now - day, true],
    ["less than a day ago", now - day + 1, false],
    ["less than a day ahead, by a clock that jumped", now + day - 1, false],
    ["a day ahead, by a clock that jumped", now + day, true],
  ])(
    "begins where the last one was %s: %j %s; a long journal is shortened each time",
    async (_, last, begins) => {
      const options = last === undefined ? {} : { last };
      expect(await pruneOnce([created(0)], options)).toEqual(begins ? [sweep, note, look] : [sweep]);
    },
  );

  const summary = {
    state: "created",
    name: "Checkout fails",
    severity: "MAJOR",
    services: requestOf().content.body.services.map(({ id }) => id),
    digest: requestOf().content.digest,
    parts: requestOf().content.parts,
    created: { at: ago(90 * day + 1), serviceId: "an id" },
  };

  it("keeps the newest start times of an alert", async () => {
    const starts = Array.from({ length: 300 }, (_, index) => `start ${index}`);
    const [first = "", ...others] = starts;
    const done = await pruneOnce([
      { ...sending(100 * day), alertStarts: [first] } as OperationEvent,
      created(90 * day + 1),
      { type: "fired", at: ago(90 * day + 1), alertStarts: others },
    ]);
    const alertStarts = starts.slice(-200);
    expect(done).toContainEqual(["prune", { ...summary, alertStarts }, ago(0)]);
    const pruned = { type: "pruned", at: ago(0), summary: { ...summary, alertStarts } } as OperationEvent;
    expect(foldEvents(key, 3, [pruned]).alertStarts).toEqual(alertStarts);
  });

  it("keeps a summary of an operation whose last event is more than 90 days old", async () => {
    const events = [sending(100 * day), created(90 * day + 1)];
    expect(await pruneOnce(events)).toEqual([sweep, note, look, ["prune", summary, ago(0)]]);
  });

  it.each<[string, readonly OperationEvent[]]>([
    ["whose last event is 90 days old", [sending(100 * day), created(90 * day)]],
    [
      "whose last event alone is newer",
      [sending(100 * day), created(100 * day), { type: "acknowledged", at: ago(0) }],
    ],
    ["whose outcome is not known", [sending(100 * day)]],
    [
      "that is a summary already",
      [{ type: "pruned", at: ago(100 * day), summary: { ...summary, state: "created" } }],
    ],
    ["without an event", []],
  ])("leaves an operation %s", async (_, events) => {
    expect(await pruneOnce(events)).toEqual([sweep, note, look]);
  });

  it("leaves a shared journal, and sweeps what this machine keeps", async () => {
    expect(await pruneOnce([sending(100 * day), created(99 * day)], { isShared: true })).toEqual([
      sweep,
      note,
    ]);
  });
});
