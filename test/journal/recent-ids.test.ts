import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operationName } from "../../src/journal/journal.ts";
import { readRecentIds } from "../../src/journal/sent-creates.ts";
import { access, incidentId as id, numberedId, serviceId } from "../harness/builders.ts";
import { createClock, createWorld } from "../harness/incident.ts";
import { createFolderStore } from "./open-stores.ts";

const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };
const deps = {
  files: fs,
  system: { random, user: process.getuid?.(), clock: createClock(), signal: new AbortController().signal },
};
const definition = `id: ${id}
name: Checkout fails
severity: MAJOR
services: [{ id: ${serviceId}, name: Checkout }]
incidentUpdates: [{ description: We are looking. }]
`;

describe("readRecentIds", () => {
  it("gives those whose first events were appended together", async () => {
    const { folder } = createWorld();
    const appends = ["Checkout fails", "Search fails"].map((name, number) => {
      const key = { baseUrl: access.baseUrl, account: undefined, id: numberedId(number) };
      const at = "2026-11-23T00:00:00.000Z";
      const content = { digest: "", body: { name } };
      const event = { type: "sending", at, withId: true, deadline: 1, content };
      const stored = { writer: "w", formatVersion: 1, key, event };
      return { log: operationName(key), number: 0, event: stored, isUnsettled: true };
    });
    await createFolderStore(deps, folder).append(appends);
    expect(await readRecentIds(deps, folder)).toEqual([
      { id: numberedId(1), name: "Search fails" },
      { id: numberedId(0), name: "Checkout fails" },
    ]);
  });

  it("gives the newest first, and none of a service with an entry that cannot be read", async () => {
    const world = createWorld();
    for (const [number, name] of ["First", "Second", "Third"].entries()) {
      const stdin = definition.replace(id, numberedId(number)).replace("Checkout fails", name);
      expect((await world.run("create -f -", { stdin })).exitCode).toBe(0);
    }
    const stateDirectory = join(world.folder, "home/.local/state/incident-cli");
    const names = async () => (await readRecentIds(deps, stateDirectory)).map(({ name }) => name);
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
    expect(await readRecentIds(deps, createWorld().folder)).toEqual([]);
  });
});
