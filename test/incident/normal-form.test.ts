import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalName, severities } from "../../src/incident/values.ts";
import { normalInstant, normalText } from "../../src/incident/wire.ts";

describe("the normal form of a text", () => {
  it.each([
    ["outer white space", "We are looking.\n", "We are looking."],
    ["repeated white space", "We  are\t looking.", "We are looking."],
    ["line ends", "One.\r\nTwo.\rThree.\n\nFour.", "One. Two. Three. Four."],
    ["decomposed letters", "Zu\u0308rich", "Zürich"],
    ["a no-break space", "a\u00a0b", "a b"],
    ["escapes", "a &lt; b &amp;&amp; &quot;c&quot; &#39;d&#x27; &apos;e&apos;", `a < b && "c" 'd' 'e'`],
    ["escapes of escapes", "&amp;amp;lt; &AMP;quot;", '< "'],
    ["an ampersand that begins no escape", "a & b &unknown; &", "a & b &unknown; &"],
    ["tags", 'A <b class="x">bold</b> <a href="x">word</a><!doctype html>', "A bold word"],
    [
      "words in brackets, which are no tags",
      "Queue <orders> of <a>, </b2> <spanner>",
      "Queue <orders> of <a>, </b2> <spanner>",
    ],
    ["tags of lines and paragraphs", "<p>One.</p><p>Two.<br/>Three.</p>", "One. Two. Three."],
    ["escaped tags", "a &lt;b&gt;bold&lt;/b&gt; word", "a bold word"],
    ["comparisons, which are no tags", "1 < 2 and 3 > 2 <", "1 < 2 and 3 > 2 <"],
    ["a code that is no character", "a&#x110000;b", "ab"],
    ["a decomposed letter that looks like a tag", "<e\u0301>", "<é>"],
  ])("does not have %s", (_, text, normal) => {
    expect(normalText(text)).toBe(normal);
  });

  it("keeps letter case, punctuation and the white space between words", () => {
    for (const text of ["Checkout fails.", "checkout fails", "Checkoutfails."])
      expect(normalText(text)).toBe(text);
  });

  it("is the same after what a service does to any text", () => {
    const escapeHtml = (text: string) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
    const treatments = [
      escapeHtml,
      (text: string) => text.normalize("NFD"),
      (text: string) => text.trim(),
      (text: string) => text.replace(/\s+/g, " "),
      (text: string) => text.replace(/\n/g, "\r\n"),
      (text: string) => ` ${text}\n`,
    ];
    const words = fc.constantFrom("<", ">", "&", "amp;", "#", "b", "é", "u\u0308", " ", "\n", '"', "/", ";");
    fc.assert(
      fc.property(fc.array(words), fc.constantFrom(...treatments), (parts, treat) => {
        const text = parts.join("");
        expect(normalText(treat(text))).toBe(normalText(text));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("the normal form of other values", () => {
  it("of an enumeration is the name of the specification, if it is one", () => {
    expect(normalName(" major", severities)).toBe("MAJOR");
    expect(normalName("huge", severities)).toBeUndefined();
    expect(normalName(undefined, severities)).toBeUndefined();
  });

  it("of an instant is independent of its zone", () => {
    expect(normalInstant("2026-03-01T10:30:00+01:00")).toBe("2026-03-01T09:30:00.000Z");
    expect(normalInstant("2026-03-01T09:30Z")).toBe("2026-03-01T09:30:00.000Z");
    expect(normalInstant("soon")).toBe("soon");
  });
});
