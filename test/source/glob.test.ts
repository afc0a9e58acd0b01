import * as files from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expandGlob } from "../../src/source/glob.ts";

let cwd: string;

beforeEach(() => {
  cwd = files.mkdtempSync(join(tmpdir(), "incident-glob-"));
});

afterEach(() => {
  files.rmSync(cwd, { recursive: true });
});

describe("a glob", () => {
  it.each([
    ["*", ["a", "a*", "aab", "ab", "abab", "b", "{a}", "[a]"]],
    ["a*b", ["aab", "ab", "abab"]],
    ["a**b", ["aab", "ab", "abab"]],
    ["?", ["a", "b"]],
    ["*?b", ["aab", "ab", "abab"]],
    ["a?", ["a*", "ab"]],
    ["[a]*", ["[a]"]],
    ["{a}*", ["{a}"]],
    ["*ba", []],
  ])("%j matches %j", (pattern, expected) => {
    for (const name of ["a", "a*", "aab", "ab", "abab", "b", "{a}", "[a]"]) {
      files.writeFileSync(join(cwd, name), "");
    }
    expect(expandGlob(files, cwd, pattern)).toEqual([...expected].sort());
  });

  // With a matcher that repeats its work, these tests do not end.
  it("matches a long name without backtracking", () => {
    const name = "a".repeat(250);
    files.writeFileSync(join(cwd, name), "");
    expect(expandGlob(files, cwd, `${"*a".repeat(40)}*b`)).toEqual([]);
    expect(expandGlob(files, cwd, `${"*a".repeat(40)}*`)).toEqual([name]);
  });

  it("takes a row of stars for one", () => {
    const names = Array.from({ length: 500 }, (_, index) => String(index).padStart(250, "a")).sort();
    for (const name of names) files.writeFileSync(join(cwd, name), "");
    expect(expandGlob(files, cwd, "*".repeat(5000))).toEqual(names);
  });

  it("visits each folder once for each step", () => {
    const deep = Array.from({ length: 30 }, () => "a").join("/");
    files.mkdirSync(join(cwd, deep), { recursive: true });
    expect(expandGlob(files, cwd, `${"**/".repeat(12)}b`)).toEqual([]);
    expect(expandGlob(files, cwd, "**/a/**/a/**")).toContain(deep);
  });
});
