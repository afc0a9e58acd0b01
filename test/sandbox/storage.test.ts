import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Files } from "../../src/platform/context.ts";
import { OtherContentError, openStorage, StorageInUseError } from "../../src/sandbox/storage.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { createBody, createRequest, incidentId, openSandbox, readRequest } from "./requests.ts";

/** Random ids: counting ones would repeat in the next sandbox. */
const random = { guid: () => globalThis.crypto.randomUUID() };
const control = { deadline: 1000 };

/** Creates incidents in a sandbox on the file, and returns all incidents that it then has. */
async function declare(file: string, bodies: readonly object[], files: Files = fs) {
  const storage = await openStorage(files, file);
  try {
    const { sandbox } = openSandbox({ storage, random });
    for (const body of bodies) await sandbox.transport(createRequest(body), control);
    return { names: sandbox.incidents().map(({ name }) => name), counts: sandbox.statistics() };
  } finally {
    storage.close();
  }
}

const named = (name: string) => ({ ...createBody, name });

it("restores the incidents of the last sandbox, and counts only new ones", async () => {
  const file = join(temporaryFolder(), "incidents");
  await declare(file, [{ ...named("one"), id: incidentId }, named("two")]);
  const { names, counts } = await declare(file, [named("three"), named("two")]);
  expect(names).toEqual(["one", "two", "three", "two"]);
  expect(counts).toEqual({ requests: 2, created: 2, updates: 0, duplicates: 1, rateLimited: 0 });
  const again = await openStorage(fs, file);
  const { sandbox } = openSandbox({ storage: again });
  expect(await sandbox.transport(readRequest(incidentId), control)).toMatchObject({ status: 200 });
  again.close();
});

it("restores a replaced incident once", async () => {
  const file = join(temporaryFolder(), "incidents");
  const storage = await openStorage(fs, file);
  const { sandbox } = openSandbox({ storage, onDuplicateId: "upsert" });
  for (const name of ["old", "new"]) {
    await sandbox.transport(createRequest({ ...named(name), id: incidentId }), control);
  }
  storage.close();
  expect((await declare(file, [])).names).toEqual(["new"]);
});

it.each([1, 40, 300])("ignores a line without its last %i bytes, and appends after it", async (lost) => {
  const file = join(temporaryFolder(), "incidents");
  await declare(file, [named("one"), named("two")]);
  const whole = fs.readFileSync(file);
  fs.writeFileSync(file, whole.subarray(0, -lost));
  expect((await declare(file, [named("three")])).names).toEqual(["one", "three"]);
  expect((await declare(file, [named("four")])).names).toEqual(["one", "three", "four"]);
});

it("creates no incident that it cannot store, and recovers when the disk has space again", async () => {
  const file = join(temporaryFolder(), "incidents");
  let isFull = false;
  const files: Files = {
    ...fs,
    writeSync: ((descriptor: number, bytes: Uint8Array, at: number) => {
      if (!isFull) return fs.writeSync(descriptor, bytes, at);
      if (at > 0) throw new Error("ENOSPC: no space left on device");
      return fs.writeSync(descriptor, bytes, at, 20);
    }) as typeof fs.writeSync,
  };
  const storage = await openStorage(files, file);
  isFull = true;
  const { sandbox } = openSandbox({ storage });
  await expect(sandbox.transport(createRequest(named("lost")), control)).rejects.toThrow("ENOSPC");
  expect(sandbox.incidents()).toEqual([]);
  isFull = false;
  expect(await sandbox.transport(createRequest(named("kept")), control)).toMatchObject({ status: 201 });
  storage.close();
  expect((await declare(file, [])).names).toEqual(["kept"]);
});

it.each(["Dear diary\n", "Dear diary", "{}\n", '{"incident":{}}', "\n", "\ufeff"])(
  "refuses a file with the content %j, and leaves it as it is",
  async (text) => {
    const file = join(temporaryFolder(), "notes.txt");
    fs.writeFileSync(file, text);
    const open = () => openStorage(fs, file);
    await expect(open()).rejects.toBeInstanceOf(OtherContentError);
    // A failed open releases the lock.
    await expect(open()).rejects.toThrow("it has content that no sandbox wrote");
    expect(fs.readFileSync(file, "utf8")).toBe(text);
    (await openStorage(fs, file, { force: true })).close();
    expect((await declare(file, [named("one")])).names).toEqual(["one"]);
  },
);

it("names a line of its own file that is damaged", async () => {
  const file = join(temporaryFolder(), "incidents");
  await declare(file, [named("one")]);
  fs.appendFileSync(file, "damage\n");
  await expect(openStorage(fs, file)).rejects.toThrow("line 3 is not an incident of a sandbox");
});

it("accepts a header that a crash cut off", async () => {
  const file = join(temporaryFolder(), "incidents");
  await declare(file, [named("one")]);
  const [header = ""] = fs.readFileSync(file, "utf8").split("\n");
  for (const text of ["", header.slice(0, 5), header]) {
    fs.writeFileSync(file, text);
    expect((await declare(file, [named("three")])).names).toEqual(["three"]);
    expect((await declare(file, [])).names).toEqual(["three"]);
  }
});

it("refuses a file of more than 256 MiB before it reads it", async () => {
  const file = join(temporaryFolder(), "incidents");
  fs.writeFileSync(file, "");
  // The file has no content on the disk.
  fs.truncateSync(file, 256 * 1024 * 1024 + 1);
  await expect(openStorage(fs, file)).rejects.toThrow("it is larger than 256 MiB");
});

it("refuses a FIFO at once", async () => {
  const file = join(temporaryFolder(), "fifo");
  execFileSync("mkfifo", [file]);
  await expect(openStorage(fs, file)).rejects.toThrow("it is not a regular file");
});

it("locks the file until it is closed, whatever path names it", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "incidents");
  const first = await openStorage(fs, file);
  fs.symlinkSync(file, join(folder, "link"));
  for (const name of ["incidents", "link"]) {
    await expect(openStorage(fs, join(folder, name))).rejects.toBeInstanceOf(StorageInUseError);
  }
  const other = await openStorage(fs, join(folder, "other"));
  other.close();
  first.close();
  (await openStorage(fs, file)).close();
});

it.each(["darwin", "freebsd"] as const)("locks the file with O_EXLOCK on %s", async (platform) => {
  const file = join(temporaryFolder(), "incidents");
  const flags: unknown[] = [];
  let isLocked = false;
  const files: Files = {
    ...fs,
    openSync: (path, flag, mode) => {
      if (path !== file) return fs.openSync(path, flag, mode);
      flags.push(flag);
      if (isLocked) throw Object.assign(new Error("locked"), { code: "EAGAIN" });
      return fs.openSync(path, Number(flag) & ~0x20, mode);
    },
  };
  const storage = await openStorage(files, file, { platform });
  isLocked = true;
  await expect(openStorage(files, file, { platform })).rejects.toBeInstanceOf(StorageInUseError);
  storage.close();
  const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = fs.constants;
  const expected = O_APPEND | O_CREAT | O_RDWR | O_NONBLOCK | 0x20;
  expect(flags).toEqual([expected, expected]);
});
