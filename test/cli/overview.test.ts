import { describe, expect, it } from "vitest";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

describe("the overview", () => {
  it("starts with the most frequent tasks", async () => {
    const { stdout } = await incident("--help");
    const lines = stdout.trimEnd().split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.slice(2, 5).map((line) => line.trim().split(" ")[1])).toEqual(["create", "update", "get"]);
  });

  it("is shown without a command, and lists every command", async () => {
    const { exitCode, stdout } = await incident("");
    expect(exitCode).toBe(0);
    for (const { name } of specs) {
      const [word] = name.split(" ");
      expect(stdout).toMatch(new RegExp(`^  [A-Z][a-z]+ .*\\b${word}\\b`, "m"));
    }
  });
});
