import { describe, expect, it } from "vitest";
import { groups } from "../../src/cli/registry.ts";
import { shells } from "../../src/commands/completion.ts";
import { spec as create } from "../../src/commands/create/spec.ts";
import { spec as get } from "../../src/commands/get/get.ts";
import { severities, statuses } from "../../src/incident/values.ts";
import { incidentId as id, serviceId } from "../harness/builders.ts";
import { createWorld, incident } from "../harness/incident.ts";
import { specs } from "../harness/specs.ts";

const files = {
  "home/.config/incident-cli/config.yaml": `# mine
defaultProfile: production
profiles:
  production: # the real one
    baseUrl: https://api.example.com
  "staging": { baseUrl: https://staging.example.com }

  # not yet
  #  later: {}
`,
  ".incident.yaml": `profile: production
services:
    checkout:
        id: ${serviceId}
        name: Checkout
    public-api: { name: API, id: 4f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
definitions: [incidents]
`,
};

/** The values that completion offers after these words; the last one ends at the cursor. */
async function valuesOffered(words: readonly string[], world = createWorld({ files })): Promise<string[]> {
  const quoted = words.map((word) => (word === "" ? "''" : word));
  const { stdout, stderr, exitCode } = await world.run(`completion --words -- ${quoted.join(" ")}`);
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
    ["a profile", ["--profile", ""], ["production", "staging"]],
    ["a profile before the command", ["--profile", "staging", "doc"], ["doctor"]],
    ["a service of the catalog", ["create", "--service", ""], ["checkout", "public-api"]],
    ["a second service", ["create", "--service", "checkout", "--service", "p"], ["public-api"]],
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

  it("offers the ids of the creates in the journal", async () => {
    const world = createWorld({ files });
    const text = `id: ${id}\nname: Checkout fails\nseverity: MAJOR\nservices: [checkout]\nincidentUpdates: [{ description: x }]\n`;
    await world.run("create -f -", { stdin: text });
    expect(await valuesOffered(["journal", "show", ""], world)).toEqual([id]);
    expect(await valuesOffered(["get", "7c"], world)).toEqual([id]);
  });

  it("offers exactly the severities and statuses of a definition", () => {
    const lower = (words: readonly string[]) => words.map((word) => word.toLowerCase());
    expect(create.flags.severity.completions).toEqual(lower(severities));
    expect(create.flags.status.completions).toEqual(lower(statuses));
    expect(get.flags.waitFor.choices).toEqual(lower(statuses));
  });

  it("offers the templates of the project", async () => {
    const folder = "incident-templates";
    const world = createWorld({ files: { [`${folder}/checkout.yaml`]: "", [`${folder}/notes.txt`]: "" } });
    expect(await valuesOffered(["create", "--template", ""], world)).toEqual(["checkout"]);
  });

  it.each([
    ["is broken", "services: [\n"],
    ["is no mapping", "- services: { checkout: {} }\n"],
    ["has a name that could move the cursor", "services:\n  \u001b[2J: {}\n"],
    ["is empty", ""],
  ])("offers nothing from a project file that %s", async (_, text) => {
    const world = createWorld({ files: { ".incident.yaml": text } });
    expect(await valuesOffered(["create", "--service", ""], world)).toEqual([]);
  });
});
