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
