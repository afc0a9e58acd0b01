// The work of a check: a file is not read, and a text is not looked at, over and over, and a deadline holds between files.
import { expect, it } from "vitest";
import { cancellation, TimeLimit } from "../../src/failure.ts";
import type { Files } from "../../src/platform/context.ts";
import { checkSources, defaultLoadOptions } from "../../src/source/definitions.ts";
import { readVariables, replaceVariables } from "../../src/source/variables.ts";
import { definitionYaml } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

it("reads a file once, however many repeated definitions it has", async () => {
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
  expect({ exitCode, reads }).toEqual({ exitCode: 0, reads: 1 });
  expect(stderr.match(/same content as a\.yaml/g)).toHaveLength(40);
});

it("a text that repeats a variable without a value is incomplete once", () => {
  const text = "$" + "{v} $" + "{w} ";
  const variables = { values: new Map(), used: new Set<string>(), declared: new Set(["v", "w"]) };
  const { incomplete, problems } = replaceVariables({ a: text.repeat(1000), b: [text] }, variables);
  expect({ incomplete, problems }).toEqual({ incomplete: [["a"], ["b", 0]], problems: [] });
});

it("a value is looked for no more once the text with it is too large", () => {
  let uses = 0;
  const get = () => {
    uses += 1;
    return "y".repeat(1_000_000);
  };
  const variables = { values: Object.assign(new Map<string, string>(), { get }), used: new Set<string>() };
  const value = { a: ("$" + "{v}").repeat(1000), b: "$" + "{v}" };
  const { problems, tooLargeAt } = replaceVariables(value, variables);
  expect({ problems, tooLargeAt, uses }).toEqual({ problems: [], tooLargeAt: ["a"], uses: 2 });
});

it("a long name above many values of an input is not repeated for each", () => {
  const inner = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, at]));
  const bytes = new TextEncoder().encode(
    JSON.stringify({ ["k".repeat(300)]: inner, labels: { summary: "x" } }),
  );
  const { values } = readVariables({ file: "body.json", bytes });
  expect([...values]).toEqual([["labels.summary", "x"]]);
});

it("ends between two files at the deadline", () => {
  const limit = new TimeLimit("--deadline", "5 s");
  let files = 0;
  const checkDeadline = () => {
    files += 1;
    if (files > 2) throw cancellation(AbortSignal.abort(limit), "nothing was sent");
  };
  const bytes = new TextEncoder().encode(definitionYaml());
  const sources = ["a", "b", "c", "d"].map((file) => ({ file, bytes }));
  expect(() => checkSources(sources, { ...defaultLoadOptions(), checkDeadline })).toThrow(
    "not finished within 5 s (--deadline)",
  );
  expect(files).toBe(3);
});
