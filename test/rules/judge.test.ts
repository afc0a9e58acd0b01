// The judge: its verdict is that of another validator, and no schema or value makes it slow.
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJudge } from "../../src/rules/judge.ts";
import type { RuleSchema } from "../../src/rules/rule-schema.ts";

const text: fc.Arbitrary<RuleSchema> = fc.record(
  {
    type: fc.constant("string" as const),
    minLength: fc.nat(4),
    maxLength: fc.nat(8),
    pattern: fc.constantFrom("^[a-c]+$", "\\d", "^x?y*$"),
    enum: fc.constant(["a", "abc", "x1"]),
  },
  { requiredKeys: ["type"] },
);
const number: fc.Arbitrary<RuleSchema> = fc.record(
  {
    type: fc.constantFrom("integer" as const, "number" as const),
    minimum: fc.integer({ min: -3, max: 3 }),
    exclusiveMaximum: fc.integer({ min: -3, max: 9 }),
    multipleOf: fc.constantFrom(2, 3),
  },
  { requiredKeys: ["type"] },
);
const { schema } = fc.letrec<{ schema: RuleSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    number,
    fc.record(
      {
        type: fc.constant("array" as const),
        items: tie("schema"),
        minItems: fc.nat(2),
        maxItems: fc.nat(4),
        uniqueItems: fc.constant(true as const),
      },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      {
        type: fc.constant("object" as const),
        properties: fc.dictionary(fc.constantFrom("a", "b", "constructor"), tie("schema"), { maxKeys: 3 }),
        required: fc.uniqueArray(fc.constantFrom("a", "b", "toString"), { minLength: 1, maxLength: 2 }),
        additionalProperties: fc.constant(false as const),
      },
      { requiredKeys: ["type"] },
    ),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
    tie("schema").map((not) => ({ not })),
  ),
}));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>("a", "abc", "x1", "", "yyy", "\u{1f600}x", null, true),
    fc.integer({ min: -4, max: 10 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "constructor"), tie("value"), { maxKeys: 3 }),
  ),
}));

describe("the judge", () => {
  it("agrees with Ajv about any schema and value", () => {
    fc.assert(
      fc.property(schema, value, (generated, given) => {
        // A contract comes from JSON.
        const rules: RuleSchema = JSON.parse(JSON.stringify(generated));
        const accepts = new Ajv2020({ strict: false, ownProperties: true }).compile(rules);
        const violations = createJudge(rules)(given);
        expect({ rules, given, accepted: violations.length === 0 }).toEqual({
          rules,
          given,
          accepted: accepts(JSON.parse(JSON.stringify(given))),
        });
      }),
      { numRuns: 60, seed: 19 },
    );
  });

  it("gives at most one violation for each part of a value", () => {
    const rules: RuleSchema = {
      properties: { a: { minLength: 5, pattern: "^x", enum: ["xxxxx"], type: "string" } },
    };
    expect(createJudge(rules)({ a: "b" })).toHaveLength(1);
  });

  it("names the violation of the only form that a value can have meant", () => {
    const rules: RuleSchema = { anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }] };
    const [violation] = createJudge(rules)("long");
    expect(violation).toMatchObject({ path: [], keyword: "maxLength" });
  });

  it("ends with a long list of entries", () => {
    const rules: RuleSchema = {
      properties: { a: { pattern: "^a+$" }, b: { uniqueItems: true } },
    };
    const given = {
      a: `${"a".repeat(10_000)}!`,
      b: Array.from({ length: 20_000 }, (_, index) => ({ index })),
    };
    expect(createJudge(rules)(given).map(({ path }) => path)).toEqual([["a"]]);
  });
});
