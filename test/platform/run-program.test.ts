// The ways in which another program starts and ends.
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { runChild, runProgram } from "../../src/platform/run-program.ts";

it.each([
  ["incident-no-such-program", "there is no program incident-no-such-program"],
  [tmpdir(), `${tmpdir()} may not be executed`],
  ["", "The argument 'file' cannot be empty. Received ''"],
])("says why %s does not start", async (file, problem) => {
  const { signal } = new AbortController();
  expect(await runChild([file], { env: {}, signal })).toEqual({ exitCode: 127, problem });
});

it.each([
  ["exit 3", { exitCode: 3 }],
  ["kill -9 $$", { exitCode: 137 }],
])("gives the exit code of a child that ends with %s", async (script, result) => {
  const { signal } = new AbortController();
  expect(await runChild(["sh", "-c", script], { env: {}, signal })).toEqual(result);
});

it("passes a signal on to the child", async () => {
  const signal = AbortSignal.abort("SIGTERM");
  expect(await runChild(["sleep", "300"], { env: {}, signal })).toEqual({ exitCode: 143 });
});

it.each([
  ["ends it after its time", ["sleep", "300"], "did not end within 0.2 seconds"],
  [
    "kills it where it goes on after that",
    ["sh", "-c", "trap '' TERM; while :; do sleep 1; done"],
    "did not end",
  ],
  [
    "does not repeat an argument that no system takes",
    ["sh", "a\0b"],
    "did not start (ERR_INVALID_ARG_VALUE)",
  ],
])("%s, where the program shares the terminal", async (_, command, problem) => {
  const { signal } = new AbortController();
  const options = { cwd: tmpdir(), timeout: 200, signal, isShared: true };
  const result = await runProgram(command, options);
  expect(result).toMatchObject({ exitCode: undefined, problem: expect.stringContaining(problem) });
});
