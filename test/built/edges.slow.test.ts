// The built command and the system: closed pipes, full disks, signals, and a stdin that never ends.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterEach, describe, expect, it } from "vitest";
import { access, definitionYaml, incidentId as id } from "../harness/builders.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { listen } from "../http/fault-server.ts";
import { command, node, shellCommand } from "./program.ts";

const large = { id, name: "Large", filler: "x".repeat(1024 * 1024) };

let server: Server | undefined;
let posts = 0;

/** A service that answers a read with 1 MB, which no pipe holds, and a create with its id; `stall` never answers a read. */
async function serve(options: { stall?: boolean } = {}): Promise<Record<string, string>> {
  posts = 0;
  const body = JSON.stringify(large);
  server = createServer((request, response) => {
    if (request.method === "GET" && options.stall) return;
    if (request.method === "POST") posts += 1;
    request.resume().on("end", () => {
      response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
      response.end(body);
    });
  });
  return {
    INCIDENT_CLI_BASE_URL: `http://127.0.0.1:${await listen(server)}`,
    INCIDENT_CLI_API_KEY: access.apiKey,
    INCIDENT_CLI_ACCOUNT_ID: access.accountId,
    INCIDENT_CLI_STATE_DIR: temporaryFolder(),
  };
}

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const shell = (script: string, env: Record<string, string>) =>
  execa("bash", ["-c", script], { env, reject: false, stdin: "ignore" });

function definitionFile(): string {
  const file = join(temporaryFolder(), "x.yaml");
  writeFileSync(file, definitionYaml());
  return file;
}

describe("pipes", () => {
  it("receive a large result completely, even with a slow reader", async () => {
    const { stdout } = await shell(
      `${shellCommand} get ${id} -o json | (sleep 0.5; cat) | wc -c`,
      await serve(),
    );
    expect(Number(stdout)).toBe(JSON.stringify(large, null, 2).length + 1);
  });

  it("receive all messages, also where they do not block and their reader is slow", async () => {
    const folder = temporaryFolder();
    const files = join(folder, "long".repeat(50));
    mkdirSync(files);
    // A warning for each file.
    const reopened =
      "[{ status: RESOLVED, description: Over. }, { status: IDENTIFIED, description: Again. }]";
    for (let file = 0; file < 300; file += 1)
      writeFileSync(join(files, `${file}.yaml`), definitionYaml({ incidentUpdates: reopened }));
    const fifo = join(folder, "fifo");
    execFileSync("mkfifo", [fifo]);
    const writer = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    const reader = openSync(fifo, "r");
    const args = [command, "validate", "-R", "-f", files];
    const whole = await execa(node, args, { cwd: folder, reject: false });
    spawn(node, args, { cwd: folder, stdio: ["ignore", "ignore", writer] });
    closeSync(writer);
    const read = execFileSync("sh", ["-c", "sleep 2; wc -c"], { stdio: [reader, "pipe", "inherit"] });
    closeSync(reader);
    expect(Number(read)).toBe(whole.stderr.length + 1);
  });

  it("end the command without an error when the reader closes early", async () => {
    const { stdout, stderr } = await shell(
      `set -o pipefail; ${shellCommand} get ${id} -o json | head -1; echo "\${PIPESTATUS[0]}"`,
      await serve(),
    );
    expect({ stdout, stderr }).toEqual({ stdout: "{\n0", stderr: "" });
  });

  it("do not stop a create whose reader is gone", async () => {
    const env = await serve();
    await shell(`${shellCommand} create -f ${definitionFile()} --settle-for 1s --quiet | true`, env);
    expect(posts).toBe(1);
  });

  it.each([`get ${id} -o id`, "--version"])(
    "cause an error when the disk behind stdout is full: %s",
    async (args) => {
      const { exitCode, stderr } = await shell(`${shellCommand} ${args} > /dev/full`, await serve());
      expect(exitCode).toBe(1);
      expect(stderr).toContain("could not be written to stdout");
      expect(stderr).toContain("no space left");
    },
  );

  it("keep the exit code when the disk behind stderr is full", async () => {
    const { exitCode } = await shell(`${shellCommand} get nothing 2> /dev/full`, await serve());
    expect(exitCode).toBe(2);
  });

  it("make a closed stdin an empty file", async () => {
    const { exitCode, stderr } = await shell(`${shellCommand} create -f - <&-`, await serve());
    expect(exitCode).toBe(3);
    expect(stderr).toContain("<stdin>");
  });
});

describe("the memory of a check", () => {
  // V8 keeps a part of a text as a reference to all of it. No change of the letter case copies an id of digits.
  it("does not grow with the texts of the files", () => {
    const folder = temporaryFolder();
    const text = readFileSync(join(import.meta.dirname, "../../fixtures/api-outage.yaml"), "utf8");
    const comment = `# ${"x".repeat(900_000)}\n`;
    for (let file = 0; file < 70; file += 1) {
      const id = `id: 12345678-7425-4012-9441-${String(file).padStart(12, "0")}`;
      writeFileSync(join(folder, `${file}.yaml`), text.replace(/^id: .*/m, id) + comment);
    }
    const args = ["--max-old-space-size=40", command, "validate", folder];
    expect(execFileSync(node, args, { encoding: "utf8" })).toBe("70 definitions in 70 files: valid\n");
  });
});

