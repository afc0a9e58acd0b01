// The files of a journal in a folder, as a process leaves them, and as it finds those of others.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lineOf } from "../../../src/journal/event-lines.ts";
import type { Append } from "../../../src/journal/event-store.ts";
import { createFolderStore } from "../../../src/journal/folder/store.ts";
import type { Files } from "../../../src/platform/context.ts";
import { temporaryFolder } from "../../harness/incident.ts";

const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };

function openStore(replaced: Partial<Files> = {}, root = join(temporaryFolder(), "state")) {
  const files: Files = { ...fs, fsyncSync: () => undefined, ...replaced };
  const store = createFolderStore({ files, system: { random, user: process.getuid?.() } }, root);
  const namesIn = (folder: string) => {
    const path = join(root, folder);
    return fs.existsSync(path) ? fs.readdirSync(path).sort() : [];
  };
  const append = async (...appends: readonly Partial<Append>[]) => store.append(appends.map(appendOf));
  const write = async (count: number, log = "op-a") => {
    for (let number = 0; number < count; number += 1) await append({ log, number });
  };
  const prune = (number: number, log = "op-a") =>
    store.prune({ log, number, event: { writer: `pruned ${number}` } });
  const journal = () => namesIn("journal");
  const text = (name: string) => fs.readFileSync(join(root, name), "utf8");
  const operations = () => text("operations").split("\n").filter(Boolean);
  return { append, journal, namesIn, operations, prune, root, store, text, write };
}

function appendOf({ log = "op-a", number = 0, ...more }: Partial<Append>): Append {
  return { log, number, event: { writer: `${log} ${number}` }, isUnsettled: false, ...more };
}

const writers = ({ events, first }: { first: number; events: readonly { writer: string }[] }) => ({
  first,
  writers: events.map(({ writer }) => writer),
});

describe("an event in a folder", () => {
  it("has a name in its log, and another one while it is unsettled", async () => {
    const { append, journal, namesIn, operations, store, text } = openStore();
    await append({ log: "op-0" });
    expect(await store.newest(1)).toEqual(["op-0"]);
    await append({ log: "claim-x" });
    await append({ isUnsettled: true });
    await append({ number: 1, isUnsettled: true }, { log: "op-b", isUnsettled: true });
    expect(journal()).toEqual(
      ["claim-x", "op-0", "op-a", "op-b"].map((log) => `${log}-000.json`).toSpliced(3, 0, "op-a-001.json"),
    );
    expect(namesIn("unsettled")).toEqual(["op-a-000.json", "op-a-001.json", "op-b-000.json"]);
    expect(await store.unsettled()).toEqual(["op-a", "op-b"]);
    await append({ number: 2 });
    expect(namesIn("unsettled")).toEqual(["op-b-000.json"]);
    expect(operations()).toEqual(["op-0", "op-a", "op-b"]);
    expect(text("journal/op-a-002.json")).toBe('{"file":"op-a-002.json","writer":"op-a 2"}\n');
  });

  it.each([
    ["waits for the names of its folder", [false], 2],
    ["waits for them where one of its file does", [false, true], 2],
    ["leaves them to the next one where it may be late", [true, true], 1],
  ])("%s", async (_, deferred, syncs) => {
    const synced: number[] = [];
    const { append, write } = openStore({ fsyncSync: (descriptor) => void synced.push(descriptor) });
    await write(1, "op-before");
    synced.length = 0;
    await append(
      ...deferred.map((isDeferred, number) => ({ log: "op-before", number: number + 1, isDeferred })),
    );
    expect(synced).toHaveLength(syncs);
  });

  it("shares a file with others up to 256 Ki of text, and no further", async () => {
    const { append, root } = openStore();
    const sized = (log: string, length: number) => {
      const empty = lineOf(`${log}-000.json`, { writer: log, text: "" }).length;
      return { log, event: { writer: log, text: "x".repeat(length - empty) } };
    };
    const filesOf = (...names: readonly string[]) =>
      new Set(names.map((name) => fs.statSync(join(root, `journal/${name}-000.json`)).ino)).size;
    const half = 128 * 1024;
    await append(sized("op-1", half), sized("op-2", half - 100), sized("op-3", 100));
    expect(filesOf("op-1", "op-2", "op-3")).toBe(1);
    await append(sized("op-4", half), sized("op-5", half - 100), sized("op-6", 101));
    expect([filesOf("op-4", "op-5", "op-6"), filesOf("op-4", "op-5")]).toEqual([2, 1]);
    await append(
      sized("op-7", 2 * half - 50),
      sized("op-8", 2 * half - 500),
      sized("op-9", 200),
      sized("op-0", 200),
    );
    expect([filesOf("op-7", "op-8", "op-9", "op-0"), filesOf("op-8", "op-9", "op-0")]).toEqual([2, 1]);
  });
});

