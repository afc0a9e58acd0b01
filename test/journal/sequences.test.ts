// The engines of this machine against the conformance suite; and the folder with the file operations of two processes
// interleaved, and with a crash at each of them.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolderSequences } from "../../src/journal/folder/sequences.ts";
import type { Sequence } from "../../src/journal/sequence.ts";
import type { Files } from "../../src/platform/context.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { watchFiles } from "../harness/watched-files.ts";
import { describeSequences, entryOf, fill, name, writersOf } from "./conformance.ts";
import { createMemorySequences } from "./memory-sequences.ts";

const user = process.getuid?.();
const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };

/** Nothing here loses power, so nothing has to wait for the disk. */
const quick: Files = { ...fs, fsyncSync: () => undefined };

const openFolder = (root: string, files: Files = quick) =>
  createFolderSequences({ files, system: { random, user } }, root);
const openOne = (root: string, files?: Files): Sequence => openFolder(root, files).open(name);

describeSequences("a folder", () => {
  const root = join(temporaryFolder(), "state");
  return { open: () => openFolder(root) };
});

describeSequences("memory", () => {
  const sequences = createMemorySequences();
  return { open: () => sequences };
});

it("a folder that was removed before an append is not read as an empty one", async () => {
  const root = join(temporaryFolder(), "state");
  const sequence = openOne(root);
  await fill(sequence, "abc");
  fs.rmSync(join(root, "journal"), { recursive: true });
  await sequence.append(3, entryOf("d"));
  await expect(sequence.read(0)).rejects.toThrow("00000000.json cannot be trusted: it is gone");
});

/** Calls `before` ahead of each function that touches the disk, with its number from 1. */
function watched(before: (call: number) => void): Files {
  let call = 0;
  return watchFiles(quick, () => before(++call));
}

class Died extends Error {}

/** Files whose process dies at this call. */
function mortal(at: number): { readonly files: Files; readonly isDead: () => boolean } {
  let isDead = false;
  const files = watched((call) => {
    isDead ||= call === at;
    if (isDead) throw new Died("the process died here");
  });
  return { files, isDead: () => isDead };
}

describe("a folder, with another process between any two file operations", () => {
  it.each([
    ["another append", "b"],
    ["two other appends", "bc"],
  ])("takes each number once: %s", async (_, others) => {
    let calls = 0;
    for (let at = 1; at === 1 || at <= calls; at += 1) {
      const root = join(temporaryFolder(), "state");
      await fill(openOne(root), "xy");
      const results: Promise<string>[] = [];
      const files = watched((call) => {
        calls = Math.max(calls, call);
        if (call !== at) return;
        const other = openOne(root);
        for (const [index, writer] of [...others].entries())
          results.push(other.append(2 + index, entryOf(writer)));
      });
      const own = await openOne(root, files).append(2, entryOf("a"));
      const [first, second] = await Promise.all(results);
      // A process that meets no other makes fewer calls.
      if (first === undefined) continue;
      expect([own, first].sort(), `before call ${at}`).toEqual(["ours", "taken"]);
      const winner = own === "ours" ? "a" : "b";
      const rest = second === undefined ? [] : ["c"];
      expect(await writersOf(openOne(root)), `before call ${at}`).toEqual([0, "x", "y", winner, ...rest]);
    }
    expect(calls).toBeGreaterThan(5);
  });

  it("is read as it was, or with what was appended meanwhile", async () => {
    for (let at = 1, calls = 1; at <= calls; at += 1) {
      const root = join(temporaryFolder(), "state");
      const other = openOne(root);
      const appended: Promise<unknown>[] = [];
      const files = watched((call) => {
        calls = Math.max(calls, call);
        if (call === at) appended.push(fill(other, "ab"));
      });
      expect(["0", "0,a", "0,a,b"]).toContain((await writersOf(openOne(root, files))).join());
      await Promise.all(appended);
      if (appended.length === 0) continue;
      expect(await writersOf(openOne(root))).toEqual([0, "a", "b"]);
    }
  });
});

describe("a folder, with a crash at any file operation", () => {
  it("has an entry or not, and goes on", async () => {
    for (let at = 1; ; at += 1) {
      const root = join(temporaryFolder(), "state");
      await fill(openOne(root), "x");
      const { files, isDead } = mortal(at);
      await openOne(root, files)
        .append(1, entryOf("a"))
        .catch(() => undefined);
      if (!isDead()) {
        expect(at).toBeGreaterThan(5);
        break;
      }
      const found = await writersOf(openOne(root));
      expect(["0,x", "0,x,a"], `crash ${at}`).toContain(found.join());
      await fill(openOne(root), "b", found.length - 1);
    }
  });

  it("begins where it did, or at the snapshot, while it is dropped", async () => {
    for (let at = 1; ; at += 1) {
      const root = join(temporaryFolder(), "state");
      await fill(openOne(root), "abc");
      await openOne(root).append(3, entryOf("s", { snapshot: {} }));
      const { files, isDead } = mortal(at);
      await openOne(root, files)
        .drop(3)
        .catch(() => undefined);
      const found = (await writersOf(openOne(root))).join();
      expect(["0,a,b,c,s", "3,s"], `crash ${at}`).toContain(found);
      for (const number of [0, 1, 2, 3])
        expect(await openOne(root).append(number, entryOf("late")), `crash ${at}`).toBe("taken");
      await fill(openOne(root), "d", 4);
      if (isDead()) continue;
      expect(at).toBeGreaterThan(5);
      break;
    }
  });
});

it("a folder waits for the disk: for a file before it appears, and for its name before the answer", async () => {
  const steps: string[] = [];
  const root = join(temporaryFolder(), "state");
  const recording = watchFiles(quick, (name, [descriptor]) => {
    if (name === "linkSync") steps.push("link");
    if (name === "fsyncSync")
      steps.push(fs.fstatSync(Number(descriptor)).isDirectory() ? "sync folder" : "sync file");
  });
  await fill(openOne(root, recording), "a");
  // The folder above the state directory, that, and the one of the journal: they hold the names of what was made.
  const made = ["sync folder", "sync folder", "sync folder"];
  expect(steps).toEqual([...made, "sync file", "link", "sync folder"]);
});
