// The stores of this project against the conformance suite; and the folder store with the file operations of two
// processes interleaved, and with a crash at each of them.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Append, AppendResult, EventStore, StoredLog } from "../../src/journal/event-store.ts";
import type { Files } from "../../src/platform/context.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { appendOf, checkLog, describeEventStore } from "./event-store.ts";
import { createFolderStore, createMemoryStore } from "./open-stores.ts";

const log = "op-0123456789abcdef";
const user = process.getuid?.();
const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };

/** Nothing here loses power, so nothing has to wait for the disk. */
const quick: Files = { ...fs, fsyncSync: () => undefined };

function openFolder(root: string, files: Files = quick): EventStore {
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
  return new Proxy(quick, {
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

const writersOf = ({ events }: StoredLog) => events.map(({ writer }) => writer);

type Result = readonly [Append, AppendResult];
type Work = (store: EventStore, root: string) => Promise<Result>;

const append =
  (number: number, writer: string, isUnsettled = false): Work =>
  async (store) => {
    const given = appendOf(number, writer, { isUnsettled });
    return [given, (await store.append([given]))[0] as AppendResult];
  };

/** The number that a process finds next: by the files alone, since it may not wait here. */
function nextNumber(root: string): number {
  const folder = join(root, "journal/other");
  const texts = fs
    .readdirSync(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => fs.readFileSync(join(folder, name), "utf8"));
  const items = texts.flatMap((text) => (text === "" ? [] : (JSON.parse(text).appends as readonly Append[])));
  return Math.max(-1, ...items.map(({ number }) => number)) + 1;
}
const appendNext =
  (writer: string, isUnsettled = false): Work =>
  (store, root) =>
    append(nextNumber(root), writer, isUnsettled)(store, root);

describe("the folder store, with another process between any two file operations", () => {
  it.each<[string, Work, readonly Work[]]>([
    ["append and append", append(2, "a"), [append(2, "b")]],
    ["append, and two appends", append(2, "a", true), [appendNext("b"), appendNext("c")]],
    ["a late append", append(1, "a", true), [append(2, "b")]],
  ])("%s: one takes each step, and the log stays contiguous", async (_, first, second) => {
    let calls = 0;
    for (let at = 1; at === 1 || at <= calls; at += 1) {
      const root = join(temporaryFolder(), "state");
      const plain = openFolder(root);
      const results: Result[] = [];
      for (const number of [0, 1]) results.push(await append(number, `start-${number}`)(plain, root));
      // The functions of the folder store are synchronous but for their answers.
      const others: Promise<Result>[] = [];
      let count = 0;
      const files = watched((call) => {
        count = call;
        if (call === at) for (const work of second) others.push(work(openFolder(root), root));
      });
      results.push(await first(openFolder(root, files), root), ...(await Promise.all(others)));
      calls = Math.max(calls, count);
      const place = `before call ${at}`;
      const read = await plain.read(log);
      checkLog(read, results, place);
      // The log goes on.
      expect(await append(read.first + read.events.length, "x")(plain, root), place).toMatchObject({
        1: "ours",
      });
      expect((await plain.read(log)).events, place).toHaveLength(read.events.length + 1);
    }
    expect(calls).toBeGreaterThan(8);
  });
});

class Died extends Error {}

const unsettling = append(1, "a", true);

describe("the folder store, with a crash at any file operation", () => {
  it.each<[string, Work]>([
    ["an append that unsettles", unsettling],
    ["an append that settles", append(1, "a")],
  ])(
    "%s: the log is as before or as after, and no unsettled log is missing from the list",
    async (_, work) => {
      let crashes = 0;
      for (let at = 1; ; at += 1) {
        const root = join(temporaryFolder(), "state");
        await append(0, "start", true)(openFolder(root), root);
        let isDead = false;
        const mortal = watched((call) => {
          if (isDead || call === at) {
            isDead = true;
            throw new Died("the process died here");
          }
        });
        await work(openFolder(root, mortal), root).catch(() => undefined);
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

/** Two logs, in the order of the events that are appended together. */
const logs = [log, "op-fedcba9876543210"] as const;
const together = (writer: string) =>
  logs.map((each, number) => appendOf(number, writer, { log: each, isUnsettled: number === 0 }));

/** The second log has an event already. */
async function openTwoLogs(root: string): Promise<EventStore> {
  const store = openFolder(root);
  await store.append([appendOf(0, "start", { log: logs[1] })]);
  return store;
}

describe("events that are appended together to a folder", () => {
  it("wait for the disk once: for their file before it appears, and for its name before the answer", async () => {
    const steps: string[] = [];
    const root = join(temporaryFolder(), "state");
    const recording: Files = {
      ...fs,
      fsyncSync: (descriptor) =>
        void steps.push(fs.fstatSync(descriptor).isDirectory() ? "sync folder" : "sync file"),
      linkSync(file, path) {
        fs.linkSync(file, path);
        steps.push("link");
      },
    };
    const store = openFolder(root, recording);
    const all = Array.from({ length: 16 }, (_, index) => appendOf(0, `w${index}`, { log: `op-${index}` }));
    const results = await Promise.all(all.map((each) => store.append([each])));
    expect(results).toEqual(all.map(() => ["ours"]));
    // The folder above the state directory, that, and the one of the journal: they hold the names of what was made.
    const made = ["sync folder", "sync folder", "sync folder"];
    expect(steps).toEqual([...made, "sync file", "link", "sync folder"]);
  });

  it("are an entry for each million of text, so that each can be read", async () => {
    const root = join(temporaryFolder(), "state");
    const text = "x".repeat(400 * 1024);
    const appends = Array.from({ length: 6 }, (_, index) =>
      appendOf(0, `w${index}`, { log: `op-${index}`, event: { writer: `w${index}`, text } }),
    );
    expect(await openFolder(root).append(appends)).toEqual(appends.map(() => "ours"));
    expect(fs.readdirSync(join(root, "journal/other"))).toHaveLength(3);
    expect(await openFolder(root).newest(9)).toHaveLength(6);
  });

  it("take each step once, with another process between any two file operations", async () => {
    let calls = 0;
    for (let at = 1; at === 1 || at <= calls; at += 1) {
      const root = join(temporaryFolder(), "state");
      const plain = await openTwoLogs(root);
      let other: Promise<readonly AppendResult[]> | undefined;
      const files = watched((call) => {
        calls = Math.max(calls, call);
        if (call === at) other = openFolder(root).append([appendOf(0, "b")]);
      });
      const [first, second] = await openFolder(root, files).append(together("a"));
      const place = `before call ${at}`;
      expect([first, (await other)?.[0]].sort(), place).toEqual(["ours", "taken"]);
      expect(second, place).toBe("ours");
      expect(writersOf(await plain.read(log)), place).toEqual([first === "ours" ? "a" : "b"]);
      expect(writersOf(await plain.read(logs[1])), place).toEqual(["start", "a"]);
      expect(await plain.unsettled(), place).toEqual(first === "ours" ? [log] : []);
    }
    expect(calls).toBeGreaterThan(8);
  });

  it("appear all or not at all, with a crash at any file operation", async () => {
    let crashes = 0;
    for (let at = 1; ; at += 1) {
      const root = join(temporaryFolder(), "state");
      const plain = await openTwoLogs(root);
      let isDead = false;
      const mortal = watched((call) => {
        isDead ||= call === at;
        if (isDead) throw new Died("the process died here");
      });
      await openFolder(root, mortal)
        .append(together("a"))
        .catch(() => undefined);
      if (!isDead) break;
      crashes += 1;
      const [first, second] = [writersOf(await plain.read(log)), writersOf(await plain.read(logs[1]))];
      expect(
        [
          [[], ["start"]],
          [["a"], ["start", "a"]],
        ],
        `crash ${at}`,
      ).toContainEqual([first, second]);
      await plain.sweep(Number.MAX_SAFE_INTEGER);
      expect(await plain.append([appendOf(first.length, "b")]), `crash ${at}`).toEqual(["ours"]);
    }
    expect(crashes).toBeGreaterThan(8);
  });
});

describe("a folder that is shortened", () => {
  /** More entries than a sequence keeps, as processes leave them. */
  function fillLong(root: string) {
    const folder = join(root, "journal/other");
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (let number = 0; number < 258; number += 1) {
      const { event, isUnsettled } = appendOf(number, `w${number}`);
      const entry = { writer: `w${number}`, journal: 2, readBy: "0.4.0", at: number };
      const text = JSON.stringify({ ...entry, appends: [{ log, number, event, isUnsettled }] });
      fs.writeFileSync(join(folder, `${String(number).padStart(8, "0")}.json`), text, { mode: 0o600 });
    }
  }
  const whole = Array.from({ length: 258 }, (_, number) => `w${number}`);
  const endOf = (read: StoredLog) => [read.first + read.events.length, writersOf(read).at(-1)];

  /** Runs `sweep` with a call before each of its file operations. */
  async function sweep(root: string, before: (call: number) => void): Promise<number> {
    let calls = 0;
    let isSweeping = false;
    const store = openFolder(
      root,
      watched(() => {
        if (isSweeping) before(++calls);
      }),
    );
    await store.read(log);
    isSweeping = true;
    await store.sweep(0).catch(() => undefined);
    return calls;
  }

  it("says the same, with another process that appends between any two file operations", async () => {
    for (const at of [1, 4, 8, 12, 16, 20, 30, 200]) {
      const root = join(temporaryFolder(), "state");
      fillLong(root);
      const late = openFolder(root);
      await late.read(log);
      let other: Promise<readonly AppendResult[]> | undefined;
      await sweep(root, (call) => {
        if (call === at) other = late.append([appendOf(258, "late")]);
      });
      expect(await (other ?? late.append([appendOf(258, "late")])), `before call ${at}`).toEqual(["ours"]);
      for (const each of [late, openFolder(root)])
        expect(endOf(await each.read(log)), `before call ${at}`).toEqual([259, "late"]);
    }
  });

  it("says the same after a crash at any file operation, and goes on", async () => {
    for (const at of [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 25, 200]) {
      const root = join(temporaryFolder(), "state");
      fillLong(root);
      await sweep(root, (call) => {
        if (call >= at) throw new Died("the process died here");
      });
      const next = openFolder(root);
      expect(endOf(await next.read(log)), `crash ${at}`).toEqual([258, whole.at(-1)]);
      expect(await next.append([appendOf(258, "next")]), `crash ${at}`).toEqual(["ours"]);
    }
  });
});

describe("a log that another process begins while it is read", () => {
  it("is read as it was, or with its first two events, whenever they are appended", async () => {
    const seen = new Set<string>();
    for (let at = 1, calls = 1; at <= calls; at += 1) {
      const root = join(temporaryFolder(), "state");
      const other = openFolder(root);
      const both = [0, 1].map((number) => appendOf(number, "a"));
      const appended: Promise<unknown>[] = [];
      const files = watched((call) => {
        calls = Math.max(calls, call);
        if (call === at) appended.push(other.append(both));
      });
      seen.add(writersOf(await openFolder(root, files).read(log)).join());
      await Promise.all(appended);
      expect(writersOf(await openFolder(root).read(log))).toEqual(["a", "a"]);
    }
    expect([...seen].every((each) => each === "" || each === "a,a")).toBe(true);
  });
});
