import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolderStore } from "../../src/journal/folder/store.ts";
import { readRecentIds } from "../../src/journal/sent/sent-records.ts";
import { incidentId as id, numberedId, serviceId } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";

const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };
const definition = `id: ${id}
name: Checkout fails
severity: MAJOR
services: [{ id: ${serviceId}, name: Checkout }]
incidentUpdates: [{ description: We are looking. }]
`;

describe("readRecentIds", () => {
  it("gives those whose first events were appended together", async () => {
    const { folder } = createWorld();
    const store = createFolderStore({ files: fs, system: { random, user: process.getuid?.() } }, folder);
    const appends = ["Checkout fails", "Search fails"].map((name, number) => {
      const event = { writer: "w", key: { id: numberedId(number) }, event: { content: { body: { name } } } };
      return { log: `op-${number}`, number: 0, event, isUnsettled: true };
    });
    await store.append(appends);
    expect(readRecentIds(fs, folder)).toEqual([
      { id: numberedId(0), name: "Checkout fails" },
      { id: numberedId(1), name: "Search fails" },
    ]);
  });

  it("gives the newest first, and leaves out the one that cannot be read", async () => {
    const world = createWorld();
    for (const [number, name] of ["First", "Second", "Third"].entries()) {
      const stdin = definition.replace(id, numberedId(number)).replace("Checkout fails", name);
      expect((await world.run("create -f -", { stdin })).exitCode).toBe(0);
    }
    const stateDirectory = join(world.folder, "home/.local/state/incident-cli");
    const names = () => readRecentIds(fs, stateDirectory).map(({ name }) => name);
    expect(names()).toEqual(["Third", "Second", "First"]);
    const folder = join(stateDirectory, "journal");
    const second = fs
      .readdirSync(folder)
      .filter((name) => fs.readFileSync(join(folder, name), "utf8").includes('"Second"'));
    for (const name of second) fs.writeFileSync(join(folder, name), "{");
    expect(names()).toEqual(["Third", "First"]);
  });

  it("gives nothing without a journal", () => {
    expect(readRecentIds(fs, createWorld().folder)).toEqual([]);
  });
});
