// The command lines of the golden files `refused.txt` and `answered.txt`, each with what it says, and the files that they have:
// those of fixtures/refused, in its folder `shop` or where the line goes first.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const fixtures = new URL("../../fixtures/", import.meta.url).pathname;
const folder = join(fixtures, "refused");

export const files = Object.fromEntries(
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
);

/** The parts of a golden file: a heading, or a line with its command, working directory and answer. */
export function partsOf(golden: string) {
  return readFileSync(join(fixtures, "words", golden), "utf8")
    .split(/^(?=\$ |# )/m)
    .map((part) => {
      const [line = "", ...said] = part.trimEnd().split("\n");
      const [, cwd = "shop", command = ""] = /^\$ (?:cd (\S+) && )?(.*)/.exec(line) ?? [];
      return { line, cwd, command, said: said.join("\n") };
    });
}
