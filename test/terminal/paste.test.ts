// Pieces of input: a paste of several lines becomes one line, and keys pass through.
import { expect, it } from "vitest";
import { keysIn } from "../../src/platform/terminal/prompts.ts";

it.each([
  ["a paste becomes one line", "one\r\ntwo\n\n  three", "one two three"],
  ["its last line end is the Enter key", "one\rtwo\r", "one two\r"],
  ["letters of every script stay", "決済 é 👩‍💻", "決済 é 👩‍💻"],
  ["Escape alone changes no other key", "\u001b", ""],
  ["an arrow is a key", "\u001b[A", "\u001b[A"],
  ["a function key is a key", "\u001bOP", "\u001bOP"],
  ["Tab and Enter are keys", "\t\r", "\t\r"],
  ["Space and Enter are keys", " \r", " \r"],
  ["Ctrl-C is a key", "\u0003", "\u0003"],
])("%s", (_, piece, keys) => {
  expect(keysIn(piece)).toBe(keys);
});
