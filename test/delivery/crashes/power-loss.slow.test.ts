// Power failures during creates and applies, the first ones of a machine and later ones, at services that keep ids and
// that ignore them. Each pair of these is tested, at every eighth step, and all together at each; CASES=all tests
// each combination at each step.
import { describe, expect, it } from "vitest";
import { losePowerEverywhere, policies } from "./power-loss.ts";

const lines = [
  ["create -f id.yaml", 1],
  ["create -f plain.yaml", 1],
  ["create -f batch.yaml", 2],
  ["apply -f folder --yes", 3],
] as const;

const worlds = (["ignore", "honour"] as const).flatMap((clientIds) =>
  [true, false].map((isFirst) => ({ clientIds, isFirst })),
);

const isComplete = process.env.CASES === "all";

const cases = Object.keys(policies).flatMap((policy, row) =>
  lines.flatMap(([line, incidents], column) =>
    worlds
      .filter((_, at) => isComplete || at === (row + column) % worlds.length)
      .map((world) => ({
        ...world,
        policy,
        line,
        incidents,
        ...(!isComplete && { first: 1 + ((row + column) % 8), by: 8 }),
      })),
  ),
);

describe("a power failure", () => {
  it.each(
    cases.map(
      (each) => [`${each.line}, ${each.isFirst ? "first" : "later"}, ids: ${each.clientIds}`, each] as const,
    ),
  )("declares nothing twice, and forgets nothing: %s, %j", async (_, given) => {
    const { doubles, failures } = await losePowerEverywhere(given);
    expect(doubles).toEqual([]);
    expect(failures).toBeGreaterThan(15);
  });
});
