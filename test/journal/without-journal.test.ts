// The journal of a run with --no-journal: what this machine knows, and what the run has done, of which nothing is written.
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { OperationEvent } from "../../src/journal/events.ts";
import { emptyLog } from "../../src/journal/fold.ts";
import { createFolderSequences } from "../../src/journal/folder/sequences.ts";
import { createJournal } from "../../src/journal/journal.ts";
import { openMemoryJournal } from "../../src/journal/open-journal.ts";
import { numberedId } from "../harness/builders.ts";
import { temporaryFolder } from "../harness/incident.ts";

const at = "2026-11-20T06:31:00.000Z";
const service = { baseUrl: "http://127.0.0.1:1", account: undefined };
const keyOf = (number: number) => ({ ...service, id: numberedId(number) });
const content = { digest: "d", name: "Checkout fails" };
const sending: OperationEvent = { type: "sending", at, withId: true, deadline: 1, content };
const created = { type: "created", at, by: "answer", serviceId: numberedId(1), ids: "ignored" } as const;

/** The journal of this machine with `count` creates whose outcome is not known, and a run without a journal. */
async function openRun(count: number) {
  const root = join(temporaryFolder(), "state");
  const files = { ...fs, fsyncSync: () => undefined };
  const env = { INCIDENT_CLI_STATE_DIR: root };
  const random = { guid: () => crypto.randomUUID(), fraction: () => 0 };
  const { signal } = new AbortController();
  const clock = { now: Date.now, monotonic: () => 0, sleep: async () => undefined };
  const system = { clock, env, cwd: root, home: root, random, signal, user: process.getuid?.() };
  const deps = { files, system } as unknown as Parameters<typeof openMemoryJournal>[0];
  const here = createJournal({ system, sequences: createFolderSequences(deps, root) });
  for (let number = 1; number <= count; number += 1)
    await here.append(emptyLog(keyOf(number)), sending, () => true);
  const names = () => fs.readdirSync(root, { recursive: true }).map(String).sort();
  return { root, names, open: () => openMemoryJournal(deps) };
}

it("it has the operations of this machine", async () => {
  const { open } = await openRun(1);
  expect((await (await open()).read(keyOf(1))).state).toBe("sending");
});

it("it knows what the run did, and what an answer says of ids, and writes nothing, not even a snapshot", async () => {
  const { names, open } = await openRun(258);
  const before = names();
  const journal = await open();
  await journal.append(await journal.read(keyOf(1)), created);
  await journal.shorten();
  expect((await journal.read(keyOf(1))).state).toBe("created");
  expect(journal.known(service).ids).toBe("ignored");
  expect(names()).toEqual(before);
});

it("it takes no event where the operation has changed since it was read", async () => {
  const { open } = await openRun(1);
  const journal = await open();
  const log = await journal.read(keyOf(1));
  expect((await journal.append(log, created)).result).toBe("ours");
  const again = await journal.append(log, { type: "not-created", at });
  expect([again.result, again.log.state]).toEqual(["lost", "created"]);
});

it.each<[string, (root: string) => void]>([
  ["others may write to its directory", (root) => fs.chmodSync(root, 0o777)],
  [
    "an entry of it is torn",
    (root) => {
      const [sequence = ""] = fs.readdirSync(join(root, "journal"));
      fs.truncateSync(join(root, "journal", sequence, "00000000.json"), 9);
    },
  ],
])("it has nothing of this machine where %s, and works", async (_, spoil) => {
  const { open, root } = await openRun(1);
  spoil(root);
  const journal = await open();
  expect((await journal.read(keyOf(1))).state).toBe("new");
  await journal.append(emptyLog(keyOf(1)), sending);
  expect((await journal.read(keyOf(1))).state).toBe("sending");
});
