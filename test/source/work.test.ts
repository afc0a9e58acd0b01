// The budget of work of a run: no file of a project keeps a pipeline busy, and a deadline holds within the checks.
import { describe, expect, it } from "vitest";
import { TimeLimit } from "../../src/failure.ts";
import type { Files } from "../../src/platform/context.ts";
import { replaceVariables } from "../../src/source/variables/replace-variables.ts";
import { createBudget } from "../../src/source/work.ts";
import { definitionYaml, serviceId } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const message = "the checks of this run take more work than a run may take";
const catalog = `services:\n  a: { name: A, id: ${serviceId} }\n`;
const long = (length: number) =>
  definitionYaml({ incidentUpdates: `[{ description: "${"a ".repeat(length)}" }]` });
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

  it("is an error of the file for the uses of a long variable in many documents", async () => {
    const each = definitionYaml({ incidentUpdates: `[{ description: "$\{v}" }]` });
    const vars = JSON.stringify({ v: "y".repeat(1_000_000) });
    const files = { "vars.json": vars, "a.yaml": Array.from({ length: 150 }, () => each).join("---\n") };
    const { exitCode, stderr } = await incident("validate a.yaml --vars vars.json", { files });
    expect({ exitCode }).toEqual({ exitCode: 3 });
    expect(stderr).toContain(`a.yaml:1:1: error: ${message} [too-much-work]`);
  });

  it("reads a file once more for its repeated definitions, and not for each", async () => {
    const one = (index: number) => definitionYaml({ name: `Fails ${index}` });
    const all = Array.from({ length: 40 }, (_, index) => one(index)).join("---\n");
    let reads = 0;
    const wrapFiles = (files: Files): Files => ({
      ...files,
      openSync: (path, ...more) => {
        if (String(path).endsWith("a.yaml")) reads += 1;
        return files.openSync(path, ...more);
      },
    });
    const { exitCode, stderr } = await incident("validate a.yaml b.yaml", {
      files: { "a.yaml": all, "b.yaml": all },
      wrapFiles,
    });
    expect({ exitCode, reads }).toEqual({ exitCode: 0, reads: 2 });
    expect(stderr.match(/same content as a\.yaml/g)).toHaveLength(40);
  });

  it("is an error of the file whose definitions repeat those of others by turns", async () => {
    const one = (index: number) => definitionYaml({ name: `Fails ${index}` });
    const filler = `# ${"x".repeat(900_000)}\n`;
    const range = (from: number) => Array.from({ length: 40 }, (_, index) => one(from + index));
    const turns = range(0).flatMap((each, at) => [each, one(1000 + at)]);
    const files = {
      "a.yaml": filler + range(0).join("---\n"),
      "b.yaml": filler + range(1000).join("---\n"),
      "c.yaml": turns.join("---\n"),
      "d.yaml": definitionYaml({ name: '""' }),
    };
    const { exitCode, stderr } = await incident("validate a.yaml b.yaml c.yaml d.yaml", { files });
    expect({ exitCode }).toEqual({ exitCode: 3 });
    expect(stderr).toContain(`c.yaml:1:1: error: ${message} [too-much-work]`);
    expect(stderr).toContain("d.yaml:1:7: error: name is blank");
  });

  it("is an error of the settings for a contract of the project", async () => {
    const schema = {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: 256 }, (_, at) => [`x${at}`, { type: "string", pattern: `a{1000}${at}` }]),
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

it("a value is looked for no more once the text with it is too large", () => {
  let uses = 0;
  const get = () => {
    uses += 1;
    return "y".repeat(1_000_000);
  };
  const variables = { values: { get, keys: () => [] }, used: new Set<string>() };
  const value = { a: ("$" + "{v}").repeat(1000), b: "$" + "{v}" };
  const at = { file: "", start: { line: 1, column: 1 }, end: { line: 1, column: 1 }, source: "" };
  const { diagnostics, isTooLarge } = replaceVariables(value, variables, () => at);
  expect({ codes: diagnostics.map(({ code }) => code), isTooLarge, uses }).toEqual({
    codes: ["body-too-large"],
    isTooLarge: true,
    uses: 2,
  });
});
