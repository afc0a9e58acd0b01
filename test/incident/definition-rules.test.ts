// The interpreter of the rules beside zod, in which they are written: both accept the same definitions, and return the
// same copy.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionRules } from "../../src/incident/definition.ts";
import { definitionSchema } from "../../src/incident/definition-schema.ts";
import { inOrder } from "../../src/rules/in-order.ts";
import { createJudge } from "../../src/rules/judge.ts";
import type { RuleSchema } from "../../src/rules/rule-schema.ts";
import { factsOf } from "../../src/rules/schema.ts";
import { fieldsOf, rulesOf } from "../../src/rules/schema-facts.ts";
import { definitions } from "../source/arbitraries.ts";

/** Values that a field can have, and values that it cannot have. */
const values = fc.constantFrom<unknown>(
  ...["", " ", "\u200b", "x", "MAJOR", "RESOLVED", "major", "2024-02-29", "2026-02-29", "x".repeat(256)],
  ...["🚨".repeat(255), "🚨".repeat(256), "7C9E6679-7425-40de-944b-e07fc1f90ae7", "7c9e6679-7425"],
  ...["2026-03-01T09:30Z", "2026-03-01T09:30:00.5+01:00", "2026-03-01T24:00Z", "2026-03-01"],
  ...[null, undefined, true, false, 0, 1.5, 2 ** 53, 5n, [], [{}], {}, "__proto__"],
);

const change = fc.constantFrom(undefined, "services", "incidentUpdates").chain((list) => {
  const own = list === undefined ? definitionRules : (rulesOf(definitionRules, `${list}[]`) as RuleSchema);
  const field = fc.constantFrom(...fieldsOf(own), "title");
  return fc.record({ list: fc.constant(list), field, value: values });
});

/** Valid definitions with up to two changed fields, in any order of the fields. */
const changed = fc
  .tuple(definitions, fc.array(change, { maxLength: 2 }), fc.boolean())
  .map(([definition, changes, isReversed]) => {
    const copy = structuredClone(definition) as unknown as Record<string, unknown>;
    for (const { list, field, value } of changes) {
      const target = list === undefined ? copy : (copy[list] as Record<string, unknown>[] | undefined)?.[0];
      if (typeof target !== "object" || target === null) continue;
      if (value === undefined) delete target[field];
      else target[field] = value;
    }
    return isReversed ? Object.fromEntries(Object.entries(copy).reverse()) : copy;
  });

describe("the rules of a definition", () => {
  it("are those of their zod schema", () => {
    const judge = createJudge(definitionRules);
    const counts = { accepted: 0, refused: 0 };
    const shown = (value: unknown) =>
      JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part));
    fc.assert(
      fc.property(fc.oneof({ weight: 20, arbitrary: changed }, { weight: 1, arbitrary: values }), (value) => {
        const { success, data } = definitionSchema.safeParse(value);
        const isValid = judge(value).length === 0;
        counts[success ? "accepted" : "refused"] += 1;
        // Compares the order of fields too, because a request has the fields in that order.
        expect([value, isValid, isValid && shown(inOrder(definitionRules, value))]).toEqual([
          value,
          success,
          success && shown(data),
        ]);
      }),
      { seed: 20261122, numRuns: 3000 },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(500);
  });

  it("are the facts of their zod schema, with which messages are written", () => {
    expect(factsOf(definitionSchema)).toEqual(definitionRules);
  });
});
