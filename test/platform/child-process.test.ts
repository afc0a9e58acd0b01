// A program that does not start is explained in a sentence.
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
