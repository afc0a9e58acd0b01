// What each test and scenario reaches, and how long it takes, without any mutant.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chunkName } from "./selection.ts";
import type { Baseline, UnitLimit } from "./worker.ts";
import { WorkerProcess } from "./worker-process.ts";

/** A test that takes more of the processor, in milliseconds, is left to the other commands. */
const longestTest = 4000;

export interface MeasureOptions {
  /** Of the bundle, which also keeps what was measured. */
  readonly folder: string;
  readonly workers: number;
  /** Of the tests, beside the simulation. */
  readonly files: readonly string[];
  /** Whether the tests of a shared journal are needed, which take long. */
  readonly needsEngine: (engine: Engine) => boolean;
  readonly print: (line: string) => void;
}

const engines = ["git", "postgres"] as const;
export type Engine = (typeof engines)[number];

/** The shared journal that a test file or a source file is about. */
export function engineOf(file: string | undefined): Engine | undefined {
  return engines.find((engine) => file?.includes(`/journal/${engine}`));
}

export async function measureUnits(options: MeasureOptions): Promise<readonly Baseline[]> {
  const { folder, needsEngine, print, workers } = options;
  const files = options.files.filter((file) => {
    const engine = engineOf(file);
    return engine === undefined || needsEngine(engine);
  });
  const queue: (string | undefined)[] = [undefined, ...files];
  const units: Baseline[] = [];
  const work = async () => {
    const worker = new WorkerProcess(folder);
    while (queue.length > 0) {
      const file = queue.shift();
      const cache = join(folder, `baseline-${chunkName(file ?? "simulation")}.json`);
      if (!existsSync(cache)) {
        const answer = await worker.order({ do: "measure", file });
        if (answer.is !== "measured")
          throw new Error(`${file ?? "the simulation"} cannot be measured: ${JSON.stringify(answer)}`);
        writeFileSync(cache, JSON.stringify(answer.units));
      }
      units.push(...JSON.parse(readFileSync(cache, "utf8")));
    }
    worker.stop();
  };
  await Promise.all(Array.from({ length: workers }, work));
  return units.filter((unit) => isUsable(unit, print));
}

function isUsable({ cpu, failure, file, unit }: Baseline, print: (line: string) => void): boolean {
  if (failure !== undefined) print(`not used, fails by itself: ${unit}: ${failure}`);
  else if (file !== undefined && cpu > longestTest) print(`not used, takes ${cpu} ms: ${unit}`);
  else return true;
  return false;
}

/** Generous: a unit that takes so much longer does not end. */
export function limitOf({ file, milliseconds, steps, unit }: Baseline): UnitLimit {
  return {
    unit,
    ...(file && { file }),
    steps: 30 * steps + 200_000,
    milliseconds: 10 * milliseconds + 20_000,
  };
}
