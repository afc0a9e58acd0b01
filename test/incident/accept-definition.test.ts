// The acceptor of valid definitions against the schema: it accepts the same values, and returns the same copy.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptDefinition } from "../../src/incident/accept-definition.ts";
import { definitionSchema } from "../../src/incident/definition.ts";
import { bodyFields, serviceFields, updateFields } from "../../src/incident/wire.ts";
import { definitions } from "../source/arbitraries.ts";

/** Values that a field can have, and values that it cannot have. */
const values = fc.constantFrom<unknown>(
  ...["", " ", "\u200b", "x", "MAJOR", "RESOLVED", "major", "2024-02-29", "2026-02-29", "x".repeat(256)],
  ...["🚨".repeat(255), "🚨".repeat(256), "7C9E6679-7425-40de-944b-e07fc1f90ae7", "7c9e6679-7425"],
  ...["2026-03-01T09:30Z", "2026-03-01T09:30:00.5+01:00", "2026-03-01T24:00Z", "2026-03-01"],
  ...[null, undefined, true, false, 0, 1.5, 2 ** 53, [], [{}], {}, "__proto__"],
);

const change = fc.oneof(
  fc.record({ list: fc.constant(undefined), field: fc.constantFrom(...bodyFields, "title"), value: values }),
  fc.record({
    list: fc.constant("services"),
    field: fc.constantFrom(...serviceFields, "title"),
    value: values,
  }),
  fc.record({
    list: fc.constant("incidentUpdates"),
    field: fc.constantFrom(...updateFields, "title"),
    value: values,
  }),
);

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

describe("acceptDefinition", () => {
  it("accepts what the schema accepts, and returns the same copy", () => {
    const counts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.oneof({ weight: 20, arbitrary: changed }, { weight: 1, arbitrary: values }), (value) => {
        const { success, data } = definitionSchema.safeParse(value);
        const accepted = acceptDefinition(value);
        counts[success ? "accepted" : "refused"] += 1;
        // Compares the order of fields too, because a request has the fields in that order.
        expect([value, JSON.stringify(accepted)]).toEqual([
          value,
          JSON.stringify(success ? data : undefined),
        ]);
      }),
      { seed: 20261122, numRuns: 3000 },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(500);
  });

  it("takes no field from a prototype", () => {
    const [valid] = fc.sample(definitions, { numRuns: 1, seed: 1 });
    const { name, ...rest } = valid as { readonly name: string };
    expect(acceptDefinition(Object.assign(Object.create({ name }), rest))).toBeUndefined();
  });
});
