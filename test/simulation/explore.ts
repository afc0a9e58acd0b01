// Explores every interleaving of a scenario, depth first. actions.ts says how equivalent ones are pruned.

import { finish, type Scenario, startWorld, take } from "./scenario.ts";
import { actionsOf } from "./world/actions.ts";
import { stateKey } from "./world/state-key.ts";
import { Violation, World } from "./world/world.ts";

export interface ExploreOptions {
  /** The most states. */
  readonly states: number;
  /** Whether steps are left out that actions.ts proves to be redundant, and like processes are interchangeable. */
  readonly isReduced?: boolean;
}

export interface Exploration {
  readonly states: number;
  /** States in which nothing more can happen. */
  readonly ends: number;
  readonly isComplete: boolean;
  readonly violation?: FoundViolation;
}

export interface FoundViolation {
  readonly message: string;
  readonly trace: readonly string[];
}

export async function explore(
  scenario: Scenario,
  { isReduced = true, states }: ExploreOptions,
): Promise<Exploration> {
  const seen = new Set<string>();
  const keyOf = (world: World) => stateKey(world, { isSymmetric: isReduced });
  const closed = new Set<string>();
  const first = await startWorld(scenario);
  const stack: World[] = [first];
  seen.add(keyOf(first));
  const result = (isComplete: boolean) => ({ states: seen.size, ends: closed.size, isComplete });
  try {
    for (let world = stack.pop(); world !== undefined; world = stack.pop()) {
      if (seen.size >= states) return result(false);
      const actions = actionsOf(world, { isReduced });
      if (actions.length === 0) {
        world.budget = new Map();
        const key = keyOf(world);
        if (!closed.has(key)) await finish(world, scenario.starts);
        closed.add(key);
      }
      for (const action of actions) {
        const taken = take(world, action);
        const after = taken instanceof World ? taken : await taken;
        const key = keyOf(after);
        if (seen.has(key)) continue;
        seen.add(key);
        stack.push(after);
      }
    }
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return { ...result(false), violation: { message: error.message, trace: error.trace } };
  }
  return result(true);
}
