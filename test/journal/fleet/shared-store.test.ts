import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../../src/journal/event-store.ts";
import { withRedactedEvents } from "../../../src/journal/fleet/redact-events.ts";
import { createSharedStore } from "../../../src/journal/fleet/shared-store.ts";
import { createFolderStore } from "../../../src/journal/folder/store.ts";
import { createMemoryStore } from "../../../src/journal/memory-store.ts";
import { readNewestNames } from "../../../src/platform/name-list.ts";
import { at, requestOf } from "../../delivery/in-memory/deliveries.ts";
import { createMemoryFiles } from "../../harness/memory-files.ts";

const { content } = requestOf();
const log = "op-1";
const sending: StoredEvent = {
  writer: "w",
  event: { type: "sending", at, withId: true, deadline: 1, content },
};
const uncertain: StoredEvent = { writer: "w", event: { type: "uncertain", at, attempt: 0, reason: "" } };
const nameless = { digest: content.digest };

function openTexts() {
  const files = createMemoryFiles("/state");
  const random = { guid: () => crypto.randomUUID(), fraction: () => 0 };
  const memory = createMemoryStore();
  const deps = { files, system: { random, user: undefined } };
  const shared = withRedactedEvents(memory, { names: false });
  const open = () => createSharedStore(memory, deps, "/state", { names: false });
  const local = createFolderStore(deps, "/state");
  const write = async (store: typeof memory, ...events: readonly StoredEvent[]) => {
    for (const event of events) {
      const { events: before } = await memory.read(log);
      await store.append([{ log, number: before.length, event, isUnsettled: true }]);
    }
  };
  const contents = async (store: typeof memory) =>
    (await store.read(log)).events.map(({ event }) => (event as { content?: unknown }).content);
  return { contents, files, local, memory, open, shared, write };
}

describe("the text of a create with a shared journal", () => {
  it("stays on the machine that sent it, beside what the journal has", async () => {
    const { contents, files, memory, open, write } = openTexts();
    await write(open(), sending, uncertain);
    expect(await contents(memory)).toEqual([nameless, undefined]);
    expect(await contents(open())).toEqual([content, undefined]);
    expect((await open().read(log)).events).toEqual([sending, uncertain]);
    expect(files.readdirSync("/state/sent")).toEqual(["op-1-000.json"]);
    expect(JSON.parse(files.readFileSync("/state/sent/op-1-000.json", "utf8"))).toEqual({
      file: "op-1-000.json",
      ...sending,
    });
    expect(readNewestNames(files, join("/state", "sent-operations"), 9)).toEqual([log]);
  });

  it("is not taken for another text of the same operation", async () => {
    const { contents, memory, open, write } = openTexts();
    await write(open(), sending);
    const edited = { type: "sending", at, withId: true, deadline: 1, content: { digest: "edited" } };
    await write(memory, { writer: "other", event: edited });
    expect(await contents(open())).toEqual([content, { digest: "edited" }]);
  });

  it("is missing on another machine, and where only the journal has an event", async () => {
    const { contents, files, open, shared, write } = openTexts();
    await write(shared, sending);
    expect(await contents(open())).toEqual([nameless]);
    await write(open(), uncertain);
    expect(await contents(open())).toEqual([nameless, undefined]);
    expect(files.readdirSync("/state")).toEqual([]);
  });

  it.each([
    ["empty", ""],
    ["cut", '{"file":"op-1-000.json","wri'],
    ["no object", "1"],
  ])("is missing where a power failure left it %s, until it is sent again", async (_, torn) => {
    const { contents, files, open, write } = openTexts();
    await write(open(), sending);
    files.writeFileSync("/state/sent/op-1-000.json", torn, { mode: 0o600 });
    expect(await contents(open())).toEqual([nameless]);
    await write(open(), sending);
    expect(await contents(open())).toEqual([content, content]);
  });

  it("is that of the journal where that has one", async () => {
    const { contents, files, memory, open, write } = openTexts();
    await write(memory, sending);
    files.mkdirSync("/state/sent", { recursive: true, mode: 0o700 });
    const other = { ...content, body: { ...content.body, name: "Another" } };
    files.writeFileSync("/state/sent/op-1-000.json", JSON.stringify({ event: { content: other } }), {
      mode: 0o600,
    });
    expect(await contents(open())).toEqual([content]);
    await write(memory, { writer: "other", event: { ...(sending.event as object), content: nameless } });
    expect(await contents(open())).toEqual([content, other]);
  });

  it("waits for no disk: no decision needs it", async () => {
    const { files, open, write } = openTexts();
    const synced: number[] = [];
    const fsyncSync = files.fsyncSync;
    files.fsyncSync = (descriptor) => {
      synced.push(descriptor);
      fsyncSync(descriptor);
    };
    await write(open(), sending);
    expect(synced).toEqual([]);
  });
});

describe("an operation of a shared journal", () => {
  const stores = async (shared: number, local: number) => {
    const texts = openTexts();
    for (const [store, count] of [
      [texts.memory, shared],
      [texts.local, local],
    ] as const)
      for (let number = 0; number < count; number += 1)
        await store.append([{ log, number, event: sending, isUnsettled: true }]);
    return texts.open();
  };

  it.each([
    ["in both journals", 1, 1],
    ["in the shared one", 2, 0],
    ["in none", 0, 0],
  ])("is read where it is %s", async (_, shared, local) => {
    const store = await stores(shared, local);
    expect((await store.read(log)).events).toHaveLength(shared);
  });

  it("is refused where only the journal of this machine has it", async () => {
    const store = await stores(0, 1);
    await expect(store.read(log)).rejects.toThrow(
      "this incident is in the journal of this machine, but not in the shared one",
    );
  });

  const key = { baseUrl: "http://service.example", account: "a", id: "id" };
  const refused = { type: "refused", at, attempt: 0, status: 403, message: "" };
  const created = { type: "created", at, by: "answer", serviceId: "s-1" };
  const settled = { type: "not-created", at };
  const begun = sending.event as object;
  const elsewhere = { ...begun, at: "2026-03-11T08:30:00.000Z" };
  const unclear = uncertain.event as object;

  it.each<[string, readonly object[], readonly object[], string | undefined]>([
    ["uncertain here, refused there", [begun, unclear], [elsewhere, refused], "its outcome is not known"],
    ["begun here, refused there", [begun], [elsewhere, refused], "its outcome is not known"],
    ["declared here, refused there", [begun, created], [elsewhere, refused], "it was declared as s-1"],
    ["more here than there", [begun, unclear], [begun], "its outcome is not known"],
    ["refused here, uncertain there", [begun, refused], [elsewhere, unclear], undefined],
    ["uncertain here, declared there", [begun, unclear], [elsewhere, created], undefined],
    ["settled here, refused there", [begun, unclear, settled], [elsewhere, refused], undefined],
    ["copied, and settled there", [begun, unclear], [begun, unclear, settled], undefined],
  ])("%s", async (_, here, there, problem) => {
    const { local, memory, open } = openTexts();
    for (const [store, events] of [
      [local, here],
      [memory, there],
    ] as const)
      for (const [number, event] of events.entries())
        await store.append([{ log, number, event: { writer: "w", key, event }, isUnsettled: true }]);
    const read = open().read(log);
    if (problem === undefined) expect((await read).events).toHaveLength(there.length);
    else
      await expect(read).rejects.toMatchObject({
        kind: "uncertain",
        message: `the create of id is in the journal of this machine, where ${problem}, and the shared journal has another attempt`,
        hint: "nothing was sent; find out whether the incident exists, then run INCIDENT_CLI_JOURNAL=folder incident journal settle id",
      });
  });
});
