// Runs mutants, each with the tests and scenarios that reach it, until the first one fails.
import { createHash } from "node:crypto";
import { engineOf, limitOf } from "./baseline.ts";
import type { Mutant } from "./instrument.ts";
import { coreFiles } from "./selection.ts";
import type { Baseline } from "./worker.ts";
import { type Answer, WorkerProcess } from "./worker-process.ts";

export interface Verdict {
  readonly name: string;
  readonly end: "killed" | "survived" | "not reached";
  /** The test or scenario that noticed it. */
  readonly by?: string;
  readonly isInSimulation?: boolean;
  readonly how?: string;
}

export interface RunOptions {
  readonly folder: string;
  readonly units: readonly Baseline[];
  /** All mutants, also those that are not run now. */
  readonly all: readonly Mutant[];
  /** The verdicts of earlier runs: the test that noticed a mutant then comes first. */
  readonly last: ReadonlyMap<string, Verdict>;
  readonly workers: number;
  /** Milliseconds of the processor for the tests of a mutant: after that it counts as a survivor. */
  readonly budget: number;
  /** Whether to stop now. */
  readonly isOver: () => boolean;
  readonly onVerdict: (mutant: Mutant, verdict: Verdict) => void;
}

export async function runMutants(options: RunOptions, mutants: readonly Mutant[]): Promise<void> {
  const { all, budget, folder, isOver, last, onVerdict, units, workers } = options;
  const reaching = reachingUnits(units);
  /** How often a unit noticed a mutant of a function or a file: those that did come first. */
  const kills = new Map<string, number>();
  const countKill = ({ by, name }: Verdict) => {
    const [file, place] = name.split(" | ");
    for (const killer of [`${file} ${place} ${by}`, `${file} ${by}`])
      kills.set(killer, (kills.get(killer) ?? 0) + 1);
  };
  for (const verdict of last.values()) if (verdict.by !== undefined) countKill(verdict);
  // In an order that is random and always the same, so that the mutants that are judged when a run stops are a fair sample
  // of the others. Those of the shared journals take longest, and come last.
  const orderOf = ({ file, name }: Mutant) => `${engineOf(file) === undefined ? 1 : 2}${digestOf(name)}`;
  const queue = [...mutants].sort((a, b) => orderOf(a).localeCompare(orderOf(b)));
  const work = async () => {
    const worker = new WorkerProcess(folder);
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const { file, name } = mutant;
      const place = name.split(" | ")[1];
      if (isOver()) break;
      const reached = mutant.isStatic
        ? unitsOfFile(all, reaching, file)
        : (reaching.get(mutant.number) ?? []);
      const near = reached.filter((unit) => concerns(unit, file));
      const found = near.length > 0 ? near : reached;
      const ranks = ranksOf(found);
      const killsOf = (where: string, { unit }: Baseline) => kills.get(`${where} ${unit}`) ?? 0;
      const rank = (unit: Baseline) =>
        (ranks.get(unit) ?? 0) / (1 + 50 * killsOf(`${file} ${place}`, unit) + 10 * killsOf(file, unit));
      const earlier = last.get(name)?.by;
      const order = (unit: Baseline) => (unit.unit === earlier ? -1 : isDirect(unit) ? 0 : rank(unit));
      const sorted = [...found].sort((a, b) => order(a) - order(b));
      const isOfSimulation = (unit: Baseline) => unit.file === undefined;
      const chosen = coreFiles.has(file)
        ? [
            ...within(4 * budget, sorted.filter(isOfSimulation)),
            ...within(
              budget,
              sorted.filter((unit) => !isOfSimulation(unit)),
            ),
          ]
        : within(budget, sorted);
      const verdict = await judge(worker, mutant, chosen);
      if (verdict.by !== undefined) countKill(verdict);
      onVerdict(mutant, verdict);
    }
    worker.stop();
  };
  await Promise.all(Array.from({ length: workers }, work));
}

