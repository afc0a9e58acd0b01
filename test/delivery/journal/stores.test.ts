// The stores of this project against the conformance suite; and the folder store with the file operations of two
// processes interleaved, and with a crash at each of them.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Append, AppendResult, EventStore } from "../../../src/delivery/journal/event-store.ts";
import { createFolderStore } from "../../../src/delivery/journal/folder-store.ts";
import { appendSurely, createJournal } from "../../../src/delivery/journal/journal.ts";
import { createMemoryStore } from "../../../src/delivery/journal/memory-store.ts";
import type { Files } from "../../../src/platform/context.ts";
import { createClock, temporaryFolder } from "../../harness/incident.ts";
import { appendOf, checkLog, describeEventStore } from "./event-store.ts";

const log = "op-0123456789abcdef";
const user = process.getuid?.();
const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };

function openFolder(root: string, files: Files = fs): EventStore {
  return createFolderStore({ files, system: { random, user } }, root);
}

describeEventStore("a folder", () => {
  const root = join(temporaryFolder(), "state");
  return { open: () => openFolder(root), isShared: true };
});

describeEventStore("memory", () => ({ open: createMemoryStore, isShared: false }));

/** Calls `before` ahead of each function that touches the disk, with its number from 1. */
function watched(before: (call: number) => void): Files {
  let call = 0;
  return new Proxy(fs as Files, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => {
        call += 1;
        before(call);
        return method.apply(target, args);
      };
    },
  });
}

type Work = (store: EventStore) => Promise<readonly [Append, AppendResult][]>;

const append =
  (number: number, writer: string, isUnsettled = false): Work =>
  async (store) => {
    const given = appendOf(number, writer, { isUnsettled });
    return [[given, (await store.append([given]))[0] as AppendResult]];
  };
const prune =
  (number: number, writer: string): Work =>
  async (store) => {
    const given = appendOf(number, writer);
    return [[given, await store.prune(given)]];
  };
const both =
  (...works: Work[]): Work =>
  async (store) => {
    const all: [Append, AppendResult][] = [];
    for (const work of works) all.push(...(await work(store)));
    return all;
  };

/** A process goes on by what it reads: the next number, whoever wrote the last. */
const readAndAppend =
  (writer: string): Work =>
  async (store) => {
    const { events, first } = await store.read(log);
    return append(first + events.length, writer)(store);
  };

describe("the folder store, with another process between any two file operations", () => {
  it.each<[string, Work, Work]>([
    ["append and append", append(2, "a"), append(2, "b")],
    ["append and prune", append(2, "a", true), prune(2, "b")],
    ["prune and append", prune(2, "a"), append(2, "b", true)],
    ["prune and prune", prune(2, "a"), prune(2, "b")],
    ["a late append and prune", append(1, "a", true), prune(2, "b")],
    [
      "an append, and another that was pruned at once",
      append(2, "a", true),
      both(append(2, "b"), prune(3, "c")),
    ],
    ["an append, and two prunings", append(2, "a", true), both(prune(2, "b"), prune(3, "c"))],
    ["reading and appending, and pruning", readAndAppend("a"), both(prune(2, "b"), readAndAppend("c"))],
    [
      "prune, and a process that reads and appends",
      prune(2, "a"),
      both(readAndAppend("b"), readAndAppend("c")),
    ],
  ])("%s: one takes each step, and the log stays contiguous", async (_, first, second) => {
    let calls = 0;
    for (let at = 1; at === 1 || at <= calls; at += 1) {
      const root = join(temporaryFolder(), "state");
      const plain = openFolder(root);
      const before: [Append, AppendResult][] = [];
      for (const number of [0, 1]) before.push(...(await append(number, `start-${number}`)(plain)));
      let meanwhile: Promise<readonly [Append, AppendResult][]> | undefined;
      let count = 0;
      const interrupted = openFolder(
        root,
        watched((call) => {
          count = call;
          // Its functions are synchronous but for the answer, so that it is through before the operation goes on.
          if (call === at) meanwhile = second(openFolder(root));
        }),
      );
      const own = await first(interrupted);
      calls = Math.max(calls, count);
      const others = (await meanwhile) ?? (await second(openFolder(root)));
      checkLog(await plain.read(log), [...before, ...own, ...others], `before call ${at}`);
      expect((await append(99, "x")(plain))[0]?.[1], `call ${at}`).toBeDefined();
    }
    expect(calls).toBeGreaterThan(8);
  });
});

