// Which state directories are believed: their modes, and what git tracks in them.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";

const text = definitionYaml({ id: incidentId });
const files = { "x.yaml": text, "folder/x.yaml": text };
const lines = [
  "create -f x.yaml",
  "apply -f folder",
  "journal list",
  `journal show ${incidentId}`,
  `journal settle ${incidentId} --not-created --yes`,
];

function git(world: World, ...args: string[]): void {
  const identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  execFileSync("git", ["-C", world.folder, ...identity, ...args], { stdio: "ignore" });
}

/** A checkout whose history has a state directory. */
function createCheckout(): World {
  const world = createWorld({ files: { ...files, "state/journal/.keep": "" } });
  for (const name of ["state", "state/journal"]) fs.chmodSync(join(world.folder, name), 0o700);
  git(world, "init");
  return world;
}

it.each(lines)("a state directory by a relative path is refused by %s", async (line) => {
  const env = { INCIDENT_CLI_STATE_DIR: "state" };
  const { exitCode, stderr, requests } = await createWorld({ files }).run(line, { env });
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).toContain("the state directory state cannot be used: it is another folder in each working");
});

describe("a state directory in a checkout", () => {
  it.each(lines)("is refused by %s where git tracks a file there", async (line) => {
    const world = createCheckout();
    git(world, "add", "-A");
    git(world, "commit", "-m", "x");
    const { exitCode, stderr, requests } = await world.run(`INCIDENT_CLI_STATE_DIR=state ${line}`);
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toContain("which may have files of others in it: git tracks state/journal/.keep");
    expect(stderr).toContain("name a directory outside of the checkout with INCIDENT_CLI_STATE_DIR");
  });

  it("is refused where a file is only staged", async () => {
    const world = createCheckout();
    git(world, "add", "-A");
    expect((await world.run("INCIDENT_CLI_STATE_DIR=state journal list")).exitCode).toBe(2);
  });

  it("is refused where a tracked link leads to it", async () => {
    const world = createWorld({ files });
    const outside = createWorld();
    fs.symlinkSync(outside.folder, join(world.folder, "state"));
    git(world, "init");
    expect((await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml")).exitCode).toBe(0);
    git(world, "add", "state");
    const { exitCode, stderr } = await world.run("INCIDENT_CLI_STATE_DIR=state journal list");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("git tracks state\n");
  });

  it("is refused where an untracked link leads to tracked files", async () => {
    const world = createCheckout();
    git(world, "add", "-A");
    fs.symlinkSync(join(world.folder, "state"), join(world.folder, "home"));
    expect((await world.run("INCIDENT_CLI_STATE_DIR=home journal list")).exitCode).toBe(2);
  });

  it("is used where git tracks nothing there", async () => {
    const world = createCheckout();
    git(world, "add", "x.yaml");
    git(world, "commit", "-m", "x");
    expect(await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml")).toMatchObject({ exitCode: 0 });
    expect((await world.run("INCIDENT_CLI_STATE_DIR=new create -f x.yaml")).exitCode).toBe(0);
  });

  it("is refused where git cannot say", async () => {
    const world = createCheckout();
    fs.writeFileSync(join(world.folder, ".git/index"), "torn");
    const { exitCode, stderr } = await world.run("INCIDENT_CLI_STATE_DIR=state journal list");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("which may have files of others in it: git failed (128)");
  });

  it("does not matter with --no-journal", async () => {
    const world = createCheckout();
    git(world, "add", "-A");
    expect((await world.run("INCIDENT_CLI_STATE_DIR=state create -f x.yaml --no-journal")).exitCode).toBe(0);
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
