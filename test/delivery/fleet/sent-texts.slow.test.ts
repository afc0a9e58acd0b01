// With a shared journal, the machine that wrote a create keeps its text: to send it again, and to find its services.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRecentIds } from "../../../src/journal/sent-creates.ts";
import { incidentId as id, serviceId } from "../../harness/builders.ts";
import { createClock } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { createGitWorld } from "../../journal/git/world.ts";

const random = { guid: () => crypto.randomUUID(), fraction: () => 0.5 };
const deps = {
  files: fs,
  system: { random, user: process.getuid?.(), clock: createClock(), signal: new AbortController().signal },
};

describe.skipIf(isMissing("git"))("a create with a shared journal", () => {
  it("lets this machine name a service by its GUID, and complete the id", async () => {
    const { world } = createGitWorld();
    const run = (line: string) => world.run(`${line} --settle-for 1s`);
    expect((await run("INCIDENT_CLI_STATE_DIR=here create -f x.yaml")).exitCode).toBe(0);
    const again = await run(
      `INCIDENT_CLI_STATE_DIR=here create --name Other --severity minor --service ${serviceId} --message m`,
    );
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain("(Checkout)");
    const [newest, first] = await readRecentIds(deps, join(world.folder, "here"));
    expect(newest?.name).toBe("Other");
    expect(first).toEqual({ id, name: "Checkout fails" });
  });
});