function digestOf(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}

async function judge(
  worker: WorkerProcess,
  { isStatic, name, number }: Mutant,
  units: readonly Baseline[],
): Promise<Verdict> {
  let rest = units;
  for (let isSecond = false; rest.length > 0; ) {
    const order = { do: "run", mutant: number, units: rest.map(limitOf) } as const;
    const answer = await worker.order(order, isStatic ? number : undefined);
    const isSpoilt = answer.is === "run" && answer.isSpoilt === true;
    if (!isSpoilt && (answer.is !== "crashed" || isSecond)) return verdictOf(name, units, answer);
    // Something before this mutant may have spoilt the process. What fails without the mutant as well says nothing.
    worker.stop();
    if (isSpoilt && isSecond) rest = rest.filter(({ unit }) => unit !== answer.by);
    isSecond = !(isSpoilt && isSecond);
  }
  return { name, end: units.length === 0 ? "not reached" : "survived" };
}

function verdictOf(name: string, units: readonly Baseline[], answer: Answer): Verdict {
  const killed = (by: string, how: string): Verdict => {
    const isInSimulation = units.some(({ file, unit }) => unit === by && file === undefined);
    return { name, end: "killed", by, how, isInSimulation };
  };
  switch (answer.is) {
    case "run":
      return answer.by === undefined
        ? { name, end: "survived" }
        : killed(answer.by, answer.how ?? "it fails");
    case "hung":
      return killed(answer.unit, "it does not end");
    default:
      return killed("the start", "the process ends");
  }
}

/** The tests of an engine take long, so that they judge only the mutants of the engine. */
function concerns(unit: Baseline, file: string): boolean {
  const engine = engineOf(unit.file);
  return engine === undefined || engine === engineOf(file);
}

/** Whether it compares each decision by itself, so that it ends soon where it fails. */
function isDirect({ file, unit }: Baseline): boolean {
  return file === undefined && unit.startsWith("every ");
}

/** The cheap ones first, and those of a large table after some of each other file. */
function ranksOf(units: readonly Baseline[]): ReadonlyMap<Baseline, number> {
  const counts = new Map<string | undefined, number>();
  const ranks = new Map<Baseline, number>();
  for (const unit of [...units].sort((a, b) => a.cpu - b.cpu)) {
    const count = counts.get(unit.file) ?? 0;
    counts.set(unit.file, count + 1);
    ranks.set(unit, (unit.cpu + 5) * (1 + count / 3));
  }
  return ranks;
}

/** The first units that together take no longer than `budget`, in milliseconds of the processor. */
function within(budget: number, units: readonly Baseline[]): readonly Baseline[] {
  let spent = 0;
  return units.filter((unit) => {
    spent += isDirect(unit) ? 0 : unit.cpu;
    return spent <= budget;
  });
}

/** For each mutant. */
export function reachingUnits(units: readonly Baseline[]): ReadonlyMap<number, readonly Baseline[]> {
  const reaching = new Map<number, Baseline[]>();
  for (const unit of units) {
    for (const number of unit.reached) {
      const list = reaching.get(number);
      if (list === undefined) reaching.set(number, [unit]);
      else list.push(unit);
    }
  }
  return reaching;
}

/** Those that reach any mutant of the file, or of one beside it: a constant is used by others. */
function unitsOfFile(
  all: readonly Mutant[],
  reaching: ReadonlyMap<number, readonly Baseline[]>,
  file: string,
): readonly Baseline[] {
  const folder = file.replace(/[^/]+$/, "");
  const of = (isOf: (mutant: Mutant) => boolean) =>
    new Set(all.filter(isOf).flatMap(({ number }) => reaching.get(number) ?? []));
  const own = of((mutant) => mutant.file === file && !mutant.isStatic);
  return [...(own.size > 0 ? own : of((mutant) => mutant.file.startsWith(folder)))];
}
