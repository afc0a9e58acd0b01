// The built command in Node.js for Windows, under Wine: drive letters, backslashes, no user ids, no modes, and the file
// operations of Windows. INCIDENT_TEST_WINDOWS_NODE names its node.exe.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import { definitionYaml, incidentId, numberedId, serviceId } from "../harness/builders.ts";
import { findProgram, isWindowsMissing, windowsNode } from "../harness/programs.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { command, node } from "./program.ts";

const wine = {
  PATH: process.env.PATH ?? "",
  WINEDEBUG: "-all",
  WINEPREFIX: "",
  // Wine would take them from the user of this machine.
  HOME: "",
};

/** Wine replaces the variables of the user's folders, so that the process sets its own. */
const preload = `const fs = require("node:fs");
const home = process.env.TEST_HOME;
Object.assign(process.env, { USERPROFILE: home, LOCALAPPDATA: home + "\\\\AppData\\\\Local" });
if (process.env.TEST_LINKS === "none")
  fs.linkSync = () => { throw Object.assign(new Error("EPERM: link"), { code: "EPERM" }); };
`;

/** The drive Z: is the root of this machine. */
const installed = `Z:${command.replaceAll("/", "\\")}`;

let drives = 0;

/** A working directory with files, in a folder of its own on the drive C:. */
function openWindows(
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
) {
  drives += 1;
  const root = `C:\\${drives}`;
  const drive = join(wine.WINEPREFIX, "drive_c", String(drives));
  for (const folder of ["work/.git", "me/AppData/Local/Temp"])
    mkdirSync(join(drive, folder), { recursive: true });
  for (const [name, text] of Object.entries({ ...files, "preload.cjs": preload })) {
    mkdirSync(dirname(join(drive, name)), { recursive: true });
    writeFileSync(join(drive, name), text);
  }
  // That of this machine is no path of the drive.
  const env = { ...wine, ...settings, TEST_HOME: `${root}\\me`, INCIDENT_CLI_STATE_DIR: "" };
  const start = (args: readonly string[], [out, err]: readonly [number, number]) =>
    spawn(
      findProgram("wine") as string,
      [windowsNode as string, "--require", `${root}\\preload.cjs`, installed, ...args],
      { cwd: join(drive, "work"), env, stdio: ["ignore", out, err] },
    );
  /** Under Wine, Node.js writes to no pipe. */
  const run = async (...args: readonly string[]) => {
    const [out, err] = [join(drive, "out"), join(drive, "err")];
    const descriptors = [openSync(out, "w"), openSync(err, "w")] as const;
    const [exitCode] = await once(start(args, descriptors), "close");
    for (const descriptor of descriptors) closeSync(descriptor);
    return { exitCode, stdout: readFileSync(out, "utf8").trim(), stderr: readFileSync(err, "utf8") };
  };
  return { drive, root, run, start };
}

const files = {
  "work/incidents/a.yaml": definitionYaml({ id: incidentId, services: "[checkout]" }),
  "work/.incident.yaml": `services: { checkout: { name: Checkout, id: ${serviceId} } }\n`,
};

