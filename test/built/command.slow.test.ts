// The built command in child processes: its streams, and the child of its sandbox.
import { join } from "node:path";
import { execa, type Options } from "execa";
import { describe, expect, it } from "vitest";
import { incidentId } from "../harness/builders.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { command, nodes } from "./program.ts";

const root = new URL("../..", import.meta.url).pathname;

describe.each(nodes)("the built command on %s", (node) => {
  const run = (args: readonly string[], options: Options = {}) =>
    execa(node, [command, ...args], { reject: false, stdin: "ignore", ...options });

  it("says where no temporary file can be written", async () => {
    const TMPDIR = join(temporaryFolder(), "gone");
    const { exitCode, stderr } = await run(["sandbox", "--", "true"], { cwd: root, env: { TMPDIR } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `error: nothing can be written to ${TMPDIR}, the folder for temporary files (ENOENT)\n  next: name another with TMPDIR`,
    );
  });

  it("says that stdin cannot be read where it can only be written, as under nohup", async () => {
    const out = join(temporaryFolder(), "out");
    const script = `'${node}' '${command}' create -f - 0> '${out}'`;
    const { exitCode, stderr } = await execa("sh", ["-c", script], { reject: false });
    expect(stderr).toMatch(/^error: stdin cannot be read \(EBADF\)\n {2}next: .*name a file/);
    expect(exitCode).toBe(2);
  });

  it("passes settings, pin and a temporary state directory to the child of the sandbox", async () => {
    const script = `
      const { INCIDENT_CLI_BASE_URL: url, INCIDENT_CLI_SANDBOX: pin, INCIDENT_CLI_STATE_DIR: state } = process.env;
      console.log(JSON.stringify({ pinned: url === pin, url, state: require("node:fs").statSync(state).isDirectory() }));
      process.exitCode = 7;`;
    const env = { INCIDENT_CLI_PROFILE: "production" };
    const { exitCode, stdout } = await run(["sandbox", "--", process.execPath, "-e", script], { env });
    expect(exitCode).toBe(7);
    expect(JSON.parse(String(stdout))).toEqual({
      pinned: true,
      state: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
  });

  it("reads answers on a machine without SIMD", async () => {
    const file = join(root, "fixtures/api-outage.yaml");
    const args = ["sandbox", "--", node, command, "create", "-f", file, "-o", "id"];
    const { exitCode, stdout } = await run(args, { env: { UNDICI_NO_WASM_SIMD: "1" } });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01" });
  });

  it("passes a signal on to the sandbox's child and exits with its code", async () => {
    const script = `process.on("SIGTERM", () => process.exit(42)); setInterval(() => {}, 1000); console.log("ready");`;
    const child = run(["sandbox", "--", process.execPath, "-e", script]);
    child.stdout?.once("data", () => child.kill("SIGTERM"));
    expect((await child).exitCode).toBe(42);
  });

  it("reports that the child of the sandbox cannot be started", async () => {
    const { exitCode, stderr } = await run(["sandbox", "--", "no-such-command-anywhere"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("could not be started");
  });

  it("serves the sandbox until Ctrl-C, and prints the settings", async () => {
    const child = run(["sandbox"]);
    let said = "";
    const ready = new Promise<void>((resolve) => {
      child.stderr?.on("data", (chunk: Buffer) => {
        said += chunk;
        if (said.includes("incident create -f FILE")) resolve();
      });
    });
    await ready;
    const url = /export INCIDENT_CLI_BASE_URL=(\S+)/.exec(said)?.[1];
    const env = Object.fromEntries(
      [...said.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    const got = await run(["get", incidentId], { env });
    expect({ url: url?.startsWith("http://127.0.0.1:"), exitCode: got.exitCode }).toEqual({
      url: true,
      exitCode: 5,
    });
    child.kill("SIGINT");
    expect((await child).exitCode).toBe(0);
  });
});
