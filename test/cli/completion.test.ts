import { describe, expect, it } from "vitest";
import { groups } from "../../src/cli/registry.ts";
import { shells } from "../../src/commands/completion.ts";
import { spec as create } from "../../src/commands/create/spec.ts";
import { spec as get } from "../../src/commands/get.ts";
import { severities, statuses } from "../../src/incident/values.ts";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

/** The values that completion offers after these words; the last one ends at the cursor. */
async function valuesOffered(words: readonly string[]): Promise<string[]> {
  const quoted = words.map((word) => (word === "" ? "''" : word));
  const { stdout, stderr, exitCode } = await incident(`completion --words -- ${quoted.join(" ")}`);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t")[0] as string);
}

describe("completion", () => {
  it.each([
    ["a command", ["cre"], ["create"]],
    ["the commands of a group", ["journal", ""], ["list", "show", "settle", "accept", "copy", "init"]],
    ["a flag", ["get", "--wa"], ["--watch", "--wait-for", "--wait-timeout"]],
    ["a flag of every command", ["get", "--prof"], ["--profile"]],
    ["a flag after operands", ["validate", "a.yaml", "--assign"], ["--assign-ids"]],
    ["a value", ["create", "--severity", "m"], ["major", "medium", "minor"]],
    ["a value after an equals sign, as bash splits it", ["create", "--severity", "=", "ma"], ["major"]],
    ["a choice", ["validate", "--for", "a"], ["apply"]],
    ["a format of the command", ["validate", "-o", "j"], ["json", "junit"]],
    ["a profile before the command", ["--profile", "staging", "doc"], ["doctor"]],
    ["a file", ["create", "-f", "x"], [":files"]],
    ["a file as an operand", ["validate", ""], [":files"]],
    ["a file for the command of the sandbox", ["sandbox", "--", ""], [":files"]],
    ["a shell", ["completion", ""], [...shells]],
    ["a command after help", ["help", "valid"], ["validate"]],
    ["nothing for a free text", ["create", "--name", ""], []],
    ["nothing after an unknown command", ["nonsense", ""], []],
  ] as const)("offers %s", async (_, words, expected) => {
    expect(await valuesOffered(words)).toEqual(expected);
  });

  it("offers every command with its summary", async () => {
    const { stdout } = await incident("completion --words -- ''");
    for (const { name, summary } of specs) {
      const [first = ""] = name.split(" ");
      expect(stdout).toContain(`${first}\t${groups.get(first) ?? summary}\n`);
    }
  });

  it("offers exactly the severities and statuses of a definition", () => {
    const lower = (words: readonly string[]) => words.map((word) => word.toLowerCase());
    expect(create.flags.severity.completions).toEqual(lower(severities));
    expect(create.flags.status.completions).toEqual(lower(statuses));
    expect(get.flags.waitFor.choices).toEqual(lower(statuses));
  });
});
