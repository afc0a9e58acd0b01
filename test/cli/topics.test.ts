import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/failure.ts";
import { globalFlags } from "../../src/kit/global-flags.ts";
import { environmentVariables } from "../../src/workspace/settings.ts";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

describe("incident help TOPIC", () => {
  it.each([
    ["exit-codes", Object.values(exitCodes).map(String)],
    ["environment", Object.values(environmentVariables)],
    ["commands", specs.map(({ name }) => name)],
    ["options", Object.values(globalFlags).map(({ usage }) => usage)],
    ["drills", ["create#1:drop-after-commit", "slow-commit"]],
    ["files", [".incident.yaml", "config.yaml", "draft.yaml"]],
  ])("lists everything in %s", async (topic, all) => {
    const { stdout } = await incident(`help ${topic}`);
    for (const each of all) expect(stdout).toContain(each);
  });

  it("shows the help of a command", async () => {
    const { stdout } = await incident("help create");
    expect(stdout).toContain("Usage: incident create");
  });

  it.each([
    ["exit-code", "did you mean exit-codes?"],
    ["crate", "did you mean create?"],
    ["everything", "the topics are commands"],
  ])("suggests a topic or a command for %s", async (name, text) => {
    const { exitCode, stderr, stdout } = await incident(`help ${name}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(text);
  });
});
