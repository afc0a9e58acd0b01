// The paste filter: pasted text becomes one line without control sequences, and keys pass through.
import { describe, expect, it } from "vitest";
import { createPasteFilter } from "../../src/platform/terminal/prompts.ts";

const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

/** The keys that the filter returns for input in these pieces. */
function keys(...pieces: readonly string[]): string {
  const filter = createPasteFilter();
  return pieces.map(filter).join("");
}

describe("a paste", () => {
  it.each([
    ["becomes one line", paste("one\r\ntwo\n\n  three"), "one two three"],
    ["brings no escape sequence", paste("a\u001b[31mred\u001b[0m\u001b]0;title\u0007b"), "aredb"],
    ["brings no control character", paste("a\u0003\u0004\u007fb"), "ab"],
    ["leaves what is typed around it", `x${paste("y\n")}z\r`, "xy z\r"],
    ["keeps letters of every script", paste("決済 é 👩‍💻"), "決済 é 👩‍💻"],
    ["can hold the beginning of another", paste(`a\u001b[200~b`), "ab"],
  ])("%s", (_, typed, read) => {
    expect(keys(typed)).toBe(read);
  });

  it("goes on in the next piece of the input", () => {
    expect(keys("x\u001b[200~a\n", "\n\u001b[31mb", "\u001b[201~y\r")).toBe("xa  by\r");
  });

  it.each([1, 2, 3, 4, 5])(
    "is one line where its marks come in two pieces, the first of %i characters",
    (length) => {
      const [begin, end] = ["\u001b[200~", "\u001b[201~"];
      const first = keys(
        begin.slice(0, length),
        `${begin.slice(length)}a\nb${end.slice(0, length)}`,
        `${end.slice(length)}y\r`,
      );
      expect(first).toBe("a by\r");
    },
  );

  it("begins after the Escape key, which changes no other key", () => {
    expect(keys("\u001b", "x", "\u001b", "\u0003", "\u001b", "\u001b[A")).toBe("x\u0003\u001b[A");
  });

  it("without an end mark is ended by Ctrl-C", () => {
    expect(keys("\u001b[200~abc", "\u0003", "x\r")).toBe("abc\u0003x\r");
  });

  it.each(["\u001b[A", "\u001bOP", "\t\r\u007f"])("is not confused with the key %j", (key) => {
    expect(keys(key)).toBe(key);
  });
});
