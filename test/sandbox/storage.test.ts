import * as fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Files } from "../../src/platform/context.ts";
import { openStorage } from "../../src/sandbox/storage.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { createBody, createRequest, incidentId, openSandbox, readRequest } from "./requests.ts";

/** Random ids: counting ones would repeat in the next sandbox. */
const random = { guid: () => globalThis.crypto.randomUUID() };
const control = { deadline: 1000 };

/** Creates incidents in a sandbox on the file, and returns all incidents that it then has. */
async function declare(file: string, bodies: readonly object[], files: Files = fs) {
  const storage = openStorage(files, file);
  try {
    const { sandbox } = openSandbox({ storage, random });
    for (const body of bodies) await sandbox.transport(createRequest(body), control);
    return {
      names: sandbox.incidents().map(({ name }) => name),
      counts: sandbox.statistics(),
      isTorn: storage.isTorn,
    };
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
  expect(counts).toEqual({ requests: 2, created: 2, duplicates: 1, rateLimited: 0 });
  const again = openStorage(fs, file);
  const { sandbox } = openSandbox({ storage: again });
  expect(await sandbox.transport(readRequest(incidentId), control)).toMatchObject({ status: 200 });
  again.close();
});

it("restores a replaced incident once", async () => {
  const file = join(temporaryFolder(), "incidents");
  const storage = openStorage(fs, file);
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
  expect(await declare(file, [named("three")])).toMatchObject({ names: ["one", "three"], isTorn: true });
  expect(await declare(file, [named("four")])).toMatchObject({
    names: ["one", "three", "four"],
    isTorn: false,
  });
});

it("creates no incident that it cannot store, and recovers when the disk has space again", async () => {
  const file = join(temporaryFolder(), "incidents");
  let isFull = true;
  const files: Files = {
    ...fs,
    writeSync: ((descriptor: number, bytes: Uint8Array, at: number) => {
      if (!isFull) return fs.writeSync(descriptor, bytes, at);
      if (at > 0) throw new Error("ENOSPC: no space left on device");
      return fs.writeSync(descriptor, bytes, at, 20);
    }) as typeof fs.writeSync,
  };
  const storage = openStorage(files, file);
  const { sandbox } = openSandbox({ storage });
  await expect(sandbox.transport(createRequest(named("lost")), control)).rejects.toThrow("ENOSPC");
  expect(sandbox.incidents()).toEqual([]);
  isFull = false;
  expect(await sandbox.transport(createRequest(named("kept")), control)).toMatchObject({ status: 201 });
  storage.close();
  expect((await declare(file, [])).names).toEqual(["kept"]);
});

it("rejects a file with other content, and names the line", () => {
  const file = join(temporaryFolder(), "notes.txt");
  fs.writeFileSync(file, "Dear diary\n");
  expect(() => openStorage(fs, file)).toThrow("line 1 is not an incident of a sandbox");
  expect(fs.readFileSync(file, "utf8")).toBe("Dear diary\n");
});
