import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { measureText, wrapCommand, wrapText } from "../../src/view/terminal/wrap.ts";

const words = fc.array(
  fc.constantFrom("a", "payments", "é", "決済", "👩‍💻", "e\u0301", "–", "x".repeat(50)),
  {
    minLength: 1,
    maxLength: 40,
  },
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
    ["emoji of several characters", "👩‍💻🇩🇪👍🏽"],
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
    ["https://example.com/a/long/address in text", 20, ["https://example.com/", "a/long/address in", "text"]],
    ["決済が失敗しています", 10, ["決済が失敗", "しています"]],
    ["👩‍💻👩‍💻👩‍💻", 4, ["👩‍💻👩‍💻", "👩‍💻"]],
    ["first  second", 40, ["first  second"]],
  ])("breaks %j at %i cells", (text, width, lines) => {
    expect(wrapText(text, { splits: true, width })).toEqual(lines);
  });

  it("indents the lines after the first, less where a long word needs the room", () => {
    expect(wrapText("  next: one two three-is-long four", { width: 14, indent: 4 })).toEqual([
      "  next: one",
      "    two",
      " three-is-long",
      "    four",
    ]);
  });

  it("continues a long command after a backslash, and cuts no id", () => {
    expect(wrapCommand("incident get 12345678-90ab --key 'a b' --watch", 24, 4)).toEqual([
      "    incident get \\",
      "        12345678-90ab \\",
      "        --key 'a b' \\",
      "        --watch",
    ]);
  });

  it("keeps every line within the width and drops only spaces", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 60 }), (list, width) => {
        const text = list.join(" ");
        const lines = wrapText(text, { splits: true, width });
        for (const line of lines) expect(measureText(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
