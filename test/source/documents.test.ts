import { describe, expect, it } from "vitest";
import type { Path } from "../../src/diagnostic.ts";
import { parseDocuments } from "../../src/source/yaml/read.ts";

function values(text: string): unknown[] {
  return parseDocuments(text, "x.yaml").documents.map(({ value }) => value);
}

function codes(text: string): string[] {
  return parseDocuments(text, "x.yaml").diagnostics.map(({ code }) => code);
}

function positions(text: string, path: Path, part?: "key"): string | undefined {
  const location = parseDocuments(text, "x.yaml").documents[0]?.locate(path, part);
  if (location === undefined) return undefined;
  return `${location.start.line}:${location.start.column}-${location.end.line}:${location.end.column}`;
}

describe("YAML 1.2 core", () => {
  it.each([
    ["a: NO", { a: "NO" }],
    ["a: 2026-03-01", { a: "2026-03-01" }],
    ["a: 0o17", { a: 15 }],
    ["a: 017", { a: 17 }],
    ["a: 1e3", { a: 1000 }],
    ["a: ~", { a: null }],
    ["1: x\ntrue: y", { "1": "x", true: "y" }],
    ["a: 9007199254740991", { a: 9007199254740991 }],
    ["<<: {a: 1}", { "<<": { a: 1 } }],
    ["a: &x [1]\nb: *x", { a: [1], b: [1] }],
    ["a: !!str 5", { a: "5" }],
  ])("reads %j", (text, value) => {
    expect(codes(text)).toEqual([]);
    expect(values(text)).toEqual([value]);
  });

  it("skips empty documents", () => {
    const parsed = parseDocuments("---\n---\na: 1\n---\n# nothing\n---\nb: 2\n---\n", "x.yaml");
    expect(parsed.documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it("reads an explicit null as a document", () => {
    expect(values("null")).toEqual([null]);
  });

  it("reads a document after `%YAML 1.1` as YAML 1.2", () => {
    expect(codes("%YAML 1.1\n---\na: NO\n")).toEqual([]);
    expect(values("%YAML 1.1\n---\na: NO\n")).toEqual([{ a: "NO" }]);
    expect(codes("%YAML 1.2\n---\na: NO\n")).toEqual([]);
  });
});

describe("limits", () => {
  it.each([
    ["brackets", (depth: number) => "[".repeat(depth) + "]".repeat(depth)],
    ["dashes", (depth: number) => `${"- ".repeat(depth)}x`],
    [
      "indentation",
      (depth: number) => Array.from({ length: depth }, (_, level) => `${" ".repeat(level)}a:\n`).join(""),
    ],
  ])("accept nesting by %s of depth 100, and no deeper", (_, nest) => {
    expect(codes(nest(100))).toEqual([]);
    expect(codes(nest(101))).toEqual(["too-deep"]);
    for (let repeat = 0; repeat < 2; repeat += 1) expect(codes(nest(10_000))).toEqual(["too-deep"]);
  });

  it("reject an alias that contains itself", () => {
    expect(codes("a: &a [*a]")).toEqual(["yaml-syntax"]);
  });

  it("accept many aliases of one small value", () => {
    expect(codes(`- &a x\n${"- *a\n".repeat(1000)}`)).toEqual([]);
  });

  it("report a hundred errors of a text, and that there are others", () => {
    const { diagnostics } = parseDocuments(`x: 1\n${"a: 1\n".repeat(150)}`, "x.yaml");
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)?.message).toBe("more problems in this file are not shown");
  });
});

// The common mistakes are in fixtures/invalid/.
describe("explains a rare syntax error by its cause", () => {
  it.each([
    ["a: |\n\t\tx\n", 2, "a tab is used as indentation"],
    ["a:\n  b: c\n  \td: e\n", 3, "a tab is used as indentation"],
    ["a:\n  b: c\n\u00a0\u00a0d\n", 3, "this is U+00A0 (no-break space), and not a space"],
    ["name: x\nseverity：MAJOR\n", 2, 'this is U+FF1A (full-width character), and not ":"'],
    [" name: x\nid: y\n", 2, "the indentation of this line and of those around it do not fit together"],
    [
      "# c\n\n  name: x\n  a:\n\n    - b\n# d\nid: y\n",
      8,
      "the indentation of this line and of those around it do not fit together",
    ],
    ['a: "b\n \tc \\q"\n', 2, "invalid escape sequence \\q"],
    ["name: 'it''s\nseverity: MAJOR\n", 1, "this quote is never closed"],
    [
      "name: x\nservices: [checkout]\n  - id: y\nid: z\n",
      2,
      "this list has ended, but entries follow below it",
    ],
    ["name: 'it's down'\n", 1, "this text has a part that YAML reads as its own"],
    ["services: {a: b\nname: x\n", 1, 'this "{" is never closed'],
    ["services: [{a: [b]}, c\nname: x\n", 1, 'this "[" is never closed'],
    [
      "a:\n- b: c\n   d: e\n   f: g\n",
      2,
      "the indentation of this line and of those around it do not fit together",
    ],
    ['{"name": "x" "severity": "y"}', 1, "an entry inside brackets or braces is not finished"],
    ["a: [{b: 1} {c: 2}]", 1, "an entry inside brackets or braces is not finished"],
    ["description: |x\n  y\n", 1, "text cannot follow the | or > that starts a block of text"],
    ['name: "a"#b\n', 1, "this text has a part that YAML reads as its own"],
    ["? [a]\n: b\n", 1, "this line is not a field: it has no colon with a space after it"],
  ])("%j", (text, line, message) => {
    const { diagnostics } = parseDocuments(text, "x.yaml");
    expect(diagnostics.map((diagnostic) => [diagnostic.location.start.line, diagnostic.message])).toEqual([
      [line, message],
    ]);
  });
});

describe("a location", () => {
  const text = "name: 🚨 x # why\nlist:\n  - a: 1\n    b: &b\n      c: 2\n  - *b\nempty:\n";
  it.each<[string, Path, "key" | undefined, string]>([
    ["of a value, in code points", ["name"], undefined, "1:7-1:10"],
    ["of a field's name", ["name"], "key", "1:1-1:5"],
    ["of an omitted value is the name of its field", ["empty"], undefined, "7:1-7:6"],
    ["of a list is its first line", ["list"], undefined, "3:3-3:9"],
    ["of an entry is its first line", ["list", 0], undefined, "3:5-3:9"],
    ["of an alias", ["list", 1], undefined, "6:5-6:7"],
    ["inside an alias is in the anchored value", ["list", 1, "c"], undefined, "5:10-5:11"],
    ["of a missing path is that of its nearest ancestor", ["list", 0, "z", 3], undefined, "3:5-3:9"],
    ["of the empty path is the first line of the document", [], undefined, "1:1-1:16"],
  ])("%s", (_, path, part, expected) => {
    expect(positions(text, path, part)).toBe(expected);
    expect(positions(text.replaceAll("\n", "\r\n"), path, part)).toBe(expected);
  });

  it("has the source line without its line ending", () => {
    const { documents } = parseDocuments("a: 1\r\nb: 2\r\n", "x.yaml");
    expect(documents[0]?.locate(["b"])).toMatchObject({ file: "x.yaml", source: "b: 2" });
  });
});
