import { expect, it } from "vitest";
import { definitionYaml } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const lines = definitionYaml().trimEnd().split("\n");
const whole = `${lines.join("\n")}\n`;
const split = (separator: string, at: number) =>
  `${[...lines.slice(0, at), separator, ...lines.slice(at)].join("\n")}\n`;
const names = lines.map((line) => line.replace(/:.*$/, ""));

const problems = async (text: string) => {
  const { exitCode, stderr } = await incident("validate x.yaml", { files: { "x.yaml": text } });
  const found = stderr.split("\n").filter((line) => line.startsWith("x.yaml:"));
  expect(exitCode).toBe(found.length === 0 ? 0 : 3);
  return found;
};

it.each([
  ["---", 1],
  ["---", 2],
  ["...", 1],
  ["... # the end", 3],
  ["---\n# a comment\n", 1],
  ["...\n---", 2],
])("names a stray %j after %i lines once", async (separator, at) => {
  const mark = separator.startsWith("...\n") ? "---" : separator.slice(0, 3);
  const line =
    at + separator.split("\n").indexOf(separator.split("\n").find((each) => each.startsWith(mark)) ?? "") + 1;
  const rest = names.slice(at);
  expect(await problems(split(separator, at))).toEqual([
    `x.yaml:${line}:1: error: "${mark}" ends the incident, and ${rest.join(", ")} follow${rest.length > 1 ? "" : "s"} it [missing-field]`,
  ]);
});

it("names text below a definition once", async () => {
  const found = await problems(`---\n${whole}---\n# Checkout fails\n\nWe look into it.\n`);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain("error: text stands below the incident, as in Markdown [wrong-type]");
});

it.each([
  ["two definitions", `${whole}---\n${whole}`, true],
  ["a definition and one without its name", `${whole}---\n${lines.slice(1).join("\n")}\n`, false],
  ["two parts with the same field", `${split("---", 2)}name: Other\n`, false],
  ["a part and a mapping of another kind", `${lines.slice(0, 2).join("\n")}\n---\nkind: other\n`, false],
])("says of %s what it said before", async (_, text, isValid) => {
  const found = await problems(text);
  expect(found.filter((line) => /ends the incident|as in Markdown/.test(line))).toEqual([]);
  expect(found.length === 0).toBe(isValid);
});

it("names the first of very many", async () => {
  const found = await problems(Array.from({ length: 300 }, () => split("---", 1)).join("---\n"));
  expect(found.filter((line) => line.includes("ends the incident"))).toHaveLength(10);
});
