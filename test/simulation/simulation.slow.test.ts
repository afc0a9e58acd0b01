// The larger simulation: two processes with a crash and a lost answer in every interleaving, and many random runs.
import { describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import { randomScenario, runRandomly, shrink } from "./random.ts";
import { exhaustiveScenarios } from "./scenarios.ts";

describe("every interleaving", () => {
  it.each(exhaustiveScenarios(true).map((scenario) => [scenario.name, scenario] as const))(
    "declares once and loses nothing: %s",
    async (_, scenario) => {
      const { isComplete, violation } = await explore(scenario, { states: 3_000_000 });
      expect(violation).toBeUndefined();
      expect(isComplete).toBe(true);
    },
    300_000,
  );
});

describe("random runs", () => {
  it("declare once and lose nothing", async () => {
    for (let seed = 1_000; seed < 6_000; seed += 1) {
      const scenario = randomScenario(seed);
      const { violation } = await runRandomly(scenario, seed);
      const shrunk = violation && (await shrink(scenario, violation.choices));
      expect(shrunk?.violation, `seed ${seed}`).toBeUndefined();
    }
  }, 300_000);
});
