// Explores every interleaving of a scenario, depth first. world/actions.ts says how equivalent ones are pruned.
import { finish, type Scenario, startWorld, take } from "./scenario.ts";
import { actionsOf } from "./world/actions.ts";
import { stateKey } from "./world/state-key.ts";
import { Violation, World } from "./world/world.ts";

export interface Exploration {
  readonly states: number;
  readonly isComplete: boolean;
  readonly violation?: Pick<Violation, "message" | "trace">;
}

/** `most`: of states. */
export async function explore(scenario: Scenario, most: number): Promise<Exploration> {
  const seen = new Set<string>();
  const closed = new Set<string>();
  const result = (isComplete: boolean) => ({ states: seen.size, isComplete });
  const first = await startWorld(scenario, true);
  const stack: World[] = [first];
  seen.add(stateKey(first));

  async function end(world: World): Promise<void> {
    world.budget = new Map();
    const key = stateKey(world);
    if (closed.has(key)) return;
    closed.add(key);
    await finish(world, scenario.starts);
  }

  try {
    for (let world = stack.pop(); world !== undefined; world = stack.pop()) {
      if (seen.size >= most) return result(false);
      const actions = actionsOf(world);
      if (actions.length === 0) await end(world);
      for (const action of actions) {
        const taken = take(world, action);
        const after = taken instanceof World ? taken : await taken;
        const key = stateKey(after);
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
