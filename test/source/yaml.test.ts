import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocuments, parseYaml } from "../../src/source/yaml/read.ts";
import { renderYaml } from "../../src/source/yaml/write.ts";
import { anyCharacter } from "../text/any-character.ts";

describe("renders a value as YAML", () => {
  it("in block style", () => {
    expect(renderYaml({ name: "Checkout fails", services: [{ id: "a" }], duration: null })).toBe(
      "name: Checkout fails\nservices:\n  - id: a\nduration: null\n",
    );
  });

  it.each([
    ..."NO|null|1e3|0x1F|2026-03-01|| x|a: b|# a|- a|*a|&a|<<|a\nb\n|\ta".split("|"),
    "x ".repeat(90),
  ])("that parses to the same string: %j", (text) => {
    expect(parseDocuments(renderYaml({ text }), "x").documents[0]?.value).toEqual({ text });
  });

  it.each(["\u202ee", "a\u200b", "\u001b[2J", "a\r\nb", "\u0085", "\u2028", "\ufeff", "\u{e0041}", "\u007f"])(
    "with invisible characters as escapes: %j",
    (text) => {
      const rendered = renderYaml({ [text]: text });
      expect(rendered).toMatch(/^[\n -~]*$/);
      expect(parseDocuments(rendered, "x").documents[0]?.value).toEqual({ [text]: text });
    },
  );

  it("that parses to the same value, for any strings and names", () => {
    const unit = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: "grapheme" }), fc.string());
    const value = fc.dictionary(
      unit,
      fc.oneof(unit, fc.boolean(), fc.constant(null), fc.array(unit), fc.dictionary(unit, unit)),
    );
    fc.assert(
      fc.property(value, (written) => {
        const { documents, diagnostics } = parseDocuments(renderYaml(written), "x");
        expect(diagnostics).toEqual([]);
        expect(documents[0]?.value).toEqual(written);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 100) },
    );
  });
});

describe("a document of another's service", () => {
  it.each([
    ["is no YAML", "a: [\n"],
    ["is nested too deeply", `${"- ".repeat(100_000)}x\n`],
    ["has a key twice", "a: 1\na: 2\n"],
  ])("is undefined where it %s", (_, wrong) => {
    expect(parseYaml(wrong)).toBe(undefined);
  });
});
