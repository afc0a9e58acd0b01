import { describe, expect, it } from "vitest";
import { escapeLine, escapeLines } from "../../src/platform/terminal/safe-text.ts";

describe("untrusted text", () => {
  it.each([
    ["a control sequence", "\u001b[2Jgone", "\\u{1b}[2Jgone"],
    ["a C1 control", "\u009b31m", "\\u{9b}31m"],
    ["a carriage return", "good\rbad", "good\\rbad"],
    ["a backspace and a bell", "a\b\u0007", "a\\u{8}\\u{7}"],
    ["a line break", "one\ntwo", "one\\ntwo"],
    ["a bidirectional override", "abc\u202edcba", "abc\\u{202e}dcba"],
    ["bidirectional isolates", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["zero-width characters", "a\u200bb\u2060c\ufeff", "a\\u{200b}b\\u{2060}c\\u{feff}"],
    ["a joiner between letters", "a\u200db", "a\\u{200d}b"],
    ["tag characters", "\u{e0041}\u{e007f}", "\\u{e0041}\\u{e007f}"],
    ["a variation selector that hides data", "a\u{e0100}", "a\\u{e0100}"],
    ["a filler that looks like a space", "\u3164", "\\u{3164}"],
    ["a line separator", "a\u2028b", "a\\u{2028}b"],
    ["lone surrogates", "\ud800x\udfff", "\\u{d800}x\\u{dfff}"],
    ["private use", "\ue000", "\\u{e000}"],
  ])("escapes %s", (_, text, shown) => {
    expect(escapeLine(text)).toBe(shown);
  });

  it.each([
    "Störung bei Zahlungen — “partial” outage",
    "決済が失敗しています",
    "결제 실패",
    "👩‍💻 is on it ⚠️ 👍🏽",
    "नमस्ते",
    "قيد التحقيق",
  ])("keeps %s", (text) => {
    expect(escapeLine(text)).toBe(text);
  });

  it("keeps line ends in text of several lines, and escapes other controls", () => {
    expect(escapeLines("one\r\n\ttwo\u001b\nthree\n\n")).toEqual(["one", "    two\\u{1b}", "three"]);
  });
});