describe("signals", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 143],
  ] as const)("end a read that waits for an answer: %s with %i", async (signal, exitCode) => {
    const env = await serve({ stall: true });
    const child = spawn(node, [command, "get", id, "--timeout", "20m"], { env: { ...process.env, ...env } });
    await once(server as Server, "request");
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([exitCode, null]);
  });

  it("end a command that waits for stdin", async () => {
    const env = await serve();
    const child = spawn(node, [command, "create", "-f", "-", "--debug"], { env: { ...process.env, ...env } });
    // The write ends once the command reads: a pipe holds 64 KiB.
    await new Promise((resolve) => child.stdin.write(`# ${"x".repeat(256 * 1024)}`, resolve));
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    expect(posts).toBe(0);
  });

  /** Ended by the signal itself, or by the command when it yields. */
  const interrupted = [
    [null, "SIGINT"],
    [130, null],
  ];
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  it("end the check of large files, each of which takes long", async () => {
    const folder = temporaryFolder();
    const text = `a: &a x\n${"- *a\n".repeat(200_000)}`;
    for (let file = 0; file < 50; file += 1) writeFileSync(join(folder, `${file}.yaml`), text);
    const child = spawn(node, [command, "validate", "."], { cwd: folder, stdio: "ignore" });
    await wait(700);
    child.kill("SIGINT");
    expect(interrupted).toContainEqual(await once(child, "exit"));
  });
});

describe("a working directory that is gone", () => {
  const inRemoved = async (args: string) => {
    const folder = join(temporaryFolder(), "removed");
    return shell(
      `mkdir ${folder}; cd ${folder}; rmdir ${folder}; ${shellCommand} ${args} 2>&1`,
      await serve(),
    );
  };

  it.each(["validate x.yaml", "sandbox -- true"])("ends %s with one sentence", async (args) => {
    const { exitCode, stdout } = await inRemoved(args);
    expect(stdout).toBe(
      "error: the working directory is gone, or a folder above it cannot be read (ENOENT)\n" +
        "  next: go to another folder with cd, and run it again",
    );
    expect(exitCode).toBe(2);
  });

  it.each(["--version", "get --help"])("is not needed for %s", async (args) => {
    expect(await inRemoved(args)).toMatchObject({ exitCode: 0 });
  });
});

describe("a home directory that is not known", () => {
  const withHome = async (args: string, start: string) =>
    shell(`cd ${temporaryFolder()}; ${start} ${shellCommand} ${args} 2>&1`, await serve());

  it.each(["''", "home"])("stops a command that reads settings: HOME=%s", async (home) => {
    const { exitCode, stdout } = await withHome(`get ${id}`, `env HOME=${home}`);
    expect([exitCode, stdout]).toEqual([
      2,
      "error: HOME is not the whole path of a folder\n  next: set HOME to the whole path of a folder of this user",
    ]);
  });

  it.runIf(process.getuid?.() === 0)("stops one of a user without a name", async () => {
    // The capability lets it run a Node.js that is below a private folder.
    const capability = "--inh-caps +dac_override --ambient-caps +dac_override";
    const nobody = `setpriv --reuid 54321 --regid 54321 --clear-groups ${capability} env -u HOME`;
    const { exitCode, stdout } = await withHome(`get ${id}`, nobody);
    expect([exitCode, stdout.split("\n")[0]]).toEqual([
      2,
      "error: this user has no home directory (ERR_SYSTEM_ERROR)",
    ]);
  });

  it("is not needed where the variables name the folders", async () => {
    const { exitCode } = await withHome(`get ${id}`, "env HOME= XDG_CONFIG_HOME=$PWD");
    expect(exitCode).toBe(0);
  });
});

describe("a package without one of its files", () => {
  it.each([
    ["dist", "dist"],
    ["\u001b[2J\u202e##[group]é", "?[2J??#[group]?"],
  ])("says that it cannot start: %j", async (folder, shown) => {
    const parent = temporaryFolder();
    const broken = join(parent, folder);
    cpSync(dirname(command), broken, { recursive: true });
    rmSync(join(broken, "command.cjs"));
    const env = { XDG_CACHE_HOME: temporaryFolder() };
    const { exitCode, stderr } = await execa(node, [join(broken, "incident.cjs"), "validate"], {
      env,
      reject: false,
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        `error: incident cannot start: ENOENT: no such file or directory, open '${join(parent, shown, "command.cjs")}'\n` +
        "  next: install incident-cli again",
    });
  });

  it.each([
    ["undici", /^undici-transport-/],
    ["its parser", /^llhttp_simd/],
  ])("fails before it journals or sends without %s", async (_, part) => {
    const env = await serve();
    const broken = join(temporaryFolder(), "dist");
    cpSync(dirname(command), broken, { recursive: true });
    const missing = readdirSync(broken).filter((name) => part.test(name));
    expect(missing).toHaveLength(1);
    for (const name of missing) rmSync(join(broken, name));
    const create = ["create", "-f", definitionFile(), "-o", "id"];
    const failed = await execa(node, [join(broken, "incident.cjs"), ...create], {
      env: { ...env, XDG_CACHE_HOME: temporaryFolder() },
      reject: false,
    });
    expect({ exitCode: failed.exitCode, posts }).toEqual({ exitCode: 1, posts: 0 });
    expect(failed.stderr).toContain(missing[0]);
    const { stdout } = await execa(node, [command, "journal", "list", "-o", "json"], { env });
    expect(JSON.parse(stdout)).toEqual([]);
  });
});
