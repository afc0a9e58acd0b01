// Every interleaving of each scenario, which takes ten minutes, and many random runs. `SIMULATION=quick` takes the first
// states of each, which takes a few seconds.
import { describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import { mutantScenarios } from "./mutants.ts";
import { randomChangeScenario, randomScenario, runRandomly } from "./random.ts";
import { allScenarios } from "./scenarios.ts";

const isQuick = process.env.SIMULATION === "quick";

describe("every interleaving", () => {
  it.each(allScenarios(mutantScenarios).map((scenario) => [scenario.name, scenario] as const))(
    "declares once and loses nothing: %s",
    async (_, scenario) => {
      const { isComplete, violation } = await explore(scenario, { states: isQuick ? 20 : 3_000_000 });
      expect(violation).toBeUndefined();
      expect(isComplete || isQuick).toBe(true);
    },
    1_800_000,
  );
});

describe("random runs", () => {
  it("declare once and lose nothing", async () => {
    for (let seed = 1_000; seed < (isQuick ? 1_010 : 1_600); seed += 1) {
      for (const scenario of [randomScenario(seed), randomChangeScenario(seed)]) {
        const { violation } = await runRandomly(scenario, seed);
        expect(violation, scenario.name).toBeUndefined();
      }
    }
  });
});
