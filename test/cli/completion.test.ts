import { describe, expect, it } from "vitest";
import { groups } from "../../src/cli/registry.ts";
import { spec as create } from "../../src/commands/create/spec.ts";
import { spec as get } from "../../src/commands/get.ts";
import { severities, statuses } from "../../src/incident/values.ts";
import { incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

describe("completion", () => {
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

  it("offers the values of a flag right after the equals sign, which bash passes as a word", async () => {
    expect((await incident("completion --words -- list --severity =")).stdout).toMatch(/^critical\t$/m);
    expect((await incident("completion --words -- create --file =")).stdout).toBe(":files\n");
  });
});
