import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { measureText, wrapText } from "../../src/view/terminal/wrap.ts";

const words = fc.array(
  fc.constantFrom("a", "payments", "é", "決済", "👩‍💻", "e\u0301", "–", "x".repeat(50)),
  {
    minLength: 1,
    maxLength: 40,
  },
);

describe("the width of text", () => {
  it("is the one of string-width for every character of the first plane", () => {
    const different: string[] = [];
    for (let code = 0x20; code < 0x10000; code += 1) {
      const text = String.fromCharCode(code);
      if (measureText(text) !== stringWidth(text)) different.push(code.toString(16));
    }
    expect(different).toEqual([]);
  });
});

describe("wrapping", () => {
  it.each([
    ["", 20, [""]],
    ["short", 20, ["short"]],
    ["exactly twenty cells", 20, ["exactly twenty cells"]],
    ["one word more than twenty", 20, ["one word more than", "twenty"]],
    ["https://example.com/a/long/address in text", 20, ["https://example.com/", "a/long/address in", "text"]],
    ["決済が失敗しています", 10, ["決済が失敗", "しています"]],
    ["👩‍💻👩‍💻👩‍💻", 4, ["👩‍💻👩‍💻", "👩‍💻"]],
    ["first  second", 40, ["first  second"]],
  ])("breaks %j at %i cells", (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines);
  });

  it("keeps every line within the width and loses nothing but spaces", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 60 }), (list, width) => {
        const text = list.join(" ");
        const lines = wrapText(text, width);
        for (const line of lines) expect(measureText(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
