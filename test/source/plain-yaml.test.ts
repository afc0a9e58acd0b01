// The fast parser beside the parser of the whole language: where the guard lets a text through, both read the same.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, type ParsedText, parseDocuments } from "../../src/source/documents.ts";
import { isAmbiguous } from "../../src/source/yaml/ambiguous.ts";
import { composeDocuments } from "../../src/source/yaml/compose-documents.ts";
import { blocks, definitions, mutation, notations } from "./arbitraries.ts";

/** A text in which each scalar of the core schema, and each that only looks like one, stands in many places. */
const scalars = fc
  .tuple(
    fc.constantFrom(
      ...[
        "1",
        "-0",
        "+12",
        "007",
        "0o17",
        "0x1F",
        "0b1",
        "1_000",
        "1.",
        ".5",
        "-.5",
        "1e3",
        "1.5e-3",
        "1.e1",
      ],
      ...[".inf", "-.INF", "+.Inf", ".nan", ".NaN", "1:30", "9007199254740993", "-9223372036854775809"],
      ...["~", "null", "Null", "NULL", "nUll", "true", "True", "FALSE", "yes", "no", "on", "2026-03-01"],
      ...[
        "${x}",
        "${x:-y}",
        "$${x}",
        "=",
        "<<",
        "__proto__",
        "constructor",
        "length",
        "7c9e6679",
        "1a",
        "-x",
      ],
      ...["'1'", '"true"', "", "a:b", "é", "🚨", "[1]", "{ a: 1 }", "[]", "{}", "[a, 01]"],
    ),
    fc.constantFrom(
      ...[
        "a: X\n",
        "- X\n",
        "X: a\n",
        "a: [X, X]\n",
        "a: { X: a }\n",
        "a: { b: X }\n",
        "X\n",
        "a: X",
        "a:\n- X\n",
      ],
      ...["--- X\n", "---\na: X\n---\nb: X\n", "a: X # c\n", "a: 1\n...\n---\nX: 1\n", "? X\n", "[X]: a\n"],
    ),
  )
  .map(([scalar, place]) => place.replaceAll("X", () => scalar));

const written = fc
  .tuple(definitions, fc.constantFrom(...Object.values(notations)))
  .map(([definition, spell]) => spell(definition));

const texts = fc.oneof(
  { weight: 2, arbitrary: scalars },
  { weight: 1, arbitrary: written },
  ...[mutation, blocks].map((bytes) => ({
    weight: 4,
    arbitrary: bytes.map((each) => {
      const decoded = decodeText({ file: "x.yaml", bytes: each });
      return "text" in decoded ? decoded.text : "";
    }),
  })),
);

/** The values in their order, with the kinds that JSON does not have. */
function content({ documents, count, diagnostics }: ParsedText): string {
  const replacer = (_: string, value: unknown) =>
    typeof value === "bigint" ||
    (typeof value === "number" && !Number.isFinite(value)) ||
    Object.is(value, -0)
      ? `${typeof value} ${Object.is(value, -0) ? "-0" : value}`
      : value;
  const parsed = documents.map(({ value, index }) => ({ value, index }));
  return JSON.stringify([count, diagnostics, parsed], replacer);
}

const runs = Number(process.env.FUZZ_RUNS ?? 600);

describe("the fast parser", () => {
  it("reads what the parser of the whole language reads, or leaves the text to it", () => {
    const counts = { fast: 0, left: 0 };
    fc.assert(
      fc.property(texts, (text) => {
        counts[isAmbiguous(text) ? "left" : "fast"] += 1;
        expect([text, content(parseDocuments(text, "x.yaml"))]).toEqual([
          text,
          content(composeDocuments(text, "x.yaml")),
        ]);
      }),
      { seed: 20261122, numRuns: runs },
    );
    expect(Math.min(counts.fast, counts.left)).toBeGreaterThan(runs / 4);
  });

  it("leaves deep nesting to it, which has the message", () => {
    const [{ code } = { code: undefined }] = parseDocuments(`${"- ".repeat(100_000)}x\n`, "x").diagnostics;
    expect(code).toBe("too-deep");
  });

  it("gives positions on demand, in any document of a text", () => {
    const text = "a: { b: 1 }\n---\na: { b: 1.10 }\n";
    const [, second] = parseDocuments(text, "x.yaml").documents;
    expect(second?.locate(["a", "b"]).start).toEqual({ line: 3, column: 9 });
    expect(second?.locate(["a", "c"], "key").start).toEqual({ line: 3, column: 4 });
    expect(second?.textOf(["a", "b"])).toBe("1.10");
  });
});
