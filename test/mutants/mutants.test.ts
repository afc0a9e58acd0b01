// The list of faults fits the sources, and the committed results name mutants that exist. `npm run mutants` runs them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { equivalents } from "./equivalents.ts";
import { faults, withFault } from "./faults.ts";
import { instrument, instrumentAll } from "./instrument.ts";
import { mutatedSources, root } from "./selection.ts";

const names = new Set(
  [...instrumentAll(mutatedSources()).values()].flatMap(({ mutants }) => mutants.map(({ name }) => name)),
);

describe("the faults", () => {
  it.each(faults.map((fault) => [fault.name, fault] as const))("fit the source: %s", (_, fault) => {
    const text = readFileSync(join(root, fault.file), "utf8");
    expect(withFault(fault, text)).not.toBe(text);
  });
});

describe("the results", () => {
  it("name mutants that exist; run npm run mutants after a change of the delivery code", () => {
    const results = readFileSync(join(import.meta.dirname, "results.txt"), "utf8");
    const survivors = [...results.matchAll(/^(?:equivalent|survived|not reached): (.*)$/gm)].map(
      ([, name = ""]) => name,
    );
    expect(survivors.filter((name) => !names.has(name))).toEqual([]);
  });

  it("have a reason only for mutants that exist", () => {
    expect([...equivalents.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});

describe("a mutant", () => {
  const changesOf = (text: string) =>
    instrument("a.ts", text, [], 1).mutants.map(({ name }) => name.split(" | ")[2]);

  it.each([
    ["const isBoth = a && b;", ["operand: a && b → a", "operand: a && b → b"]],
    ["if (a) b();", ["condition: a → true", "condition: a → false", "statement: b(); → ;"]],
    [
      "if (a === 1 && !b && c < d) e();",
      [
        "condition: a === 1 && !b && c < d → false",
        "operand: a === 1 && !b && c < d → a === 1 && !b",
        "operand: a === 1 && !b → a === 1",
        "operand: a === 1 && !b → !b",
        "operator: c < d → c <= d",
        "statement: e(); → ;",
      ],
    ],
    [
      "const wait = 1000; const sleep = () => 1000 * n();",
      ["operator: 1000 * n() → 1000 / n()", "number: 1000 → 100"],
    ],
    ["const isLess = a < b;", ["operator: a < b → a <= b", "operator: a < b → a >= b"]],
    [
      'throw new Failure("usage", a ? b : c, { hint: d ? e : f });',
      ['statement: throw new Failure("usage", a ? b : c, { hint: d ? e : f }); → ;'],
    ],
    ["reporter.info(a ? b : c);", []],
    ["const x = a?.b.c;", ["optional chaining: a?.b.c → a.b.c"]],
    ["f(a, b);", ["statement: f(a, b); → ;", "arguments: f(a, b) → f(b, a)"]],
    ['type K = "on" | "off"; const k: K = "on";', ['kind: "on" → "off"']],
    ["const o = { ...a, b };", ["spread: { ...a, b } → { b }", "field: { ...a, b } → { ...a }"]],
    ["const m = new Map(); m.get(toString());", ["statement: m.get(toString()); → ;"]],
  ])("of %s is a small fault", (text, expected) => {
    expect(changesOf(text)).toEqual(expected);
  });

  it("is chosen while the code runs, and changes nothing else", () => {
    const { code, mutants } = instrument("a.ts", "result = [1, 2, 3].filter((n) => n > 1).length;", [], 1);
    const run = (active: number) =>
      new Function("__mutant", "__compare", `let result; ${code}; return result;`)(
        (number: number) => number === active,
        (_: number, original: unknown) => original,
      );
    expect(run(0)).toBe(2);
    const larger = mutants.find(({ name }) => name.includes("n >= 1"));
    expect(run(larger?.number ?? 0)).toBe(3);
  });
});
