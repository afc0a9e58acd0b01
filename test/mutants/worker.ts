// A process that runs tests and scenarios with one mutant active. It answers the messages of main.ts one by one.
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import "../harness/clean-environment.ts";
import { chunkName } from "./selection.ts";
import type { SimulationUnit } from "./simulation-units.ts";
import { closeSuites, collectTests, fullName, type RegisteredTest, runTest } from "./test-registry.ts";

/** What a unit did without any mutant. */
export interface Baseline {
  readonly unit: string;
  /** Its own test file; absent for the simulation. */
  readonly file?: string;
  readonly milliseconds: number;
  /** Of the processor, in milliseconds. */
  readonly cpu: number;
  /** How many mutants were passed by. */
  readonly steps: number;
  readonly reached: readonly number[];
  /** Why it cannot be used. */
  readonly failure?: string;
}

export interface UnitLimit {
  readonly unit: string;
  readonly file?: string;
  readonly steps: number;
  readonly milliseconds: number;
}

export type Order =
  | { readonly do: "measure"; readonly file: string | undefined }
  | { readonly do: "run"; readonly mutant: number; readonly units: readonly UnitLimit[] };

export type Report =
  | { readonly is: "ready" }
  | { readonly is: "measured"; readonly units: readonly Baseline[] }
  | { readonly is: "started"; readonly unit: string; readonly milliseconds: number }
  /** `by`: the unit that failed; absent where all of them pass. `isSpoilt`: without the mutant, it now fails as well. */
  | {
      readonly is: "run";
      readonly mutant: number;
      readonly by?: string;
      readonly how?: string;
      readonly isSpoilt?: boolean;
    };

const manyMutants = 20_000;

let active = Number(process.env.ACTIVE_MUTANT ?? 0);
let reached: Uint8Array | undefined;
let steps = 0;
let longest = Number.POSITIVE_INFINITY;

Object.assign(globalThis, {
  __mutant(number: number, isCompared?: 1): boolean {
    if (reached !== undefined && isCompared === undefined) reached[number] = 1;
    steps += 1;
    if (steps > longest) throw new Error("it takes too many steps");
    return number === active;
  },
  /** While it measures, notes whether the mutant has another value here. */
  __compare(number: number, original: unknown, mutate: () => unknown): unknown {
    if (reached !== undefined && reached[number] !== 1 && differs(original, mutate)) reached[number] = 1;
    return original;
  },
});

function differs(original: unknown, mutate: () => unknown): boolean {
  const mine = steps;
  const noted = reached;
  try {
    reached = undefined;
    return !isDeepStrictEqual(original, mutate());
  } catch {
    return true;
  } finally {
    reached = noted;
    steps = mine;
  }
}

const loaded = new Map<string, ReadonlyMap<string, RegisteredTest>>();

async function load(file: string): Promise<ReadonlyMap<string, RegisteredTest>> {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  const tests = await collectTests(() => import(join(process.argv[1] ?? "", "..", `${chunkName(file)}.mjs`)));
  const named = new Map<string, RegisteredTest>();
  for (const test of tests) {
    const name = `${file} > ${fullName(test)}`;
    named.set(named.has(name) ? `${name} (${named.size})` : name, test);
  }
  loaded.set(file, named);
  return named;
}

/** Loaded late: the mutated modules need the function above. */
async function loadSimulation(): Promise<ReadonlyMap<string, SimulationUnit>> {
  const { simulationUnits } = await import("./simulation-units.ts");
  return simulationUnits();
}

async function runUnit(unit: string, file: string | undefined): Promise<void> {
  if (file === undefined) await (await loadSimulation()).get(unit)?.();
  else await runTest((await load(file)).get(unit) as RegisteredTest);
}

/** The error's message where it fails. */
async function failureOf(unit: string, file: string | undefined): Promise<string | undefined> {
  steps = 0;
  try {
    await runUnit(unit, file);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 300) : String(error);
  }
}

async function measure(file: string | undefined): Promise<readonly Baseline[]> {
  const units = (file === undefined ? await loadSimulation() : await load(file)).keys();
  const measured: Baseline[] = [];
  for (const unit of units) {
    send({ is: "started", unit, milliseconds: 120_000 });
    reached = new Uint8Array(manyMutants);
    const began = performance.now();
    const usage = process.cpuUsage();
    const failure = await failureOf(unit, file);
    const milliseconds = Math.round(performance.now() - began);
    const { system, user } = process.cpuUsage(usage);
    const numbers = [...reached.keys()].filter((number) => reached?.[number] === 1);
    reached = undefined;
    measured.push({
      unit,
      ...(file && { file }),
      milliseconds,
      cpu: Math.round((system + user) / 1000),
      steps,
      reached: numbers,
      ...(failure !== undefined && { failure }),
    });
  }
  await closeSuites();
  return measured;
}

async function run(mutant: number, units: readonly UnitLimit[]): Promise<Report> {
  for (const { file, milliseconds, steps: most, unit } of units) {
    send({ is: "started", unit, milliseconds });
    active = mutant;
    longest = most;
    const how = await failureOf(unit, file);
    longest = Number.POSITIVE_INFINITY;
    if (how === undefined) continue;
    await closeSuites().catch(() => undefined);
    // The simulation is a function of its seeds.
    if (file === undefined) return { is: "run", mutant, by: unit, how };
    // A static mutant stays active for as long as the process runs.
    if (process.env.ACTIVE_MUTANT !== undefined) return { is: "run", mutant, by: unit, how };
    active = 0;
    const isSpoilt = (await failureOf(unit, file)) !== undefined;
    await closeSuites().catch(() => undefined);
    return { is: "run", mutant, by: unit, how, isSpoilt };
  }
  await closeSuites().catch(() => undefined);
  return { is: "run", mutant };
}

function send(report: Report): void {
  process.send?.(report);
}

// What a mutant leaves behind is no error of the next one: the unit that follows is run again without any mutant.
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);

process.on("message", (order: Order) => {
  const work = order.do === "measure" ? measureAll(order.file) : run(order.mutant, order.units);
  void work.then(send, (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  });
});

async function measureAll(file: string | undefined): Promise<Report> {
  return { is: "measured", units: await measure(file) };
}

process.on("disconnect", () => process.exit());
send({ is: "ready" });
