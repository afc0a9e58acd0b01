// The ways in which a child process starts and ends.
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { runChild } from "../../src/platform/child-process.ts";

it.each([
  ["incident-no-such-program", "there is no program incident-no-such-program"],
  [tmpdir(), `${tmpdir()} may not be executed`],
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
