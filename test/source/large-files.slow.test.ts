// Files at the limits of their size: what is rejected, and what is still read and told.
import { expect, it } from "vitest";
import { checkSources } from "../../src/source/definitions.ts";
import { parseDocuments, parseYaml } from "../../src/source/yaml/read.ts";

const codes = (text: string) => parseDocuments(text, "x.yaml").diagnostics.map(({ code }) => code);

it("a text of too many documents is rejected", () => {
  expect(codes("---\na\n".repeat(5_000))).toEqual([]);
  expect(codes("---\na\n".repeat(20_001))).toEqual(["file-too-large"]);
  expect(codes(`[${",".repeat(450_000)}]`)).toEqual(["file-too-large"]);
});

it("of more errors than a call can have arguments, the first is reported", () => {
  expect(codes(`[${"*a,".repeat(140_000)}]`)).toEqual(["yaml-syntax"]);
});

it("a list with more than a hundred thousand errors is refused as a whole", () => {
  const text = `name: x\nseverity: MAJOR\nservices:\n${"- a: b\n".repeat(48_000)}`;
  const { diagnostics } = checkSources([{ file: "x.yaml", bytes: new TextEncoder().encode(text) }]);
  expect(diagnostics).toMatchObject([
    { code: "fault", hint: expect.stringContaining("split a very large file") },
  ]);
});

it("a document of another's service may be larger than a definition", () => {
  const length = 10_000;
  const schema = (index: number) =>
    `    Schema${index}:\n      required: [id, name]\n      properties:\n        name: { type: string, maxLength: 255 }\n`;
  const text = `components:\n  schemas:\n${Array.from({ length }, (_, index) => schema(index)).join("")}`;
  expect(text.length).toBeGreaterThan(2 ** 20);
  const { components } = parseYaml(text) as { components: { schemas: object } };
  expect(Object.keys(components.schemas)).toHaveLength(length);
});
