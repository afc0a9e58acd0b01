import { describe, expect, it } from "vitest";
import { parseDuration } from "../../src/cli/parse-argv.ts";
import { incident } from "../harness/incident.ts";

describe("the command line", () => {
  it.each([
    ["500ms", 500],
    ["10s", 10_000],
    ["30m", 1_800_000],
    ["1.5s", 1500],
    ["7", 7000],
  ])("reads the duration %s as %i ms", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(["", "abc", "-1s", "1d", "0", "25h", "1 s"])("refuses the duration %j", (text) => {
    expect(() => parseDuration(text)).toThrow();
  });

  it.each([
    ["an unknown command", "craete", "did you mean create?"],
    ["an unknown flag", "get x --jsno", "unknown option '--jsno'"],
    ["an unknown flag of a command in a group", "journal list --jsno", "incident journal list --help"],
    ["a missing operand", "get", "needs the id of an incident"],
    ["a missing value", "create -f", "argument missing"],
    ["a format that the command does not have", "validate x.yaml -o id", "use -o with one of:"],
    ["a misspelt format", "get x -o jsn", "did you mean json?"],
    ["a misspelt value", "sandbox --client-ids honor", "did you mean honour?"],
    ["a duration that is none", "get x --timeout soon", "with a unit"],
  ])("refuses %s with exit 2 and says where to look", async (_, line, text) => {
    const { exitCode, stdout, stderr, requests } = await incident(line);
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: "", requests: [] });
    expect(stderr).toContain(text);
    expect(stderr).toContain("next:");
  });

  it("prints a usage failure as JSON with -o json", async () => {
    const { exitCode, stderr } = await incident("get x --jsno -o json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error).toMatchObject({ kind: "usage", exitCode: 2, retryable: false });
  });
});
