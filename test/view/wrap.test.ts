import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { wrapText } from "../../src/text/lengths.ts";
import { measureText } from "../../src/view/terminal/style.ts";

const words = fc.array(
  fc.constantFrom("a", "payments", "é", "決済", "👩‍💻", "e\u0301", "–", "x".repeat(50)),
  { minLength: 1, maxLength: 40 },
);

describe("the width of text", () => {
  it("equals that of string-width for the characters of the first plane", () => {
    const different: string[] = [];
    // A prime, so that each block has some. CASES=all compares every character.
    const step = process.env.CASES === "all" ? 1 : 7;
    for (let code = 0x20; code < 0x10000; code += code < 0x600 ? 1 : step) {
      const text = String.fromCharCode(code);
      if (measureText(text) !== stringWidth(text)) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });

  it.each([
    ["wide characters", "決済が失敗しています"],
    ["combining marks", `e${"\u0301".repeat(300)}`],
    ["colors", "\u001b[31m決済\u001b[39m"],
  ])("equals that of string-width for long text with %s", (_, unit) => {
    const text = unit.repeat(40);
    expect(measureText(text)).toBe(stringWidth(text));
  });
});

describe("wrapping", () => {
  it.each([
    ["", 20, [""]],
    ["short", 20, ["short"]],
    ["exactly twenty cells", 20, ["exactly twenty cells"]],
    ["one word more than twenty", 20, ["one word more than", "twenty"]],
    ["https://example.com/a/long/address in text", 20, ["https://example.com/a/long/address", "in text"]],
    ["first  second", 40, ["first  second"]],
    ["  indented", 40, ["  indented"]],
  ])("breaks %j at %i cells", (text, width, lines) => {
    expect(wrapText(text, width, measureText)).toEqual(lines);
  });

  it("keeps every line within the width, but for a longer word, and drops only spaces", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 60 }), (list, width) => {
        const lines = wrapText(list.join(" "), width, measureText);
        for (const line of lines)
          if (line.includes(" ")) expect(measureText(line)).toBeLessThanOrEqual(width);
        expect(lines.join(" ")).toBe(list.join(" "));
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