class Died extends Error {}

describe("the folder store, with a crash at any file operation", () => {
  it.each<[string, Work]>([
    ["an append that unsettles", append(1, "a", true)],
    ["an append that settles", append(1, "a")],
    ["pruning", prune(1, "a")],
  ])(
    "%s: the log is as before or as after, and no unsettled log is missing from the list",
    async (_, work) => {
      let crashes = 0;
      for (let at = 1; ; at += 1) {
        const root = join(temporaryFolder(), "state");
        await append(0, "start", true)(openFolder(root));
        let isDead = false;
        const mortal = watched((call) => {
          if (isDead || call === at) {
            isDead = true;
            throw new Died("the process died here");
          }
        });
        await work(openFolder(root, mortal)).catch(() => undefined);
        if (!isDead) break;
        crashes += 1;
        const store = openFolder(root);
        const { events, first } = await store.read(log);
        const writers = events.map(({ writer }) => writer);
        expect([["start"], ["start", "a"], ["a"]], `crash ${at}`).toContainEqual(writers);
        const isSettled = writers.at(-1) === "a" && work !== unsettling;
        if (!isSettled) expect(await store.unsettled(), `crash ${at}`).toContain(log);
        // The next process goes on.
        expect(await store.append([appendOf(first + events.length, "b")])).toEqual(["ours"]);
        await store.sweep(Number.MAX_SAFE_INTEGER);
        expect((await store.read(log)).events.at(-1)?.writer).toBe("b");
      }
      expect(crashes).toBeGreaterThan(8);
    },
  );
});

const unsettling = append(1, "a", true);

describe("an append that the store does not confirm", () => {
  const clock = createClock();
  const writer = () => "me";

  /** A store that says `unknown` until `answers` are used up, after doing what `effect` says. */
  function unsure(effect: "nothing" | "appends" | "another appends", answers = 1): EventStore {
    const store = createMemoryStore();
    let left = answers;
    return {
      ...store,
      async append(appends) {
        if (left === 0) return store.append(appends);
        left -= 1;
        if (effect === "appends") await store.append(appends);
        if (effect === "another appends")
          await store.append(
            appends.map((given) => ({ ...given, event: { ...given.event, writer: "other" } })),
          );
        return appends.map(() => "unknown" as const);
      },
    };
  }

  it.each([
    ["nothing", "ours", "me"],
    ["appends", "ours", "me"],
    ["another appends", "taken", "other"],
  ] as const)("is settled by reading back: %s", async (effect, result, winner) => {
    const store = unsure(effect);
    expect(await appendSurely({ store, clock, writer }, appendOf(0, "me"))).toBe(result);
    expect((await store.read(log)).events).toMatchObject([{ writer: winner }]);
  });

  it("is no basis for a send while it stays unknown", async () => {
    const store = unsure("nothing", 100);
    const failure = {
      kind: "unavailable",
      message: "the journal's store does not say whether it took an entry",
    };
    await expect(appendSurely({ store, clock, writer }, appendOf(0, "me"))).rejects.toMatchObject(failure);
    const journal = createJournal({ store, clock, writer });
    const key = {
      baseUrl: "http://127.0.0.1:1",
      account: undefined,
      id: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    };
    const event = { type: "resend", at: "" } as const;
    await expect(journal.append(await journal.read(key), event)).rejects.toMatchObject(failure);
  });
});
