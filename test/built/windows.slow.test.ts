// The built command on a simulated Windows: paths with drive letters and backslashes, no user ids, no modes, folders
// that cannot be opened, and a drive without hard links. A process of its own, so that the simulation reaches all of it.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId, serviceId } from "../harness/builders.ts";
import { temporaryFolder } from "../harness/incident.ts";

import { withSandbox } from "../harness/with-sandbox.ts";
import { command, node } from "./program.ts";

const simulation = join(import.meta.dirname, "../harness/windows.cjs");

/** A drive with files, below its root. */
function createDrive(files: Readonly<Record<string, string>>): string {
  const drive = temporaryFolder();
  for (const folder of ["work/.git", "Users/me/AppData/Local/Temp"])
    mkdirSync(join(drive, folder), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(drive, name)), { recursive: true });
    writeFileSync(join(drive, name), text);
  }
  return drive;
}

function openWindows(
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
) {
  const drive = createDrive(files);
  const env = {
    USERPROFILE: "C:\\Users\\me",
    LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local",
    SIMULATED_DRIVE: drive,
    ...settings,
    // That of the machine is no path of the drive.
    INCIDENT_CLI_STATE_DIR: "",
  };
  const run = async (...args: readonly string[]) => {
    const options = { env, extendEnv: false, reject: false, stdin: "ignore" } as const;
    const { exitCode, stdout, stderr } = await execa(
      node,
      ["--require", simulation, command, ...args],
      options,
    );
    return { exitCode, stdout, stderr };
  };
  return { drive, run };
}

const files = {
  "work/incidents/a.yaml": definitionYaml({ id: incidentId, services: "[checkout]" }),
  "work/.incident.yaml": `services: { checkout: { name: Checkout, id: ${serviceId} } }\n`,
};

describe("on a drive of Windows", () => {
  it.each([
    ["an absolute path", "C:\\work\\incidents\\a.yaml"],
    ["a path with slashes", "C:/work/incidents/a.yaml"],
    ["a relative path", "incidents\\a.yaml"],
    ["a folder", "C:\\work\\incidents"],
    ["a glob", "C:\\work\\*\\*.yaml"],
    ["a relative glob", "inc*\\a.yaml"],
  ])("a create declares %s once", async (_, file) => {
    await withSandbox(async (service) => {
      const { run } = openWindows(files, service);
      for (const notice of ["declared", "already declared"]) {
        const { exitCode, stdout, stderr } = await run("create", "-f", file, "-o", "id");
        expect({ exitCode, stdout, stderr }).toEqual({
          exitCode: 0,
          stdout: incidentId,
          stderr: expect.stringContaining(notice),
        });
      }
    });
  });

  it("keeps settings and the journal below the user's folder, and the code cache in that of caches", async () => {
    await withSandbox(async (service) => {
      const { drive, run } = openWindows(files, service);
      expect((await run("create", "-f", "incidents\\a.yaml")).exitCode).toBe(0);
      expect((await run("config", "path")).stdout.split("\n")).toEqual([
        "C:\\Users\\me\\.config\\incident-cli\\config.yaml",
        "C:\\work\\.incident.yaml",
      ]);
      expect(existsSync(join(drive, "Users/me/.local/state/incident-cli/journal"))).toBe(true);
      expect(readdirSync(join(drive, "Users/me/AppData/Local/incident-cli"))).toContainEqual(
        expect.stringMatching(/^node-.*-create\.bin$/),
      );
    });
  });

  it("shows errors at the path as it was written", async () => {
    const { run } = openWindows({ "work/incidents/b.yaml": "name: x\n" });
    const { exitCode, stderr } = await run("validate", "incidents\\b.yaml");
    expect(exitCode).toBe(3);
    expect(stderr).toContain("incidents\\b.yaml:1:1: error: severity is missing [missing-field]");
  });

  it("sends nothing without hard links", async () => {
    await withSandbox(async (service) => {
      const { run } = openWindows(files, { ...service, SIMULATED_LINKS: "none" });
      const { exitCode, stderr } = await run("create", "-f", "incidents\\a.yaml");
      expect(exitCode).toBe(2);
      expect(stderr).toContain("C:\\Users\\me\\.local\\state\\incident-cli");
      expect(stderr).toContain("has no hard links (EPERM)");
      expect((await run("get", incidentId)).exitCode).toBe(5);
    });
  });
});
