// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
// Every command that takes definitions runs the same checks: a definition that breaks one of them is told by each
// command, in a file, from a template, from flags and at a terminal.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id, terminal } from "../../harness/builders.ts";
import { contractWith } from "../../harness/contracts.ts";
import { createWorld } from "../../harness/incident.ts";

const project = `services:
  checkout: { name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
policy:
  name: { forbid: [TODO] }
  leaks: forbid
`;
const contract = contractWith({ properties: { severity: { enum: ["CRITICAL", "MAJOR"] } } });

/** A definition for each check, and the code of what it finds. */
const broken: readonly (readonly [check: string, fields: Record<string, string>, code: string])[] = [
  ["variables", { name: "${nothing}" }, "unset-variable"],
  ["the catalog", { services: "[mail]" }, "unknown-service"],
  ["the catalog for a name alone", { services: "[{ name: Chekout }]" }, "missing-field"],
  ["placeholders", { name: "CHANGEME" }, "placeholder"],
  ["the schema", { severity: "HUGE" }, "unknown-severity"],
  ["the contract", { severity: "MINOR" }, "contract"],
  ["the policy", { name: "TODO" }, "policy-text"],
  ["leaks", { name: "Down on db-17.internal" }, "leak"],
];
const questionable: typeof broken = [
  ["typographic quotes", { name: "“Down”" }, "left-placeholder"],
  ["another id", { services: "[{ name: Mail, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]" }, "other-service"],
];

const commands = [
  "validate x.yaml",
  "create -f x.yaml",
  "create -f x.yaml --dry-run",
  "apply -f x.yaml --yes",
  "create --template x",
] as const;

function run(line: string, fields: Record<string, string>) {
  const isTemplate = line.includes("--template");
  const text = definitionYaml({ ...(!isTemplate && { id }), ...fields });
  const files = {
    ".incident.yaml": project,
    "incident.contract.json": contract,
    "x.yaml": text,
    "incident-templates/x.yaml": `variables: { }\n---\n${text}`,
  };
  return createWorld({ files }).run(line);
}

describe.each(commands)("incident %s", (line) => {
  it.each(broken)("checks %s", async (_check, fields, code) => {
    const { exitCode, requests, stderr } = await run(line, fields);
    expect({ exitCode, requests }).toEqual({ exitCode: 3, requests: [] });
    expect(stderr).toMatch(new RegExp(`\\[(${code}|undeclared-variable)\\]`));
  });

  it("tells a variable without a value once for each text", async () => {
    const { stderr } = await run(line, { name: "${nothing} and ${nothing}" });
    expect(stderr.match(/variable nothing/g)).toHaveLength(1);
  });

  it.each(questionable)("warns of %s", async (_check, fields, code) => {
    const { exitCode, stderr } = await run(line, fields);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`[${code}]`);
  });
});

const flags = "--severity major --service checkout --message 'We are looking.'";

describe("incident create with flags", () => {
  it.each([
    ["the contract", `create --name x ${flags.replace("major", "minor")}`, "contract"],
    ["the policy", `create --name TODO ${flags}`, "policy-text"],
    ["leaks", `create --name 'Down on db-17.internal' ${flags}`, "leak"],
  ])("checks %s", async (_check, line, code) => {
    const { exitCode, requests, stderr } = await run(line, {});
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toContain(`[${code}]`);
  });

  it("warns as for a file, once", async () => {
    const { exitCode, stderr } = await run(`create --name '“Down”' ${flags}`, {});
    expect(exitCode).toBe(0);
    expect(stderr.split("[left-placeholder]")).toHaveLength(2);
  });
});

describe("incident create at a terminal", () => {
  const answers = ["“Down”", "MAJOR", "Checkout", "INVESTIGATING", "We are looking.", "No"];

  it("warns as for a file, once", async () => {
    const world = createWorld({ files: { ".incident.yaml": project }, terminal });
    const { exitCode, stderr } = await world.run("create", { answers: [...answers, "y"] });
    expect(exitCode).toBe(0);
    expect(stderr.split("[left-placeholder]")).toHaveLength(2);
  });
});
