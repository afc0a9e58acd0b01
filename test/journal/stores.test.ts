// The stores of this project against the conformance suite; and the folder store with the file operations of two
// processes interleaved, and with a crash at each of them.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Append, AppendResult, EventStore, StoredLog } from "../../src/journal/event-store.ts";
import { createFolderStore } from "../../src/journal/folder/store.ts";
import { createMemoryStore } from "../../src/journal/memory-store.ts";
import { withGroupCommit } from "../../src/journal/open-store.ts";
import type { Files } from "../../src/platform/context.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { appendOf, checkLog, describeEventStore } from "./event-store.ts";

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
const prune =
  (number: number, writer: string): Work =>
  async (store) => {
    const given = appendOf(number, writer);
    return [given, await store.prune(given)];
  };

/** The number that a process finds next: by the names alone, since it may not wait here. */
function nextNumber(root: string): number {
  const numbers = fs
    .readdirSync(join(root, "journal"))
    .map((name) => /-(\d+)\.json$/.exec(name)?.[1] ?? "-1");
  return Math.max(...numbers.map(Number)) + 1;
}
const appendNext =
  (writer: string, isUnsettled = false): Work =>
  (store, root) =>
    append(nextNumber(root), writer, isUnsettled)(store, root);
const pruneNext =
  (writer: string): Work =>
  (store, root) =>
    prune(nextNumber(root), writer)(store, root);

describe("the folder store, with another process between any two file operations", () => {
  it.each<[string, Work, readonly Work[]]>([
    ["append and append", append(2, "a"), [append(2, "b")]],
    ["append and prune", append(2, "a", true), [prune(2, "b")]],
    ["prune and append", prune(2, "a"), [append(2, "b", true)]],
    ["prune and prune", prune(2, "a"), [prune(2, "b")]],
    ["a late append and prune", append(1, "a", true), [prune(2, "b")]],
    ["append, and append and prune", append(2, "a", true), [appendNext("b"), pruneNext("c")]],
    ["append, and two prunings", append(2, "a", true), [pruneNext("b"), pruneNext("c")]],
    ["prune, and append", prune(2, "a"), [appendNext("b"), appendNext("c", true)]],
    ["prune, and prune after it", prune(2, "a"), [pruneNext("b")]],
    [
      "prune, and append and prune after it",
      prune(2, "a"),
      [appendNext("b", true), pruneNext("c"), appendNext("d")],
    ],
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
    ["pruning", prune(1, "a")],
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
  it("wait for the disk once: for their file before they appear, and for its names before the answer", async () => {
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
    const store = withGroupCommit(openFolder(root, recording));
    const all = Array.from({ length: 16 }, (_, index) => appendOf(0, `w${index}`, { log: `op-${index}` }));
    const results = await Promise.all(all.map((each) => store.append([each])));
    expect(results).toEqual(all.map(() => ["ours"]));
    // The folder above the state directory, and the state directory: they hold the names of what was made.
    const made = ["sync folder", "sync folder"];
    expect(steps).toEqual([...made, "sync file", ...all.map(() => "link"), "sync folder"]);
  });

  it("are one file for each 16 of them, and for each 256 Ki of text", async () => {
    const root = join(temporaryFolder(), "state");
    const text = "x".repeat(100 * 1024);
    const appends = Array.from({ length: 40 }, (_, index) =>
      appendOf(0, `w${index}`, {
        log: `op-${String(index).padStart(2, "0")}`,
        event: { writer: `w${index}`, ...(index >= 32 && { text }) },
      }),
    );
    await openFolder(root).append(appends);
    const names = fs.readdirSync(join(root, "journal")).sort();
    const files = names.map((name) => fs.statSync(join(root, "journal", name)).ino);
    const sizes = [...new Set(files)].map((file) => files.filter((each) => each === file).length);
    expect(sizes).toEqual([16, 16, 2, 2, 2, 2]);
    for (const { event, log: each } of appends)
      expect((await openFolder(root).read(each)).events).toEqual([event]);
  });

  it("are pruned one by one", async () => {
    const root = join(temporaryFolder(), "state");
    const store = await openTwoLogs(root);
    await store.append(together("a"));
    expect(await store.prune(appendOf(1, "p"))).toBe("ours");
    expect(writersOf(await store.read(log))).toEqual(["p"]);
    expect(writersOf(await store.read(logs[1]))).toEqual(["start", "a"]);
  });

  it("are taken or appended each, with another process between any two file operations", async () => {
    let calls = 0;
    for (let at = 1; at === 1 || at <= calls; at += 1) {
      const root = join(temporaryFolder(), "state");
      const plain = await openTwoLogs(root);
      const others: Promise<readonly AppendResult[]>[] = [];
      const files = watched((call) => {
        calls = Math.max(calls, call);
        if (call === at) others.push(openFolder(root).append(together("b").slice(0, 1)));
      });
      const [first, second] = await openFolder(root, files).append(together("a"));
      // An append that finds its name taken makes more calls than one that does not.
      if (others.length === 0) break;
      const [[other] = []] = await Promise.all(others);
      const place = `before call ${at}`;
      expect([first, other].sort(), place).toEqual(["ours", "taken"]);
      expect(second, place).toBe("ours");
      expect(writersOf(await plain.read(log)), place).toEqual([first === "ours" ? "a" : "b"]);
      expect(writersOf(await plain.read(logs[1])), place).toEqual(["start", "a"]);
      expect(await plain.unsettled(), place).toContain(log);
    }
    expect(calls).toBeGreaterThan(8);
  });

  it("appear each or not at all, with a crash at any file operation", async () => {
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
      expect([[], ["a"]], `crash ${at}`).toContainEqual(first);
      expect([["start"], ["start", "a"]], `crash ${at}`).toContainEqual(second);
      if (first.length > 0) expect(await plain.unsettled(), `crash ${at}`).toContain(log);
      await plain.sweep(Number.MAX_SAFE_INTEGER);
      expect(await plain.append([appendOf(first.length, "b")]), `crash ${at}`).toEqual(["ours"]);
    }
    expect(crashes).toBeGreaterThan(8);
  });

  it("leave the result of one unknown that cannot be linked, and of none before it", async () => {
    const root = join(temporaryFolder(), "state");
    const plain = await openTwoLogs(root);
    const full: Files = {
      ...quick,
      linkSync(file, path) {
        if (String(path).includes(logs[1])) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
        fs.linkSync(file, path);
      },
    };
    expect(await openFolder(root, full).append(together("a"))).toEqual(["ours", "unknown"]);
    expect(writersOf(await plain.read(log))).toEqual(["a"]);
    expect(writersOf(await plain.read(logs[1]))).toEqual(["start"]);
  });
});

describe("a log that another process begins while it is read", () => {
  it("is read as it was, or with its first two events, whenever they are appended", async () => {
    const seen = new Set<string>();
    for (let at = 1, calls = 1; at <= calls; at += 1) {
      const root = join(temporaryFolder(), "state");
      const other = openFolder(root);
      const files = watched((call) => {
        calls = Math.max(calls, call);
        if (call !== at) return;
        for (const number of [0, 1]) void other.append([appendOf(number, "a")]);
      });
      seen.add(writersOf(await openFolder(root, files).read(log)).join());
    }
    expect([...seen].sort()).toEqual(["", "a,a"]);
  });
});
