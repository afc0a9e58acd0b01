import { describe, expect, it } from "vitest";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

describe("the overview", () => {
  it("is shown without a command, and lists every command", async () => {
    const { exitCode, stdout } = await incident("");
    expect(exitCode).toBe(0);
    for (const { name } of specs) {
      const [word] = name.split(" ");
      expect(stdout).toMatch(new RegExp(`^  [A-Z][a-z]+ .*\\b${word}\\b`, "m"));
    }
  });
});
