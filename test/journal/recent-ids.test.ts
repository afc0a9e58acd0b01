import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRecentIds } from "../../src/journal/open-journal.ts";
import { incidentId as id, numberedId, serviceId } from "../harness/builders.ts";
import { createClock, createWorld } from "../harness/incident.ts";

const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };
const depsOf = (stateDirectory: string): Parameters<typeof readRecentIds>[0] => ({
  files: fs,
  system: {
    env: { INCIDENT_CLI_STATE_DIR: stateDirectory },
    random,
    user: process.getuid?.(),
    clock: createClock(),
    signal: new AbortController().signal,
  } as never,
});
const definition = `id: ${id}
name: Checkout fails
severity: MAJOR
services: [{ id: ${serviceId}, name: Checkout }]
incidentUpdates: [{ description: We are looking. }]
`;

describe("readRecentIds", () => {
  it("gives the newest first, and none of a service with an entry that cannot be read", async () => {
    const world = createWorld();
    for (const [number, name] of ["First", "Second", "Third"].entries()) {
      const stdin = definition.replace(id, numberedId(number)).replace("Checkout fails", name);
      expect((await world.run("create -f -", { stdin })).exitCode).toBe(0);
    }
    const stateDirectory = join(world.folder, "home/.local/state/incident-cli");
    const names = async () => (await readRecentIds(depsOf(stateDirectory))).map(({ name }) => name);
    expect(await names()).toEqual(["Third", "Second", "First"]);
    const elsewhere = { env: { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:2" } };
    const stdin = definition.replace("Checkout fails", "Elsewhere");
    expect((await world.run("create -f -", { stdin, ...elsewhere })).exitCode).toBe(0);
    const folder = join(stateDirectory, "journal");
    const second = fs
      .readdirSync(folder, { recursive: true })
      .map(String)
      .filter(
        (name) => name.endsWith(".json") && fs.readFileSync(join(folder, name), "utf8").includes('"Second"'),
      );
    for (const name of second) fs.writeFileSync(join(folder, name), "{");
    expect(await names()).toEqual(["Elsewhere"]);
  });

  it("gives nothing without a journal", async () => {
    expect(await readRecentIds(depsOf(createWorld().folder))).toEqual([]);
  });
});
