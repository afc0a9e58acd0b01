// Files that block or never end, where a command expects a regular file; and folders that cannot be made.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml } from "./harness/builders.ts";
import { createWorld } from "./harness/incident.ts";

describe.runIf(process.platform === "linux")("a FIFO", () => {
  it.each([
    ["a definition", "a.yaml", "validate a.yaml", 3],
    ["the project's file", ".incident.yaml", "services list", 2],
    ["a file of variables", "vars.yaml", "validate b.yaml --vars vars.yaml", 2],
    ["the user's settings", "home/.config/incident-cli/config.yaml", "config show --profile one", 2],
  ])("in the place of %s is refused, and not waited for", async (_, name, line, code) => {
    const world = createWorld({ files: { "b.yaml": definitionYaml(), "home/.config/incident-cli/x": "" } });
    execFileSync("mkfifo", ["-m", "600", join(world.folder, name)]);
    const { exitCode, stderr } = await world.run(line);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: code });
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
