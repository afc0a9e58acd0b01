// Every interleaving of each scenario, which takes ten minutes, and many random runs. `SIMULATION=quick` takes the first
// states of each, which takes a few seconds; SIMULATION_SEED and SIMULATION_RUNS choose the random runs.
import { describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import { mutantScenarios } from "./mutants.ts";
import { randomChangeScenario, randomScenario, runRandomly } from "./random.ts";
import { allScenarios } from "./scenarios.ts";

const isQuick = process.env.SIMULATION === "quick";
const first = Number(process.env.SIMULATION_SEED ?? 1_000);
const runs = Number(process.env.SIMULATION_RUNS ?? (isQuick ? 10 : 600));

describe("every interleaving", () => {
  it.each(allScenarios(mutantScenarios).map((scenario) => [scenario.name, scenario] as const))(
    "declares once and loses nothing: %s",
    async (_, scenario) => {
      const { isComplete, violation } = await explore(scenario, isQuick ? 20 : 3_000_000);
      expect(violation).toEqual(undefined);
      expect(isComplete || isQuick).toBe(true);
    },
    1_800_000,
  );
});

describe("random runs", () => {
  it("declare once and lose nothing", { timeout: 0 }, async () => {
    for (let seed = first; seed < first + runs; seed += 1) {
      for (const scenario of [randomScenario(seed), randomChangeScenario(seed)]) {
        const { violation } = await runRandomly(scenario, seed);
        expect(violation, scenario.name).toEqual(undefined);
      }
    }
  });
});
