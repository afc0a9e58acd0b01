// The correction of an indentation names the column, and the line that it follows.
import { describe, expect, it } from "vitest";
import { indentationHint } from "../../src/source/yaml/indentation.ts";
import { parseDocuments } from "../../src/source/yaml/read.ts";

const hintOf = (lines: readonly string[]) =>
  indentationHint(lines.join("\n"), lines.slice(0, -1).join("\n").length + 1, false).hint;

describe("the correction of a line", () => {
  it.each([
    [["a:", "  - b: 1", "   c: 2"], 'start line 3 with 4 spaces, under "b" of line 2'],
    [["a:", "  - b: 1", " - b: 2"], 'start line 3 with 2 spaces, under "- b" of line 2'],
    [["a: 1", " b: 2"], 'start line 2 without spaces, under "a" of line 1'],
    [["a:", " b: 1", "   c: 2"], 'start line 3 with 1 space, under "b" of line 2'],
    [["a:", "- b: 1", "   c: 2"], 'start line 3 with 2 spaces, under "b" of line 2'],
    [["a:", "  b:", "    - c: 1", "  d: 2", "     e: 3"], 'start line 5 with 2 spaces, under "d" of line 4'],
    [["a:", "  # c", "", '  "b": 1', "   c: 2"], 'start line 5 with 2 spaces, under "b" of line 4'],
  ])("%j", (lines, hint) => {
    expect(hintOf(lines)).toBe(hint);
  });

  it.each([[["text", "  b: 1"]], [["a: 1", "b: 2"]], [["b: 1"]]])("is not known of %j", (lines) => {
    expect(hintOf(lines)).toBeUndefined();
  });
});

it.each([0, 1, 2, 3, 4])("a text below | with %i spaces is to be indented more than its field", (count) => {
  const line = `${" ".repeat(count)}We are looking into it.\n`;
  const text = `updates:\n  - status: X\n    description: |\n${line}${line}`;
  const shown = parseDocuments(text, "x.yaml").diagnostics.map(
    ({ hint, location }) => `${location.start.line} ${hint}`,
  );
  expect(shown).toEqual(["4 indent the text more than its field"]);
});

it.each([
  ["a:\n  - b: 1\n   c: 2\n", "3 start line 3 with 4 spaces"],
  ["a: 1\n\n b: 2\n", "1 start line 3 without spaces"],
  ["a:\n- b: c\n   d: e\n   f: g\n", "2 start line 3 with 2 spaces"],
  [`a:\n  - b: 1\n${" ".repeat(100_000)}c: 2\n`, "2 start line 3 with 4 spaces"],
])("one message corrects %j", (text, message) => {
  const shown = parseDocuments(text, "x.yaml").diagnostics.map(
    ({ hint, location }) => `${location.start.line} ${hint.split(",")[0]}`,
  );
  expect(shown).toEqual([message]);
});
