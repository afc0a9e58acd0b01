// The ways in which a child process starts and ends.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { captureChild, runChild, runProgram } from "../../src/platform/child-process.ts";
import { temporaryFolder } from "../harness/incident.ts";

it.each([
  ["incident-no-such-program", "incident-no-such-program did not start (ENOENT)"],
  [tmpdir(), `${tmpdir()} did not start (EACCES)`],
])("says why %s does not start", async (file, problem) => {
  const { signal } = new AbortController();
  expect(await runChild([file], { cwd: tmpdir(), env: {}, signal })).toEqual({ exitCode: 127, problem });
});

it.each([
  ["exit 3", { exitCode: 3 }],
  ["kill -9 $$", { exitCode: 137 }],
])("gives the exit code of a child that ends with %s", async (script, result) => {
  const { signal } = new AbortController();
  expect(await runChild(["sh", "-c", script], { cwd: tmpdir(), env: {}, signal })).toEqual(result);
});

it("passes a signal on to the child", async () => {
  const signal = AbortSignal.abort("SIGTERM");
  expect(await runChild(["sleep", "300"], { cwd: tmpdir(), env: {}, signal })).toEqual({ exitCode: 143 });
});

describe("a program whose own child holds stdout open", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  const command = ["sh", "-c", "sleep 300 & echo $! > pid; echo key"];
  /** Empty, or Z for a process that has ended and that nobody has waited for. */
  const stateOfChild = () => {
    const pid = readFileSync(join(folder, "pid"), "utf8").trim();
    return spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.charAt(0);
  };

  it("ends with that child at its time limit", async () => {
    const { signal } = new AbortController();
    const result = await captureChild(command, { cwd: folder, timeout: 1000, signal });
    expect(result).toEqual({ stdout: "", stderr: "", problem: "did not end within 1 seconds" });
    await expect.poll(stateOfChild).toMatch(/^Z?$/);
  });

  it("ends with that child at an abort", async () => {
    const controller = new AbortController();
    const result = captureChild(command, { cwd: folder, timeout: 300_000, signal: controller.signal });
    await expect.poll(() => existsSync(join(folder, "pid"))).toBe(true);
    controller.abort();
    await result;
    await expect.poll(stateOfChild).toMatch(/^Z?$/);
  });
});

it("takes the output of a program whose own child holds stderr open", async () => {
  const { signal } = new AbortController();
  const options = { cwd: tmpdir(), env: { PATH: process.env.PATH ?? "" }, timeout: 300_000, signal };
  const result = await runProgram(["sh", "-c", "sleep 300 >/dev/null & cat; echo words >&2; exit 3"], {
    ...options,
    input: "text",
  });
  expect(result).toEqual({ exitCode: 3, stdout: "text", stderr: "words\n" });
});
