// `npm run simulate -- [--quick | --long] [--seed N] [--runs N] [--minutes N] [--states N] [--match PATTERN]
// [--only exhaustive|worlds|changes|random|random-changes|mutants]`: every interleaving of the scenarios, random runs, and
// the mutants that the simulation has to catch. Exits with 1 where a run breaks an invariant or a mutant survives. --long
// explores only the scenarios that take more than ten minutes each.
import { parseArgs } from "node:util";
import { explore } from "./explore.ts";
import { changeMutants, type Mutant, mutants } from "./mutants.ts";
import { randomChangeScenario, randomScenario, runRandomly, shrink } from "./random.ts";
import type { Scenario } from "./scenario.ts";
import {
  changeMutantScenario,
  changeScenarios,
  exhaustiveScenarios,
  largeWorldScenarios,
  listScenarios,
  longScenarios,
  mutantScenario,
  peopleScenarios,
  worldScenarios,
} from "./scenarios.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "12000" },
    minutes: { type: "string", default: "1000" },
    states: { type: "string", default: "10000000" },
    only: { type: "string" },
    match: { type: "string", default: "" },
  },
});

/** Those whose names match --match, of the scenarios that were asked for. */
function chosenScenarios() {
  const worlds = values.long
    ? []
    : [...worldScenarios(), ...listScenarios(), ...peopleScenarios(), ...largeWorldScenarios()];
  const others = values.long ? longScenarios() : exhaustiveScenarios(values.quick);
  const changes = values.long ? [] : changeScenarios();
  const all = { worlds, changes }[values.only ?? ""] ?? [...worlds, ...changes, ...others];
  return all.filter(({ name }) => new RegExp(values.match).test(name));
}

const print = (line: string) => process.stdout.write(`${line}\n`);
let failures = 0;

function report(message: string, trace: readonly string[]): void {
  failures += 1;
  print(`  VIOLATION: ${message}`);
  for (const [index, line] of trace.entries()) print(`    ${String(index + 1).padStart(3)}  ${line}`);
}

if (values.only === undefined || ["exhaustive", "worlds", "changes"].includes(values.only)) {
  let states = 0;
  let isComplete = true;
  for (const scenario of chosenScenarios()) {
    const started = Date.now();
    const result = await explore(scenario, { states: Number(values.states) });
    states += result.states;
    isComplete &&= result.isComplete;
    const end = result.isComplete ? "complete" : "not complete";
    print(
      `${scenario.name}: ${result.states} states, ${result.ends} ends, ${end}, ${((Date.now() - started) / 1000).toFixed(1)} s`,
    );
    if (result.violation !== undefined) report(result.violation.message, result.violation.trace);
  }
  print(`exhaustive: ${states} states, ${isComplete ? "complete" : "not complete"}`);
}

/** Every third seed also gives a scenario of updates. */
function scenariosOf(seed: number): readonly Scenario[] {
  if (values.only === "random-changes") return [randomChangeScenario(seed)];
  return [randomScenario(seed), ...(seed % 3 === 0 ? [randomChangeScenario(seed)] : [])];
}

if (values.only === undefined || values.only.startsWith("random")) {
  const first = Number(values.seed);
  const runs = Number(values.runs);
  let steps = 0;
  let failed = 0;
  let done = 0;
  const until = Date.now() + Number(values.minutes) * 60_000;
  for (let seed = first; seed < first + runs && failed < 5 && Date.now() < until; seed += 1) {
    for (const scenario of scenariosOf(seed)) {
      done += 1;
      const result = await runRandomly(scenario, seed);
      steps += result.steps;
      if (result.violation === undefined) continue;
      failed += 1;
      const { violation = result.violation } = await shrink(scenario, result.violation.choices);
      const { given = [], name, service, starts } = scenario;
      print(`${name}, ${service.kind} ${service.habit}: ${JSON.stringify([...given, ...starts])}`);
      report(violation.message, violation.trace);
    }
  }
  print(`random: ${done} runs from seed ${first}, ${steps} steps`);
}

if (values.only === undefined || values.only === "mutants") {
  let caught = 0;
  const all = [
    ...mutants.map((mutant) => [mutant, mutantScenario] as const),
    ...changeMutants.map((mutant) => [mutant, changeMutantScenario] as const),
  ];
  for (const [mutant, scenarioOf] of all) {
    const found = await catchMutant(mutant, scenarioOf);
    print(`mutant "${mutant.name}": ${found ?? "SURVIVED"}`);
    if (found === undefined) failures += 1;
    else caught += 1;
  }
  print(`mutants: ${caught} of ${all.length} caught`);
}

async function catchMutant(mutant: Mutant, scenarioOf: typeof mutantScenario): Promise<string | undefined> {
  const scenario = scenarioOf(mutant, mutant);
  const { violation } = await explore(scenario, { states: 100_000 });
  return violation && `${violation.message} (${scenario.name}, ${violation.trace.length} steps)`;
}

process.exitCode = failures === 0 ? 0 : 1;
