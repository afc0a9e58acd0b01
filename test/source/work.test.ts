// The budget of work of a run: no file of a project keeps a pipeline busy, and a deadline holds within the checks.
import { describe, expect, it } from "vitest";
import { TimeLimit } from "../../src/failure.ts";
import { replaceVariables } from "../../src/source/variables/replace-variables.ts";
import { createBudget } from "../../src/source/work.ts";
import { definitionYaml, serviceId } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const message = "the checks of this run take more work than a run may take";
const catalog = `services:\n  a: { name: A, id: ${serviceId} }\n`;
const long = (length: number) =>
  definitionYaml({ incidentUpdates: `[{ description: "${"a ".repeat(length)}" }]` });
const updates = (count: number) =>
  `name: Fails in \${region}\nseverity: MAJOR\nservices: [{ id: ${serviceId}, name: A }]\nincidentUpdates:\n${"  - description: We look.\n".repeat(count)}`;
const values = Array.from({ length: 256 }, (_, index) => `x${index}`);
const many = Array.from({ length: 700 }, () => definitionYaml({ services: "[a]" }));

describe("a check that takes more work than a run may take", () => {
  it.each<[string, Record<string, string>]>([
    [
      "a list of forbidden words",
      {
        ".incident.yaml": `policy: { description: { forbid: [${Array.from({ length: 20_000 }, (_, at) => `w${at}`)}] } }\n`,
        "a.yaml": long(150_000),
      },
    ],
    [
      "a pattern of the policy",
      { ".incident.yaml": "policy: { description: { pattern: 'b{1000}$' } }\n", "a.yaml": long(150_000) },
    ],
    [
      "groups of services in the policy",
      {
        ".incident.yaml": `${catalog}policy: { services: { together: [${"[a,a],".repeat(30_000)}] } }\n`,
        "a.yaml": many.join("---\n"),
      },
    ],
    [
      "the values of a template, in each combination",
      { "a.yaml": `variables:\n  region: { enum: [${values}] }\n---\n${updates(2_000)}` },
    ],
  ])("is an error of the file that is checked, for %s", async (_, files) => {
    const { exitCode, stderr } = await incident("validate a.yaml b.yaml", {
      files: { ...files, "b.yaml": definitionYaml({ name: '""' }) },
    });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`a.yaml:1:1: error: ${message} [too-much-work]`);
    expect(stderr).toContain("shorten the texts, the patterns or the lists of words");
    // The other file keeps its own error.
    expect(stderr).toContain("b.yaml:1:7: error: name is blank");
  });

  it("is an error of the settings for a contract of the project", async () => {
    const schema = {
      type: "object",
      properties: Object.fromEntries(
        values.map((name, at) => [name, { type: "string", pattern: `a{1000}${at}` }]),
      ),
    };
    const operation = (body: object) => ({
      path: "/x",
      at: "",
      parameters: [],
      security: [],
      mediaTypes: [],
      answers: {},
      ...body,
    });
    const contract = {
      formatVersion: 1,
      source: { from: "x", title: "x", digest: "sha256:0", date: "2026-01-01" },
      create: operation({ body: schema }),
      get: operation({}),
    };
    const { exitCode, stderr } = await incident("create -f a.yaml", {
      files: { "incident.contract.json": JSON.stringify(contract), "a.yaml": definitionYaml() },
    });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain(`incident.contract.json: ${message}`);
  });
});

describe("the budget", () => {
  it("ends at the deadline, and looks at the clock at least once in a million steps", () => {
    let isOver = false;
    const spend = createBudget(() => (isOver ? new TimeLimit("--deadline", "5 s") : undefined));
    spend(1);
    isOver = true;
    expect(() => {
      for (let steps = 0; steps <= 1_000_000; steps += 100_000) spend(100_000);
    }).toThrow("not finished within 5 s (--deadline)");
    expect(() => spend(0)).toThrow(expect.objectContaining({ kind: "timeout" }));
  });
});

it("a text that repeats a variable without a value is located once", () => {
  const text = "$" + "{v} $" + "{w} ";
  const variables = { values: new Map(), used: new Set<string>(), declared: new Set(["v", "w"]) };
  const { incomplete } = replaceVariables({ a: text.repeat(1000), b: [text] }, variables, () => {
    throw new Error("nothing is reported");
  });
  expect(incomplete).toEqual([["a"], ["b", 0]]);
});
