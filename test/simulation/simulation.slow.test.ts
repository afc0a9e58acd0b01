// Every interleaving of each scenario, which takes ten minutes, and many random runs. `SIMULATION=quick` takes the smaller
// scenarios, with one crash fewer, and the first states of each, which takes less than a minute.
import { describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import { randomChangeScenario, randomScenario, runRandomly, shrink } from "./random.ts";
import {
  changeScenarios,
  exhaustiveScenarios,
  largeWorldScenarios,
  peopleScenarios,
  quickScenarios,
  withoutContained,
  worldScenarios,
} from "./scenarios.ts";

const isQuick = process.env.SIMULATION === "quick";

describe("every interleaving", () => {
  const complete = isQuick ? [] : [...largeWorldScenarios(), ...worldScenarios(), ...changeScenarios()];
  const scenarios = withoutContained([
    ...exhaustiveScenarios(isQuick),
    ...peopleScenarios().filter(
      // Where ids are refused, a limit and two signals have as many states as all others together.
      ({ budget, service, starts }) =>
        !isQuick || (starts.length < 2 && (service.kind !== "refuses-ids" || !budget["rate-limit"])),
    ),
    ...quickScenarios(),
    ...complete,
  ]);
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    "declares once and loses nothing: %s",
    async (_, scenario) => {
      const { isComplete, violation } = await explore(scenario, { states: isQuick ? 700 : 3_000_000 });
      expect(violation).toBeUndefined();
      expect(isComplete || isQuick).toBe(true);
    },
    1_800_000,
  );
});

describe("random runs", () => {
  it("declare once and lose nothing", async () => {
    for (let seed = 1_000; seed < (isQuick ? 1_025 : 1_600); seed += 1) {
      for (const scenario of [randomScenario(seed), randomChangeScenario(seed)]) {
        const { violation } = await runRandomly(scenario, seed);
        const shrunk = violation && (await shrink(scenario, violation.choices));
        expect(shrunk?.violation, scenario.name).toBeUndefined();
      }
    }
  });
});
