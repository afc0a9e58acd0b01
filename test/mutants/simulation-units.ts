// The quick simulation as units that run one by one: every interleaving of each scenario, and random runs.
import { explore } from "../simulation/explore.ts";
import { mutants } from "../simulation/mutants.ts";
import { randomScenario, runRandomly } from "../simulation/random.ts";
import type { Scenario } from "../simulation/scenario.ts";
import {
  exhaustiveScenarios,
  mutantScenario,
  rareScenarios,
  smallScenarios,
  worldScenarios,
} from "../simulation/scenarios.ts";

/** Throws where an invariant is broken. */
export type SimulationUnit = () => Promise<void>;

const seeds = { runs: 300, perUnit: 20 };

export function simulationUnits(): ReadonlyMap<string, SimulationUnit> {
  const units = new Map<string, SimulationUnit>();
  const scenarios = [
    ...smallScenarios(),
    ...worldScenarios(),
    ...rareScenarios(),
    ...mutants.map((mutant) => mutantScenario(mutant)),
    ...exhaustiveScenarios(true),
  ];
  for (const scenario of scenarios) units.set(scenario.name, () => exploreAll(scenario));
  for (let seed = 1; seed <= seeds.runs; seed += seeds.perUnit) {
    const last = seed + seeds.perUnit - 1;
    units.set(`seeds ${seed} to ${last}`, () => runSeeds(seed, last));
  }
  return units;
}

async function exploreAll(scenario: Scenario): Promise<void> {
  const { isComplete, violation } = await explore(scenario, { states: 100_000 });
  if (violation !== undefined) throw new Error(violation.message);
  if (!isComplete) throw new Error("it does not end");
}

async function runSeeds(first: number, last: number): Promise<void> {
  for (let seed = first; seed <= last; seed += 1) {
    const { violation } = await runRandomly(randomScenario(seed), seed);
    if (violation !== undefined) throw new Error(`seed ${seed}: ${violation.message}`);
  }
}
