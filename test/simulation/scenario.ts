// What a run of the simulation starts with, and its steps.
import { Failure } from "../../src/failure.ts";
import type { ClientIds } from "../../src/journal/events.ts";
import { runApply, runUpdate } from "./change-commands.ts";
import { close, runToEnd } from "./closing.ts";
import { runCreate, runPrune, runSettle } from "./command.ts";
import type { Mutant } from "./mutant.ts";
import type { Budget, Fault } from "./world/faults.ts";
import { checkState } from "./world/invariants.ts";
import { type Outcomes, Program } from "./world/local-state.ts";
import { Names } from "./world/names.ts";
import { leave } from "./world/network.ts";
import { offerReruns, startCommand } from "./world/people.ts";
import { SequenceState } from "./world/sequence-state.ts";
import { type Service, type ServiceKind, shownBy } from "./world/service.ts";
import { isOfChanges, type Start } from "./world/start.ts";
import { type Action, linesOf, Violation, World, withEntry } from "./world/world.ts";

export interface Scenario {
  readonly name: string;
  readonly service: Service;
  /** Commands that are over, before anything goes wrong. */
  readonly given?: readonly Start[] | undefined;
  /** Commands that start at once. */
  readonly starts: readonly Start[];
  readonly budget: Budget;
  /** How often a person runs a command again that crashed or failed. */
  readonly reruns: number;
  readonly mutant?: Mutant | undefined;
}

const commands = {
  apply: runApply,
  create: runCreate,
  prune: runPrune,
  settle: runSettle,
  update: runUpdate,
} as const;

/** `isReduced`: see world/actions.ts. */
export async function startWorld(scenario: Scenario, isReduced: boolean): Promise<World> {
  const { budget, given = [], mutant, reruns, service, starts } = scenario;
  const names = new Names(isReduced);
  const programs = new Map<string, Program>();
  const world = new World(
    {
      names,
      emptySequence: new SequenceState(names),
      service,
      leave,
      program(start, number) {
        const title = JSON.stringify(start);
        const key = `${title} ${number}`;
        const main = commands[start.command];
        const program =
          programs.get(key) ??
          new Program(names, title, number, (port) =>
            main(port, start, { mutant, hasList: service.lists, visit: visitor(service.kind, start) }).catch(
              asOutcome,
            ),
          );
        programs.set(key, program);
        return program;
      },
    },
    budget,
    reruns,
  );
  if (given.length > 0) {
    world.budget = new Map();
    for (const start of given) await runToEnd(world, start);
    world.budget = new Map(Object.entries(budget) as [Fault, number][]);
  }
  for (const start of starts) await startCommand(world, start);
  return world;
}

/** The support for ids that a decision relies on is what this service has shown. */
function visitor(kind: ServiceKind, start: Start) {
  return (support: ClientIds) => {
    // The ids of updates are learned apart, and an edit has none.
    if (isOfChanges(start)) return;
    if (support !== shownBy(kind) && support !== "unknown")
      throw new Error(`relies on ids that are ${support}`);
  };
}

function asOutcome(error: unknown): Outcomes {
  if (error instanceof Failure) return { kind: "failed", failure: error.kind, message: error.message };
  const message = error instanceof Error ? `${error.stack}` : String(error);
  return { kind: "failed", failure: "internal", message } as const;
}

/** The state after an action, checked. Asynchronous where the code of a process meets a result that is new. */
export function take(world: World, { fault, label, run }: Action): World | Promise<World> {
  const after = world.copy();
  after.say(label);
  if (fault !== undefined) after.budget = withEntry(after.budget, fault, (after.budget.get(fault) ?? 0) - 1);
  const finish = () => {
    checkState(after);
    offerReruns(after);
    return after;
  };
  const fail = (error: unknown): never => {
    if (error instanceof Violation) error.trace = linesOf(after.trace);
    throw error;
  };
  try {
    const running = run(after);
    return running === undefined ? finish() : running.then(finish).catch(fail);
  } catch (error) {
    return fail(error);
  }
}

/** Checks the end of a run. */
export async function finish(world: World, starts: readonly Start[]): Promise<void> {
  const end = world.copy();
  try {
    await close(end, starts);
  } catch (error) {
    if (error instanceof Violation) error.trace = linesOf(end.trace);
    throw error;
  }
}