describe("a pruned log in a folder", () => {
  it("has its summary, the way to it, and nothing before", async () => {
    const { journal, namesIn, prune, store, text, write } = openStore();
    await write(3);
    expect(await prune(3)).toBe("ours");
    expect(journal()).toEqual(["op-a-003.json", "op-a-first.json"]);
    expect(namesIn("unsettled")).toEqual([]);
    expect(text("journal/op-a-first.json")).toBe('{"first":3}\n');
    expect(text("journal/op-a-003.json")).toBe(
      '{"file":"op-a-003.json","writer":"pruned 3","isBeginning":true}\n',
    );
    expect(await store.read("op-a")).toEqual({ first: 3, events: [{ writer: "pruned 3" }] });
    expect(await prune(2)).toBe("taken");
  });

  it("leaves a way from each summary to the next", async () => {
    const { append, journal, prune, store, text, write } = openStore();
    await write(3);
    await prune(3);
    await append({ number: 4 });
    expect(await prune(5)).toBe("ours");
    expect(journal()).toEqual(["op-a-003.json", "op-a-005.json", "op-a-first.json"]);
    expect(text("journal/op-a-003.json")).toBe('{"first":5}\n');
    expect(writers(await store.read("op-a"))).toEqual({ first: 5, writers: ["pruned 5"] });
  });

  it("is read by the way that an overtaken pruning left", async () => {
    const { append, prune, root, store, write } = openStore();
    await write(3);
    await prune(3);
    await append({ number: 4 });
    await prune(5);
    fs.writeFileSync(join(root, "journal/op-a-first.json"), '{"first":3}\n', { mode: 0o600 });
    expect(writers(await store.read("op-a"))).toEqual({ first: 5, writers: ["pruned 5"] });
    expect(await append({ number: 4 })).toEqual(["taken"]);
  });

  it("is read by that way also where a pruning between the two died before it left a tombstone", async () => {
    const { append, prune, root, store, text, write } = openStore();
    await write(1);
    await prune(1);
    const renameSync = ((from: string, to: string) => {
      if (to.endsWith("op-a-001.json")) throw new Error("the process dies here");
      fs.renameSync(from, to);
    }) as never;
    await expect(openStore({ renameSync }, root).prune(2)).rejects.toThrow("dies");
    expect(text("journal/op-a-first.json")).toBe('{"first":2}\n');
    expect(await prune(3)).toBe("ours");
    // The first pruning was overtaken by both, and moves the beginning now.
    fs.writeFileSync(join(root, "journal/op-a-first.json"), '{"first":1}\n', { mode: 0o600 });
    expect(writers(await store.read("op-a"))).toEqual({ first: 3, writers: ["pruned 3"] });
    expect(await append({ number: 4 })).toEqual(["ours"]);
  });

  it("keeps the tombstone of another pruning", async () => {
    const { journal, prune, root, text, write } = openStore();
    await write(1);
    const tombstone = '{"first":2}\n';
    fs.writeFileSync(join(root, "journal/op-a-001.json"), tombstone, { mode: 0o600 });
    await prune(2);
    expect(journal()).toEqual(["op-a-001.json", "op-a-002.json", "op-a-first.json"]);
    expect(text("journal/op-a-001.json")).toBe(tombstone);
  });

  it("ends at a tombstone", async () => {
    const { root, store, write } = openStore();
    await write(1);
    fs.writeFileSync(join(root, "journal/op-a-001.json"), '{"first":2}\n', { mode: 0o600 });
    expect(writers(await store.read("op-a"))).toEqual({ first: 0, writers: ["op-a 0"] });
  });

  it.each([1, 3])("takes no event under a name that it freed: pruned at %i", async (at) => {
    const { append, journal, prune, write } = openStore();
    await write(at);
    await prune(at);
    const before = journal();
    expect(await append({ number: at - 1 })).toEqual(["taken"]);
    expect(journal()).toEqual(before);
    expect(await append({ number: at + 1 })).toEqual(["ours"]);
  });

  it("is read again where it is pruned meanwhile", async () => {
    const other = openStore();
    await other.write(2);
    let isFirst = true;
    const lstatSync = ((path: string, options: never) => {
      if (path.endsWith("op-a-001.json") && isFirst) {
        isFirst = false;
        void other.prune(2);
      }
      return fs.lstatSync(path, options);
    }) as never;
    const { store } = openStore({ lstatSync }, other.root);
    expect(writers(await store.read("op-a"))).toEqual({ first: 2, writers: ["pruned 2"] });
  });

  it("cannot be trusted without its first event", async () => {
    const { root, store, write } = openStore();
    await write(2);
    fs.rmSync(join(root, "journal/op-a-000.json"));
    await expect(store.read("op-a")).rejects.toThrow(
      "the journal's file op-a-000.json cannot be trusted: it is gone, and what came after it is not",
    );
  });
});

