// Files that block or never end, where a command expects a regular file; and folders that cannot be made.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { answer, definitionYaml, incidentId as id } from "./harness/builders.ts";
import { createWorld } from "./harness/incident.ts";
import { countSteps, stopCounting } from "./harness/steps.ts";

afterAll(stopCounting);

// First: V8 counts only functions that no test has run.
describe("services import", () => {
  it("adds 2,000 services of the same name, in a number of steps that grows as they do", async () => {
    const services = Array.from({ length: 2_000 }, (_, index) => ({
      name: "Public API",
      id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    }));
    const world = createWorld({ transport: async () => answer({ id, services }) });
    let names: string[] = [];
    const steps = await countSteps(async () => {
      const { exitCode, stderr, stdout } = await world.run(`services import ${id} -o json`);
      expect(exitCode, stderr).toBe(0);
      names = JSON.parse(stdout).map(({ name }: { name: string }) => name);
    });
    expect([names[0], names[1], names.at(-1)]).toEqual(["public-api", "public-api-2", "public-api-2000"]);
    expect(steps / services.length).toBeLessThan(10_000);
  });
});

describe.runIf(process.platform === "linux")("a FIFO", () => {
  it.each([
    ["a definition", "a.yaml", "validate a.yaml"],
    ["the project's file", ".incident.yaml", "services list"],
    ["a file of variables", "vars.yaml", "validate b.yaml --vars vars.yaml"],
    ["the user's settings", "home/.config/incident-cli/config.yaml", "config show --profile one"],
  ])("in the place of %s is refused, and not waited for", async (_, name, line) => {
    const world = createWorld({
      files: { "b.yaml": definitionYaml(), "home/.config/incident-cli/x": "" },
    });
    execFileSync("mkfifo", ["-m", "600", join(world.folder, name)]);
    const { exitCode, stderr } = await world.run(line);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain("not a regular file");
  });
});

describe("a state directory that cannot be made", () => {
  it.runIf(process.platform === "linux")("in /proc stops the create, and does not hang it", async () => {
    const world = createWorld({ files: { "a.yaml": definitionYaml() } });
    const { exitCode } = await world.run("INCIDENT_CLI_STATE_DIR=/proc/none/state create -f a.yaml");
    expect({ exitCode, incidents: world.sandbox.incidents() }).toEqual({ exitCode: 2, incidents: [] });
  });
});
