// Runs the tests with each fault of faults.ts in the source, until the first one fails.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { engineOf, limitOf } from "./baseline.ts";
import { bundleTests } from "./bundle.ts";
import { type Fault, withFault } from "./faults.ts";
import type { Mutant } from "./instrument.ts";
import { reachingUnits } from "./run-mutants.ts";
import { root } from "./selection.ts";
import type { Baseline } from "./worker.ts";
import { WorkerProcess } from "./worker-process.ts";

export interface FaultVerdict {
  readonly name: string;
  /** The test or scenario that noticed it; undefined where none does. */
  readonly by: string | undefined;
}

export async function runFault(
  fault: Fault,
  cache: string,
  all: readonly Mutant[],
  units: readonly Baseline[],
): Promise<FaultVerdict> {
  const folder = join(cache, `fault-${process.pid}`);
  const code = withFault(fault, readFileSync(join(root, fault.file), "utf8"));
  await bundleTests(new Map([[fault.file, { code, mutants: [] }]]), folder);
  const worker = new WorkerProcess(folder);
  let rest = unitsAround(fault, all, units);
  try {
    while (rest.length > 0) {
      const answer = await worker.order({ do: "run", mutant: 0, units: rest.map(limitOf) });
      if (answer.is === "run") return { name: fault.name, by: answer.by };
      if (answer.is === "hung") return { name: fault.name, by: answer.unit };
      rest = rest.slice(1);
    }
  } finally {
    worker.stop();
    rmSync(folder, { recursive: true });
  }
  return { name: fault.name, by: undefined };
}

/** Of a mutated file, those that reach the lines of the fault; of another one, those of its folder or engine. */
function unitsAround(
  { file, find }: Fault,
  all: readonly Mutant[],
  units: readonly Baseline[],
): readonly Baseline[] {
  const engine = engineOf(file);
  const own = units.filter((unit) => engineOf(unit.file) === engine);
  const before = readFileSync(join(root, file), "utf8").split(find)[0] ?? "";
  const first = before.split("\n").length;
  const last = first + find.split("\n").length - 1;
  const reaching = reachingUnits(own);
  const near = all.filter((mutant) => mutant.file === file && mutant.line >= first && mutant.line <= last);
  const found = new Set(near.flatMap(({ number }) => reaching.get(number) ?? []));
  return [...(found.size > 0 ? found : own)].sort((a, b) => a.cpu - b.cpu);
}
