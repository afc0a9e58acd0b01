// Faults of the protocol make a test fail. Each of them runs vitest; CASES=all takes all.
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { faults } from "./faults.ts";

const root = new URL("../..", import.meta.url).pathname;
const simulation = "test/simulation/mutants.slow.test.ts";

const chosen = faults.filter((_, at) => process.env.CASES === "all" || at === 0);

describe("a test notices that", () => {
  it.concurrent.each(chosen.map((fault) => [fault.name, fault] as const))("%s", async (name, fault) => {
    const args = ["run", "--config", "test/faults/vitest.config.ts", fault.noticedBy ?? simulation];
    const options = { cwd: root, env: { FAULT: name }, reject: false, preferLocal: true } as const;
    const { exitCode, stdout } = await execa("vitest", args, options);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(/Tests .*\d+ failed/),
    });
  });
});
