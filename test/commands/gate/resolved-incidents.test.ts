import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { contentOf } from "../../../src/journal/content.ts";
import { openPrivateFolder } from "../../../src/journal/folder/private-files.ts";
import { createJournal, operationName } from "../../../src/journal/journal.ts";
import { createMemoryStore } from "../../../src/journal/memory-store.ts";
import { openResolved, withForgotten } from "../../../src/journal/resolved-incidents.ts";
import { definition, incidentId as id } from "../../harness/builders.ts";
import { createClock, temporaryFolder } from "../../harness/incident.ts";

describe("the incidents that were seen resolved", () => {
  const service = { baseUrl: "https://a.example", account: undefined };
  const folderAt = (path: string) =>
    openPrivateFolder(
      {
        files: fs,
        system: { random: { guid: () => crypto.randomUUID(), fraction: () => 0 }, user: undefined },
      },
      path,
      path,
    );
  const open = (path: string) => openResolved(fs, folderAt(path), service);

  it("are those of one service", () => {
    const path = temporaryFolder();
    open(path).add(["op-1", "op-2"]);
    open(path).add(["op-3"]);
    expect([...open(path).read().names].sort()).toEqual(["op-1", "op-2", "op-3"]);
    const other = openResolved(fs, folderAt(path), { ...service, baseUrl: "b" });
    expect(other.read().names.size).toBe(0);
  });

  it.each([
    ["is to be declared again", { type: "not-created" }],
    ["is another one", { type: "created", by: "person", serviceId: "x" }],
  ] as const)("lack one that %s, until it is seen again", async (_, change) => {
    const path = temporaryFolder();
    const key = { ...service, id };
    const names = [operationName(key), "op-2"];
    const journal = withForgotten(
      createJournal({ store: createMemoryStore(), writer: () => "w", clock: createClock() }),
      () => open(path),
    );
    const at = "2026-01-01T00:00:00.000Z";
    const content = contentOf(definition(), id, undefined, false);
    let log = await journal.read(key);
    for (const event of [
      { type: "sending", at, withId: true, deadline: 1, content },
      { type: "created", at, by: "answer", serviceId: id },
      { type: "acknowledged", at },
    ] as const)
      ({ log } = await journal.append(log, event));
    open(path).add(names);
    expect([...open(path).read().names].sort()).toEqual(names.toSorted());
    await journal.append(log, { ...change, at });
    expect([...open(path).read().names]).toEqual(["op-2"]);
    open(path).add(names);
    expect([...open(path).read().names].sort()).toEqual(names.toSorted());
  });

  it("are those of one account, in a list of its own", () => {
    const path = temporaryFolder();
    open(path).add(["op-1"]);
    const other = openResolved(fs, folderAt(path), { ...service, account: "a" });
    expect(other.read().names.size).toBe(0);
    expect(fs.readdirSync(path)).toEqual([expect.stringMatching(/^resolved-[0-9a-f]{40}$/)]);
  });

  it("make no list and no folder where there are none", () => {
    const path = `${temporaryFolder()}/services`;
    open(path).add([]);
    expect(fs.existsSync(path)).toBe(false);
    open(path).add(["op-1"]);
    expect([...open(path).read().names]).toEqual(["op-1"]);
  });

  it("are all read until a look has kept what is left, and then the latest", () => {
    const path = temporaryFolder();
    const names = Array.from({ length: 5000 }, (_, index) => `op-${index}`);
    open(path).add(names);
    expect(open(path).read().names.size).toBe(5000);
    open(path).keep({ last: "op-4999", left: [], resolved: 5000 });
    expect(open(path).read().names.size).toBe(4096);
  });

  it("count a forgotten one once, also where it was left", () => {
    const path = temporaryFolder();
    open(path).add(["op-1"]);
    open(path).keep({ last: "op-2", left: ["op-2"], resolved: 1 });
    open(path).add(["-op-2"]);
    expect(open(path).read().look).toEqual({ last: "op-2", left: ["op-2"], resolved: 1 });
  });

  it.each([
    ["is no JSON", "{"],
    ["names no last one", JSON.stringify({ left: [], resolved: 0 })],
    ["names none that is left", JSON.stringify({ last: "op-1", resolved: 0 })],
    ["has a last one that is no name", JSON.stringify({ last: 1, left: [], resolved: 0 })],
  ])("are looked at again where the note of the last look %s", (_, text) => {
    const path = temporaryFolder();
    open(path).keep({ last: "op-1", left: [], resolved: 0 });
    const [note = ""] = fs.readdirSync(path);
    fs.writeFileSync(`${path}/${note}`, text, { mode: 0o600 });
    expect(open(path).read().look).toBeUndefined();
  });

  it("forget nothing for another event, and nothing of an operation that was not declared", async () => {
    const forgotten: string[] = [];
    const journal = withForgotten(
      createJournal({ store: createMemoryStore(), writer: () => "w", clock: createClock() }),
      () => ({ add: (names) => void forgotten.push(...names) }),
    );
    const at = "2026-01-01T00:00:00.000Z";
    const content = contentOf(definition(), id, undefined, false);
    let log = await journal.read({ ...service, id });
    for (const event of [
      { type: "sending", at, withId: true, deadline: 1, content },
      { type: "not-created", at },
      { type: "created", at, by: "answer", serviceId: id },
      { type: "acknowledged", at },
    ] as const)
      ({ log } = await journal.append(log, event));
    expect(forgotten).toEqual([]);
  });

  it("are looked at no more once a look has kept what is left, except for those that were forgotten since", () => {
    const path = temporaryFolder();
    open(path).add(["op-1", "op-2"]);
    open(path).keep({ last: "op-3", left: ["op-3"], resolved: 2 });
    expect(open(path).read().look).toEqual({ last: "op-3", left: ["op-3"], resolved: 2 });
    open(path).add(["-op-1"]);
    expect(open(path).read()).toEqual({
      names: new Set(["op-2"]),
      look: { last: "op-3", left: ["op-3", "op-1"], resolved: 1 },
    });
    open(path).add(["op-1"]);
    expect(open(path).read().look).toEqual({ last: "op-3", left: ["op-3"], resolved: 2 });
  });
});
