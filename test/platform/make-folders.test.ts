import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolders } from "../../src/platform/folders.ts";
import { terminal } from "../harness/builders.ts";
import { createWorld, temporaryFolder } from "../harness/incident.ts";

describe("makeFolders", () => {
  it("makes a folder and the missing ones above it, closed to others", () => {
    const top = temporaryFolder();
    makeFolders(fs, join(top, "a/b/c"));
    for (const name of ["a", "a/b", "a/b/c"]) expect(fs.statSync(join(top, name)).mode & 0o777).toBe(0o700);
    makeFolders(fs, join(top, "a/b/c"));
  });

  it.skipIf(!fs.existsSync("/proc/self"))("ends where a file system refuses new folders", () => {
    expect(() => makeFolders(fs, "/proc/incident-cli/state")).toThrow(/ENOENT|EACCES|EPERM/);
  });

  it("gives the reason where a file stands in the way", () => {
    const top = temporaryFolder();
    fs.writeFileSync(join(top, "file"), "");
    expect(() => makeFolders(fs, join(top, "file/below"))).toThrow(/ENOTDIR/);
  });
});

describe.skipIf(!fs.existsSync("/proc/self"))("a state directory below /proc", () => {
  it("keeps no answers of an interactive create, and says so", async () => {
    const service = "--service Checkout=3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";
    const line = `INCIDENT_CLI_STATE_DIR=/proc/incident-cli/x create --name 'Checkout fails' ${service}`;
    const { stderr } = await createWorld({ terminal, answers: ["MAJOR"] }).run(line);
    expect(stderr).toContain("warning: the answers are not kept: ENOENT");
  });
});
