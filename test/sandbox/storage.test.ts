import * as fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Files } from "../../src/platform/context.ts";
import { openData } from "../../src/sandbox/storage.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { createBody, createRequest, incidentId, openSandbox, readRequest } from "./requests.ts";

/** A sandbox that is started again does not count up from the same ids. */
const random = { guid: () => globalThis.crypto.randomUUID() };
const control = { deadline: 1000 };

/** Creates the bodies in a sandbox over the file, and gives back their statuses and all that it then holds. */
async function declare(file: string, bodies: readonly object[], files: Files = fs) {
  const data = openData(files, file);
  try {
    const { sandbox } = openSandbox({ kept: data.kept, keep: data.keep, random });
    for (const body of bodies) await sandbox.transport(createRequest(body), control);
    return {
      names: sandbox.incidents().map(({ name }) => name),
      counts: sandbox.statistics(),
      torn: data.torn,
    };
  } finally {
    data.close();
  }
}

const named = (name: string) => ({ ...createBody, name });

it("gives the next sandbox what the last one kept, and counts only what is new", async () => {
  const file = join(temporaryFolder(), "incidents");
  await declare(file, [{ ...named("one"), id: incidentId }, named("two")]);
  const { names, counts } = await declare(file, [named("three"), named("two")]);
  expect(names).toEqual(["one", "two", "three", "two"]);
  expect(counts).toEqual({ requests: 2, created: 2, duplicates: 1, tooMany: 0 });
  const again = openData(fs, file);
  const { sandbox } = openSandbox({ kept: again.kept });
  expect(await sandbox.transport(readRequest(incidentId), control)).toMatchObject({ status: 200 });
  again.close();
});

it("keeps what was replaced only once", async () => {
  const file = join(temporaryFolder(), "incidents");
  const data = openData(fs, file);
  const { sandbox } = openSandbox({ keep: data.keep, onDuplicateId: "upsert" });
  for (const name of ["old", "new"]) {
    await sandbox.transport(createRequest({ ...named(name), id: incidentId }), control);
  }
  data.close();
  expect((await declare(file, [])).names).toEqual(["new"]);
});

it.each([1, 40, 300])(
  "leaves out a line whose last %i bytes were not written, and goes on behind it",
  async (lost) => {
    const file = join(temporaryFolder(), "incidents");
    await declare(file, [named("one"), named("two")]);
    const whole = fs.readFileSync(file);
    fs.writeFileSync(file, whole.subarray(0, -lost));
    expect(await declare(file, [named("three")])).toMatchObject({ names: ["one", "three"], torn: true });
    expect(await declare(file, [named("four")])).toMatchObject({
      names: ["one", "three", "four"],
      torn: false,
    });
  },
);

it("creates nothing that it cannot keep, and goes on when there is room again", async () => {
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
  const data = openData(files, file);
  const { sandbox } = openSandbox({ keep: data.keep });
  await expect(sandbox.transport(createRequest(named("lost")), control)).rejects.toThrow("ENOSPC");
  expect(sandbox.incidents()).toEqual([]);
  isFull = false;
  expect(await sandbox.transport(createRequest(named("kept")), control)).toMatchObject({ status: 201 });
  data.close();
  expect((await declare(file, [])).names).toEqual(["kept"]);
});

it("refuses a file that holds something else, and names the line", () => {
  const file = join(temporaryFolder(), "notes.txt");
  fs.writeFileSync(file, "Dear diary\n");
  expect(() => openData(fs, file)).toThrow("line 1 is not an incident of a sandbox");
  expect(fs.readFileSync(file, "utf8")).toBe("Dear diary\n");
});
