// The pruning of equivalent interleavings loses nothing: with it and without it, a scenario has the same ends and the
// same violations.

import { describe, expect, it } from "vitest";
import type { OwnEvent } from "../../src/journal/events.ts";
import { explore } from "./explore.ts";
import { mutants } from "./mutants.ts";
import type { Scenario } from "./scenario.ts";
import { mutantScenario, smallScenarios, worldScenarios } from "./scenarios.ts";
import type { World } from "./world/world.ts";

/** Processes are numbered anew, in the order in which the text names them. */
function withoutNumbers(text: string): string {
  const numbers = new Map<string, number>();
  return text.replace(/(writer-|00000000-0000-4000-8000-|\bP)(\d+)/g, (_, prefix: string, digits: string) => {
    const number = String(Number(digits.slice(0, 6)));
    numbers.set(number, numbers.get(number) ?? numbers.size + 1);
    return `${prefix}${numbers.get(number)}`;
  });
}

/** What is left for people: the events of each log, the incidents, and the ids that were told. */
function describeEnd({ created, processes, sequences }: World): string {
  const told = processes.flatMap(({ outcome }) => (outcome?.kind === "told" ? outcome.ids : []));
  const left = [
    [...sequences.values()].map(({ entries, first }) => [
      first,
      entries.map(({ events = [], writer }) => [
        writer,
        (events as readonly OwnEvent[]).map(({ event, id }) => [event.type, id]),
      ]),
    ]),
    created.map(({ id, operation }) => [id, operation]),
    [...new Set(told)].sort(),
  ];
  return withoutNumbers(JSON.stringify(left));
}

async function exploreAll(scenario: Scenario, isReduced: boolean) {
  const ends = new Set<string>();
  const violations = new Set<string>();
  const { isComplete, states } = await explore(scenario, {
    states: 100_000,
    isReduced,
    onEnd: (world) => ends.add(describeEnd(world)),
    onViolation: ({ message }) => violations.add(withoutNumbers(message)),
  });
  expect(isComplete).toBe(true);
  return { states, found: { ends: [...ends].sort(), violations: [...violations].sort() } };
}

// Without pruning, this one has more than a million states.
const comparable = mutants.filter(({ limitsLast }) => !limitsLast);

// Processes of this mutant never end.
const ending = comparable.filter(
  ({ name }) => name !== "a read that finds nothing proves that nothing was created",
);

const pairs = new Map(
  comparable.map((mutant) => mutantScenario(mutant)).map((scenario) => [scenario.name, scenario]),
);

// A check of a change compares every tenth of the smaller ones.
const isQuick = process.env.SIMULATION === "quick";

const scenarios = [
  ...smallScenarios(),
  ...(isQuick ? [] : worldScenarios()).filter(({ starts }) => starts.length < 3),
  ...pairs.values(),
  ...ending.map((mutant) => ({ ...mutantScenario(mutant, mutant), name: `mutant: ${mutant.name}` })),
].filter((_, at) => !isQuick || at % 10 === 0);

describe("pruning", () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    "loses no end and no violation: %s",
    async (_, scenario) => {
      const whole = await exploreAll(scenario, false);
      const pruned = await exploreAll(scenario, true);
      expect(pruned.found).toEqual(whole.found);
      expect(pruned.states).toBeLessThanOrEqual(whole.states);
    },
  );

  it("finds violations, and prunes", async () => {
    // The first of two processes, whose steps can be interleaved.
    const mutant = comparable.find((each) => mutantScenario(each).starts.length === 2);
    const scenario = mutantScenario(mutant as (typeof mutants)[number], mutant);
    const whole = await exploreAll(scenario, false);
    const pruned = await exploreAll(scenario, true);
    expect(whole.found.violations.length).toBeGreaterThan(0);
    expect(pruned.states).toBeLessThan(whole.states / 2);
  });
});
