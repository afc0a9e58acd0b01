import { describe, expect, it } from "vitest";
import { shells } from "../../../src/commands/completion.ts";
import { incident } from "../../harness/incident.ts";

describe("incident completion", () => {
  it.each(shells)("prints a script for %s", async (shell) => {
    const { exitCode, stdout } = await incident(`completion ${shell}`);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("completion --words --");
  });

  it("names the nearest shell", async () => {
    const { exitCode, stderr } = await incident("completion bsh");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("did you mean bash?");
  });
});
