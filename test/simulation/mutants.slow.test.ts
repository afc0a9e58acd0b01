// A small simulation: small scenarios, explored completely, random runs, and the mutants that prove the checker. The slow
// tests explore more, and `npm run simulate` explores all.
import { describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import { changeMutants, mutants } from "./mutants.ts";
import { randomChangeScenario, randomScenario, runRandomly } from "./random.ts";
import { smallScenarios } from "./scenarios.ts";

const most = 100_000;

describe("every interleaving", () => {
  it.each(smallScenarios().map((scenario) => [scenario.name, scenario] as const))(
    "declares once and loses nothing: %s",
    async (_, scenario) => {
      const { isComplete, states, violation } = await explore(scenario, most);
      expect(violation).toBeUndefined();
      expect(isComplete).toBe(true);
      expect(states).toBeGreaterThan(5);
    },
  );
});

describe("random runs", () => {
  it("declare once and lose nothing", async () => {
    const happened = new Set<string>();
    for (let seed = 51; seed <= 75; seed += 1) {
      const { trace = [], violation } = await runRandomly(randomScenario(seed), seed);
      expect(violation, `seed ${seed}`).toBeUndefined();
      for (const line of trace) happened.add(line.replace(/^P\d+ |\d+ (?=is )/g, ""));
    }
    for (const line of ["request is rate limited", "create: waits 60001 ms"])
      expect(happened).toContain(line);
  });

  it("post each update once", async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const { violation } = await runRandomly(randomChangeScenario(seed), seed);
      expect(violation, `seed ${seed}`).toBeUndefined();
    }
  });

  it("are the same for the same seed", async () => {
    const run = () => runRandomly(randomScenario(7), 7);
    expect(await run()).toEqual(await run());
  });
});

/** Without the mutant, each scenario passes in the slow tests. */
describe("a mutant of the protocol", () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))("is caught: %s", async (_, mutant) => {
    const { violation } = await explore({ ...mutant.shows, mutant }, most);
    expect(violation?.message).toMatch(
      /sends (.* again|another|after its deadline)|exits at|has the event \d|was declared \d times|no person and no log|was told|has 2 open incidents/,
    );
    expect(violation?.trace.length).toBeGreaterThan(3);
  });
});

describe("a mistake in updates", () => {
  it.each(changeMutants.map((mutant) => [mutant.name, mutant] as const))(
    "is caught: %s",
    async (_, mutant) => {
      const { violation } = await explore({ ...mutant.shows, mutant }, most);
      expect(violation?.message).toMatch(
        /was made 2 times|sends .* again|has the event \d|after one that follows|to a resolved|did not post|tells that/,
      );
      expect(violation?.trace.length).toBeGreaterThan(3);
    },
  );
});
