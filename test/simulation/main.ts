// `npm run simulate -- [--seed N] [--runs N] [--minutes N] [--states N] [--match PATTERN] [--only exhaustive|random]`: every
// interleaving of the scenarios, and random runs. Exits with 1 where a run breaks an invariant.
import { parseArgs } from "node:util";
import { explore } from "./explore.ts";
import { mutantScenarios } from "./mutants.ts";
import { randomChangeScenario, randomScenario, runRandomly } from "./random.ts";
import { allScenarios } from "./scenarios.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    runs: { type: "string", default: "12000" },
    minutes: { type: "string", default: "1000" },
    states: { type: "string", default: "10000000" },
    only: { type: "string" },
    match: { type: "string", default: "" },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);
let failures = 0;

function report(message: string, trace: readonly string[]): void {
  failures += 1;
  print(`  VIOLATION: ${message}`);
  for (const [index, line] of trace.entries()) print(`    ${String(index + 1).padStart(3)}  ${line}`);
}

if (values.only !== "random") {
  for (const scenario of allScenarios(mutantScenarios).filter(({ name }) =>
    new RegExp(values.match).test(name),
  )) {
    const started = Date.now();
    const { ends, isComplete, states, violation } = await explore(scenario, {
      states: Number(values.states),
    });
    const end = isComplete ? "complete" : "not complete";
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    print(`${scenario.name}: ${states} states, ${ends} ends, ${end}, ${seconds} s`);
    if (violation !== undefined) report(violation.message, violation.trace);
  }
}

if (values.only !== "exhaustive") {
  const first = Number(values.seed);
  let steps = 0;
  let done = 0;
  const until = Date.now() + Number(values.minutes) * 60_000;
  for (let seed = first; seed < first + Number(values.runs) && Date.now() < until; seed += 1) {
    for (const scenario of [randomScenario(seed), ...(seed % 3 === 0 ? [randomChangeScenario(seed)] : [])]) {
      const result = await runRandomly(scenario, seed);
      done += 1;
      steps += result.steps;
      if (result.violation === undefined) continue;
      const { given = [], name, service, starts } = scenario;
      print(`${name}, ${service.kind}: ${JSON.stringify([...given, ...starts])}`);
      report(result.violation.message, result.violation.trace);
    }
    if (failures >= 5) break;
  }
  print(`random: ${done} runs from seed ${first}, ${steps} steps`);
}

process.exitCode = failures === 0 ? 0 : 1;
