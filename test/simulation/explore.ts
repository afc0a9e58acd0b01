// Explores every interleaving of a scenario: depth first, from the start again for each branch, since the state of a
// JavaScript process cannot be copied. A state that was reached before, by another order of the same steps, is not
// explored again.
import { type Run, type Scenario, startRun } from "./scenario.ts";
import { Violation } from "./world.ts";

export interface Exploration {
  readonly states: number;
  readonly runs: number;
  readonly isComplete: boolean;
  readonly violation?: { readonly message: string; readonly trace: readonly string[] };
}

export async function explore(scenario: Scenario, limits: { readonly states: number }): Promise<Exploration> {
  const seen = new Set<string>();
  const branches: (readonly number[])[] = [[]];
  let runs = 0;
  for (let prefix = branches.pop(); prefix !== undefined; prefix = branches.pop()) {
    if (seen.size >= limits.states) return { states: seen.size, runs, isComplete: false };
    runs += 1;
    const run = await startRun(scenario);
    try {
      await follow(run, prefix, seen, branches);
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      return {
        states: seen.size,
        runs,
        isComplete: false,
        violation: { message: error.message, trace: run.world.trace },
      };
    }
  }
  return { states: seen.size, runs, isComplete: true };
}

/** Takes the prefix, then always the first action, and notes the other actions of each new state as branches. */
async function follow(
  run: Run,
  prefix: readonly number[],
  seen: Set<string>,
  branches: (readonly number[])[],
): Promise<void> {
  const path = [...prefix];
  for (const choice of prefix) {
    const action = run.actions()[choice];
    if (action === undefined) throw new Error("the simulation is not deterministic");
    await run.take(action, false);
  }
  for (;;) {
    const digest = run.world.digest();
    if (seen.has(digest)) return;
    seen.add(digest);
    const actions = run.actions();
    if (actions.length === 0) return run.finish();
    for (let choice = actions.length - 1; choice > 0; choice -= 1) branches.push([...path, choice]);
    path.push(0);
    await run.take(actions[0] as (typeof actions)[number]);
  }
}
