// Creates that are at work at the same time: what they write waits for the disk together, and stays apart.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OperationKey } from "../../src/delivery/journal/events.ts";
import { openState } from "../../src/delivery/journal/open-state.ts";
import type { Files } from "../../src/platform/context.ts";
import { temporaryFolder } from "../harness/incident.ts";

const service = { baseUrl: "https://api.example.com", account: undefined };
const keys = Array.from({ length: 40 }, (_, number) => ({
  ...service,
  id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
}));

function open(folder: string, files: Files = fs) {
  const clock = { now: () => Date.parse("2026-11-20T06:31:00Z"), sleep: async () => undefined };
  const random = { guid: () => crypto.randomUUID(), fraction: () => 0 };
  return openState({ files, random, user: undefined, clock, startedAt: 0 }, folder).journal;
}

const sending = (key: OperationKey) =>
  ({
    type: "sending",
    at: "2026-11-20T06:31:00Z",
    withId: true,
    deadline: 1,
    content: { body: { name: key.id }, digest: key.id } as never,
  }) as const;

/** Counts what takes long. */
function counting() {
  const counts = { opened: 0, synced: 0 };
  const files: Files = {
    ...fs,
    openSync: (path, flags, mode) => {
      if (Number(flags) & fs.constants.O_CREAT) counts.opened += 1;
      return fs.openSync(path, flags as number, mode);
    },
    fsyncSync: (descriptor) => {
      counts.synced += 1;
      fs.fsyncSync(descriptor);
    },
  };
  return { counts, files };
}

describe("a create that is to be sent again", () => {
  it("is not, when its log was pruned after it was read", async () => {
    const folder = temporaryFolder();
    const [key] = keys as [OperationKey];
    const journal = open(folder);
    const sent = await journal.add(key, undefined, sending(key));
    const refusal = { type: "refused", at: "2026-11-20T06:31:00Z", status: 403, message: "" } as const;
    const refused = await journal.add(key, sent, refusal);
    open(folder).remove(key);
    await expect(journal.add(key, refused, sending(key))).rejects.toThrow("it was taken away");
  });
});

describe("events that are added at the same time", () => {
  it("make few files, wait for the disk together, and are each read back by their own name", async () => {
    const folder = temporaryFolder();
    const { counts, files } = counting();
    const journal = open(folder, files);
    await Promise.all(keys.map((key) => journal.add(key, undefined, sending(key))));
    expect(counts).toEqual({ opened: 3, synced: 6 });
    for (const key of keys) expect(open(folder).read(key)?.content.body.name).toBe(key.id);
    expect(open(folder).unsettled()).toHaveLength(keys.length);
    expect(open(folder).list()).toHaveLength(keys.length);
    expect(fs.readdirSync(join(folder, "journal")).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("share no file that would be too large to be read back", async () => {
    const folder = temporaryFolder();
    const journal = open(folder);
    const large = (key: OperationKey) => ({
      ...sending(key),
      content: { body: { name: '"\n'.repeat(400_000) }, digest: key.id } as never,
    });
    const some = keys.slice(0, 16);
    await Promise.all(some.map((key) => journal.add(key, undefined, large(key))));
    for (const key of some) expect(open(folder).read(key)?.content.digest).toBe(key.id);
  });

  it("take their place alone: one that another process has taken does not take it from the others", async () => {
    const folder = temporaryFolder();
    const [first, second, third] = keys as [OperationKey, OperationKey, OperationKey];
    await open(folder).add(second, undefined, sending(second));
    const journal = open(folder);
    const added = await Promise.all(
      [first, second, third].map((key) => journal.add(key, undefined, sending(key))),
    );
    expect(added.map((operation) => operation?.key.id)).toEqual([first.id, undefined, third.id]);
  });

  it("go alone: what is removed of one leaves the others", async () => {
    const folder = temporaryFolder();
    const [first, second] = keys as [OperationKey, OperationKey];
    const journal = open(folder);
    await Promise.all([first, second].map((key) => journal.add(key, undefined, sending(key))));
    journal.remove(first);
    expect(journal.read(first)).toBeUndefined();
    expect(open(folder).read(second)?.state).toBe("sending");
  });

  it("are all told when the disk fails, and none of them may be sent", async () => {
    const { files } = counting();
    const broken: Files = {
      ...files,
      fsyncSync: () => {
        throw new Error("EIO: i/o error, fsync");
      },
    };
    const journal = open(temporaryFolder(), broken);
    const added = await Promise.allSettled(keys.map((key) => journal.add(key, undefined, sending(key))));
    for (const { status } of added) expect(status).toBe("rejected");
  });

  it("are not taken from a file that was put under another name", async () => {
    const folder = temporaryFolder();
    const [first, second] = keys as [OperationKey, OperationKey];
    await open(folder).add(first, undefined, sending(first));
    const [name] = fs.readdirSync(join(folder, "journal")) as [string];
    const other = temporaryFolder();
    await open(other).add(second, undefined, sending(second));
    const [otherName] = fs.readdirSync(join(other, "journal")) as [string];
    fs.copyFileSync(join(folder, "journal", name), join(other, "journal", otherName));
    expect(() => open(other).read(second)).toThrow("cannot be trusted");
  });
});
