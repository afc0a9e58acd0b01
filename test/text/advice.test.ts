import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shellQuote, shellWord } from "../../src/text/advice.ts";
import { isMissing } from "../harness/programs.ts";
import { anyCharacter } from "./any-character.ts";

/** The words as a shell passes them to a program. */
const read = (shell: string, words: readonly string[]) =>
  execFileSync(shell, ["-c", `printf '%s\\0' ${words.join(" ")}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
const text = fc
  .string({ unit: anyCharacter, minLength: 1 })
  .filter((word) => !/[\0\ud800-\udfff]|\n$/u.test(word));

describe("shell words", () => {
  it.each([
    ["a/b-c_1.yaml", "a/b-c_1.yaml", "'a/b-c_1.yaml'"],
    ["on call.yaml", "'on call.yaml'", "'on call.yaml'"],
    ["it's", "'it'\\''s'", "'it'\\''s'"],
    ["a\\b", "'a'\\\\'b'", "'a'\\\\'b'"],
    ["", "''", "''"],
    ["a\u001b%'.yaml", "\"$(printf 'a\\033\\045\\047.yaml')\"", "\"$(printf 'a\\033\\045\\047.yaml')\""],
  ])("writes %j as %s, and in quotes as %s", (word, plain, quoted) => {
    expect([shellWord(word), shellQuote(word)]).toEqual([plain, quoted]);
  });

  it.skipIf(isMissing("fish"))("reach fish unchanged", () => {
    const words = ["it's", "a\\b", "\\n", "\\'", "$HOME `id` (id) * ~", '{"a":"b\\"c"}'];
    expect(read("fish", words.map(shellQuote))).toEqual(words);
  });

  it("reach a shell unchanged", () => {
    // One shell reads many words.
    fc.assert(
      fc.property(fc.array(text, { minLength: 15 }), (words) => {
        const given = [...words.map(shellWord), ...words.map((word) => shellQuote(`${word}\n`))];
        expect(read("sh", given)).toEqual([...words, ...words]);
      }),
      { numRuns: 2 },
    );
  });
});