describe.skipIf(isWindowsMissing())("on Windows", () => {
  beforeAll(async () => {
    wine.HOME = await mkdtemp(join(tmpdir(), "incident-wine-"));
    wine.WINEPREFIX = join(wine.HOME, "prefix");
    mkdirSync(wine.WINEPREFIX);
    // Else the services of Windows, which keep the streams that they get, start again for a command that comes late.
    const quiet = { env: wine, extendEnv: false, stdio: "ignore" } as const;
    await execa("wineserver", ["--persistent"], quiet);
    const version = ["add", "HKEY_CURRENT_USER\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"];
    await execa(findProgram("wine") as string, ["reg", ...version], quiet);
    return async () => {
      await execa("wineserver", ["--kill", "--wait"], { env: wine, extendEnv: false, reject: false });
      await rm(wine.HOME, { recursive: true, force: true });
    };
  });

  // A start of Node.js under Wine takes seconds, so that one has all notations.
  it("declares each file once, whatever the notation of its path", async () => {
    await withSandbox(async (service) => {
      const names = ["incidents/1", "incidents/2", "incidents/3", "folder/4", "incidents/5", "incidents/6"];
      const ids = names.map((_, at) => numberedId(at));
      const { root, run } = openWindows(
        Object.fromEntries(
          names.map((name, at) => [`work/${name}.yaml`, definitionYaml({ id: numberedId(at), name })]),
        ),
        service,
      );
      const paths = [
        `${root}\\work\\incidents\\1.yaml`,
        `${root.replace("\\", "/")}/work/incidents/2.yaml`,
        "incidents\\3.yaml",
        `${root}\\work\\folder`,
        `${root}\\work\\*\\5.yaml`,
        "inc*\\6.yaml",
      ];
      const create = ["create", ...paths.flatMap((path) => ["-f", path]), "-o", "id"];
      for (const said of ["\ndeclared", "already declared"]) {
        const { exitCode, stderr, stdout } = await run(...create);
        expect({ exitCode, ids: stdout.split(/\r?\n/) }, stderr).toEqual({ exitCode: 0, ids });
        expect(stderr).toContain(said);
      }
      expect((await run("create", "-f", "incidents\\b.yaml")).stderr).toContain(
        "error: incidents\\b.yaml does not exist",
      );
    });
  });

  it("declares once what was killed before the answer came", async () => {
    await withSandbox(
      async (service) => {
        const { drive, run, start } = openWindows(files, service);
        const sink = openSync(join(drive, "sink"), "w");
        const child = start(["create", "-f", "incidents\\a.yaml"], [sink, sink]);
        const unsettled = join(drive, "me/.local/state/incident-cli/unsettled");
        while (child.exitCode === null && (!existsSync(unsettled) || readdirSync(unsettled).length === 0))
          await new Promise((wait) => setTimeout(wait, 20));
        child.kill("SIGKILL");
        await once(child, "close");
        closeSync(sink);
        const { exitCode, stdout } = await run("create", "-f", "incidents\\a.yaml", "-o", "id");
        if (exitCode === 8) {
          // Killed before the first byte left, it is not known to be declared, and nothing sends it again.
          const { stdout: known } = await run("journal", "list", "-o", "json");
          expect(JSON.parse(known)).toMatchObject([{ id: incidentId }]);
        } else expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: incidentId });
      },
      ["--fault", "create:slow-commit=1s"],
    );
  });

  it("keeps settings and the journal below the user's folder, and the code cache in that of caches", async () => {
    await withSandbox(async (service) => {
      const { drive, root, run } = openWindows(files, service);
      expect((await run("create", "-f", "incidents\\a.yaml")).exitCode).toBe(0);
      expect(JSON.parse((await run("config", "show", "-o", "json")).stdout)).toMatchObject({
        userFile: `${root}\\me\\.config\\incident-cli\\config.yaml`,
        projectFile: `${root}\\work\\.incident.yaml`,
      });
      expect(existsSync(join(drive, "me/.local/state/incident-cli/journal"))).toBe(true);
      expect(readdirSync(join(drive, "me/AppData/Local/incident-cli"))).toContainEqual(
        expect.stringMatching(/^node-.*-create\.bin$/),
      );
    });
  });

  it("shows errors at the path as it was written, and corrects them", async () => {
    const { drive, run } = openWindows({ "work/incidents/b.yaml": "name: x\r\nseverity: major\r\n" });
    const { exitCode, stderr } = await run("validate", "--fix", "incidents\\b.yaml");
    expect(exitCode).toBe(3);
    expect(stderr).toContain("incidents\\b.yaml:1:1: error: services is missing [missing-field]");
    expect(readFileSync(join(drive, "work/incidents/b.yaml"), "utf8")).toBe("name: x\r\nseverity: MAJOR\r\n");
  });

  it("sends nothing without hard links", async () => {
    await withSandbox(async (service) => {
      const { root, run } = openWindows(files, { ...service, TEST_LINKS: "none" });
      const { exitCode, stderr } = await run("create", "-f", "incidents\\a.yaml");
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`${root}\\me\\.local\\state\\incident-cli`);
      expect(stderr).toContain("has no hard links (EPERM)");
      // On this machine, where a process starts faster.
      const get = await execa(node, [command, "get", incidentId], { env: service, reject: false });
      expect(get.exitCode).toBe(5);
    });
  });

  it("finds everything in order, with doctor", async () => {
    await withSandbox(async (service) => {
      const { run } = openWindows(files, service);
      const { exitCode, stdout } = await run("doctor", "-o", "json");
      const isWrong = ({ status }: { status: string }) => status === "wrong";
      const wrong = JSON.parse(stdout).checks.filter(isWrong);
      expect({ exitCode, wrong }).toEqual({ exitCode: 0, wrong: [] });
    });
  });
});