describe("the logs of a folder", () => {
  const reversed = ((path: string) => fs.readdirSync(path).sort().reverse()) as never;

  it("are listed by their names, whatever the order of the folder", async () => {
    const { append, store } = openStore({ readdirSync: reversed });
    for (const log of ["op-b", "op-a", "claim-a"]) await append({ log, isUnsettled: true });
    expect(await store.logs("op-")).toEqual(["op-a", "op-b"]);
    expect(await store.unsettled()).toEqual(["claim-a", "op-a", "op-b"]);
    expect(await store.newest(9)).toEqual(["op-a", "op-b"]);
  });

  it("are listed by their time where their order is missing, and the list is made", async () => {
    const { append, operations, root, store } = openStore();
    for (const [index, log] of ["op-c", "op-a", "op-b", "claim-a"].entries()) {
      await append({ log });
      fs.utimesSync(join(root, `journal/${log}-000.json`), 100 + index, 100 + index);
    }
    expect(await store.newest(2)).toEqual(["op-b", "op-a"]);
    expect(operations()).toEqual(["op-c", "op-a", "op-b"]);
    await append({ log: "op-d" });
    expect(await store.newest(9)).toEqual(["op-d", "op-b", "op-a", "op-c"]);
  });

  it("are all listed where another process makes the list of their order meanwhile", async () => {
    const other = openStore();
    for (const log of ["op-a", "op-b"]) await other.append({ log });
    let isFirst = true;
    const openSync = ((path: string, ...options: never[]) => {
      if (!path.endsWith("/operations") || !isFirst) return fs.openSync(path, ...(options as [never]));
      isFirst = false;
      void other.store.newest(1);
      throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    }) as never;
    const { store } = openStore({ openSync }, other.root);
    expect([...(await store.newest(9))].sort()).toEqual(["op-a", "op-b"]);
    expect(other.operations()).toHaveLength(2);
  });

  it("are swept of what a dead process left, and their order is completed", async () => {
    const { append, namesIn, operations, root, store } = openStore();
    await append({ log: "op-a", isUnsettled: true });
    await append({ log: "op-b" });
    for (const name of ["journal/.tmp-old", "unsettled/.tmp-old"]) {
      fs.writeFileSync(join(root, name), "");
      fs.utimesSync(join(root, name), 1, 1);
    }
    fs.writeFileSync(join(root, "operations"), "op-b\n");
    await store.sweep(2000);
    expect(namesIn("journal")).toEqual(["op-a-000.json", "op-b-000.json"]);
    expect(namesIn("unsettled")).toEqual(["op-a-000.json"]);
    expect(operations()).toEqual(["op-b", "op-a"]);
    await store.sweep(2000);
    expect(operations()).toEqual(["op-b", "op-a"]);
  });
});

describe("the list of ids", () => {
  const key = { id: "id-1" };
  const begin = {
    log: "op-a",
    number: 0,
    isUnsettled: false,
    event: { writer: "a", key, event: { type: "sending" } },
  };

  it("is begun by the first search, and begun again where that one died", async () => {
    const { root, store } = openStore();
    await store.append([begin]);
    expect(fs.readdirSync(root)).not.toContain("id-digests");
    fs.appendFileSync(join(root, "id-digests"), "\n-");
    expect(await store.find?.("id-1")).toEqual(["op-a"]);
    // From now on, no search reads the logs.
    fs.rmSync(join(root, "journal"), { recursive: true });
    expect(await store.find?.("id-1")).toEqual(["op-a"]);
    expect(await store.find?.("id-2")).toEqual([]);
  });
});
