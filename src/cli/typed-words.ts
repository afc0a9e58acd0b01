// Reads argv as people type it: `create help`, `--help create`, `ls`, `--color=never`, and a dash of a text editor.
import { Failure } from "../failure.ts";
import { ownValue } from "../untrusted-data.ts";

const colors: Readonly<Record<string, readonly string[]>> = {
  always: ["--color"],
  auto: [],
  never: ["--no-color"],
};

/** The names that other tools give to commands that only read. */
const aliases: Readonly<Record<string, string>> = { describe: "get", ls: "list", show: "get", view: "get" };

/** The same command line in the words of the parser. Throws a `Failure` "usage" for a dash that is no hyphen. */
export function normalizeWords(
  argv: readonly string[],
  commands: ReadonlySet<string>,
  groups: Pick<ReadonlySet<string>, "has">,
): readonly string[] {
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
  const [typed = "", ...rest] = words;
  const first = ownValue(aliases, typed) ?? typed;
  const [second = "", ...others] = rest;
  const isHelp = (word: string) => word === "--help" || word === "-h";
  if (isHelp(first) && commands.has(second)) return [second, ...others, "--help"];
  if (second === "help" && others.length === 0 && commands.has(first)) return [first, "--help"];
  if (second === "ls" && groups.has(first)) return [first, "list", ...others, ...argv.slice(own.length)];
  return [...(words.length > 0 ? [first, ...rest] : []), ...argv.slice(own.length)];
}
