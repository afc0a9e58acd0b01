// Reads the words that people type in a form of another tool: `--color=never`, and a dash of a text editor.
import { Failure } from "../failure.ts";
import { ownValue } from "../untrusted-data.ts";

const colors: Readonly<Record<string, readonly string[]>> = {
  always: ["--color"],
  auto: [],
  never: ["--no-color"],
};

/** The same command line in the words of the parser. Throws a `Failure` "usage" for a dash that is no hyphen. */
export function normalizeWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  const own = end === -1 ? argv : argv.slice(0, end);
  const dashed = own.find((word) => /^[\u2010-\u2015\u2212]+[a-z][\w-]*(?:=.*)?$/i.test(word));
  if (dashed !== undefined) {
    const letters = dashed.replace(/^[^a-z]+/i, "");
    throw new Failure("usage", `"${dashed}" begins with a typographic dash, not with a hyphen`, {
      hint: `write ${/^\w(?:=|$)/.test(letters) ? "-" : "--"}${letters}`,
    });
  }
  const words = own.flatMap((word, index) => {
    const color = word.startsWith("--color=") ? word.slice("--color=".length) : own[index + 1];
    if (word === "--color" || word.startsWith("--color=")) return ownValue(colors, color ?? "") ?? [word];
    return own[index - 1] === "--color" && Object.hasOwn(colors, word) ? [] : [word];
  });
  return [...words, ...argv.slice(own.length)];
}
