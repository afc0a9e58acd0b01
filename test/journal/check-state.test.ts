// Which state directories are believed: their modes, and whether they are in a repository.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";

const files = {
  "x.yaml": definitionYaml({ id: incidentId }),
  "folder/x.yaml": definitionYaml({ id: incidentId }),
};
const lines = [
  "create -f x.yaml",
  "apply -f folder",
  "journal list",
  `journal show ${incidentId}`,
  `journal settle ${incidentId} --not-created --yes`,
];

/** A checkout with a state directory. */
function createCheckout(): World {
  const world = createWorld({
    files: { ...files, "repository/.git/HEAD": "", "repository/state/journal/.keep": "" },
  });
  for (const name of ["state", "state/journal"]) fs.chmodSync(join(world.folder, "repository", name), 0o700);
  return world;
}

it.each(lines)("a state directory by a relative path is refused by %s", async (line) => {
  const env = { INCIDENT_CLI_STATE_DIR: "state" };
  const { exitCode, stderr, requests } = await createWorld({ files }).run(line, { env });
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).toContain("the state directory state cannot be used: it is another folder in each working");
});

describe("a state directory in a repository", () => {
  it.each(lines)("is refused by %s", async (line) => {
    const world = createCheckout();
    const { exitCode, stderr, requests } = await world.run(`INCIDENT_CLI_STATE_DIR=repository/state ${line}`);
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toContain(
      `is in the repository ${join(world.folder, "repository")}, which may have files of others`,
    );
    expect(stderr).toContain("name a directory outside of the checkout with INCIDENT_CLI_STATE_DIR");
  });

  it.each([
    ["that does not exist yet", "repository/new/state"],
    ["that a link leads to", "link/state"],
    ["that does not exist yet, behind a link", "link/new"],
  ])("is refused: one %s", async (_, state) => {
    const world = createCheckout();
    fs.symlinkSync(join(world.folder, "repository"), join(world.folder, "link"));
    const { exitCode, requests } = await world.run(`INCIDENT_CLI_STATE_DIR=${state} create -f x.yaml`);
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  });

  it("is refused where it is a link in a repository", async () => {
    const world = createCheckout();
    const outside = createWorld();
    fs.symlinkSync(outside.folder, join(world.folder, "repository/link"));
    const line = "INCIDENT_CLI_STATE_DIR=repository/link create -f x.yaml";
    expect(await world.run(line)).toMatchObject({ exitCode: 2, requests: [] });
  });

  it("does not matter with --no-journal", async () => {
    const line = "INCIDENT_CLI_STATE_DIR=repository/state create -f x.yaml --no-journal";
    expect((await createCheckout().run(line)).exitCode).toBe(0);
  });
});

describe("a state directory that others may write to", () => {
  it.each(["state", "state/journal"])("is refused before anything is read: %s", async (name) => {
    const world = createWorld({ files });
    fs.mkdirSync(join(world.folder, name), { recursive: true, mode: 0o700 });
    fs.chmodSync(join(world.folder, name), 0o777);
    for (const line of lines) {
      const { exitCode, stderr, requests } = await world.run(`INCIDENT_CLI_STATE_DIR=state ${line}`);
      expect({ exitCode, requests }, line).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toContain(
        `the state directory ${join(world.folder, name)} cannot be used: it belongs to others, or others may write`,
      );
    }
  });

  it("is used where a new folder is made inside it, as the message says", async () => {
    const world = createWorld({ files });
    fs.mkdirSync(join(world.folder, "volume"));
    fs.chmodSync(join(world.folder, "volume"), 0o777);
    const refused = await world.run("INCIDENT_CLI_STATE_DIR=volume create -f x.yaml");
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(
      "or name another, such as a new one inside it, with INCIDENT_CLI_STATE_DIR",
    );
    expect((await world.run("INCIDENT_CLI_STATE_DIR=volume/own create -f x.yaml")).exitCode).toBe(0);
  });
});
