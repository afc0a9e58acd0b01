// Explores every interleaving of a scenario, depth first. world/actions.ts says how equivalent ones are pruned.
import { finish, type Scenario, startWorld, take } from "./scenario.ts";
import { actionsOf } from "./world/actions.ts";
import { stateKey } from "./world/state-key.ts";
import { Violation, World } from "./world/world.ts";

export interface ExploreOptions {
  /** The most states. */
  readonly states: number;
  /** Whether equivalent interleavings are pruned. */
  readonly isReduced?: boolean;
  /** Called with each state in which nothing more can happen. */
  readonly onEnd?: (world: World) => void;
  /** Called with each violation, instead of ending the exploration with the first. */
  readonly onViolation?: (violation: Violation) => void;
}

export interface Exploration {
  readonly states: number;
  /** States in which nothing more can happen. */
  readonly ends: number;
  readonly isComplete: boolean;
  readonly violation?: Pick<Violation, "message" | "trace">;
}

export async function explore(scenario: Scenario, options: ExploreOptions): Promise<Exploration> {
  const { isReduced = true, onEnd, onViolation, states } = options;
  const seen = new Set<string>();
  const closed = new Set<string>();
  const result = (isComplete: boolean) => ({ states: seen.size, ends: closed.size, isComplete });
  const first = await startWorld(scenario, isReduced);
  const stack: World[] = [first];
  seen.add(stateKey(first));

  const check = (error: unknown) => {
    if (!(error instanceof Violation) || onViolation === undefined) throw error;
    onViolation(error);
  };

  async function end(world: World): Promise<void> {
    onEnd?.(world);
    world.budget = new Map();
    const key = stateKey(world);
    if (closed.has(key)) return;
    closed.add(key);
    await finish(world, scenario.starts).catch(check);
  }

  try {
    for (let world = stack.pop(); world !== undefined; world = stack.pop()) {
      if (seen.size >= states) return result(false);
      const actions = actionsOf(world);
      if (actions.length === 0) await end(world);
      for (const action of actions) {
        try {
          const taken = take(world, action);
          const after = taken instanceof World ? taken : await taken;
          const key = stateKey(after);
          if (seen.has(key)) continue;
          seen.add(key);
          stack.push(after);
        } catch (error) {
          check(error);
        }
      }
    }
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return { ...result(false), violation: { message: error.message, trace: error.trace } };
  }
  return result(true);
}
