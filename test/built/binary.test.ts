// The single executable: the main commands on a machine without Node.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withSandbox } from "../harness/with-sandbox.ts";

const root = join(import.meta.dirname, "../..");
const fixture = join(root, "fixtures/api-outage.yaml");
let folder: string;
let binary: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "incident-binary-"));
  binary = join(folder, "incident");
  await execa(process.execPath, ["bin/build-binary.js", binary], { cwd: root });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs with an empty PATH and without the environment of this process. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return execa(binary, args, {
    env: { PATH: "", HOME: folder, ...env },
    extendEnv: false,
    reject: false,
    stdin: "ignore",
  });
}

describe("the single executable", () => {
  it("checks, declares and reads an incident without Node", async () => {
    expect(await run(["validate", fixture])).toMatchObject({ exitCode: 0, stderr: "" });
    await withSandbox(binary, async (service) => {
      const id = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";
      const created = await run(["create", "-f", fixture, "-o", "id"], service);
      expect(created).toMatchObject({ exitCode: 0, stdout: id });
      const read = await run(["get", id, "-o", "json"], service);
      expect(JSON.parse(read.stdout)).toMatchObject({ id, lastUpdateStatus: "INVESTIGATING" });
    });
  });

  it("does not interpret the options of Node", async () => {
    const { exitCode, stderr } = await run(["get", "--inspect"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("unknown option '--inspect'");
  });
});
