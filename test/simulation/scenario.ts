// What a run of the simulation starts with, and how it ends: the last rerun, in a world without faults, has to tell
// the incident, and there is one.
import { Failure } from "../../src/failure.ts";
import { type CommandOptions, runCreate, runPrune, runSettle } from "./command.ts";
import { checkState } from "./invariants.ts";
import type { Mutant } from "./mutants.ts";
import type { ServiceKind } from "./service.ts";
import { type Action, type Budget, describeOutcome, Violation, World } from "./world.ts";

export interface Start extends CommandOptions {
  readonly command: "create" | "prune" | "settle";
  /** What is different when a person runs it again. */
  readonly rerun?: Partial<CommandOptions>;
}

export interface Scenario {
  readonly name: string;
  readonly service: ServiceKind;
  /** Commands that start at once. */
  readonly starts: readonly Start[];
  readonly budget: Budget;
  /** How often a person runs a command again that crashed or failed. */
  readonly reruns: number;
  readonly mutant?: Mutant | undefined;
}

const defaultName = "Checkout fails";
const runs = { create: runCreate, prune: runPrune, settle: runSettle } as const;

/** A run in progress. */
export interface Run {
  readonly world: World;
  actions(): readonly Action[];
  /** Without the check for states that were checked before. */
  take(action: Action, isChecked?: boolean): Promise<void>;
  /** Checks what must hold once nothing more can happen. */
  finish(): Promise<void>;
}

export async function startRun(scenario: Scenario): Promise<Run> {
  const world = new World(scenario.service, scenario.budget);
  world.allowsResend = scenario.starts.some(({ promised }) => promised === "unique");
  world.isSymmetric = new Set(scenario.starts.map((start) => JSON.stringify(start))).size === 1;
  let reruns = scenario.reruns;
  const pending = new Map<number, Start>();

  async function spawn(start: Start): Promise<void> {
    const wants = start.incidentName ?? defaultName;
    if (start.command === "create") countIntent(world, wants, start.id !== undefined);
    const process = await world.spawn(start.command, wants, (own) =>
      runs[start.command](world, own, start, scenario.mutant).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        return { kind: "failed", failure: error.kind, message: error.message } as const;
      }),
    );
    pending.set(process.number, start);
  }

  for (const start of scenario.starts) await spawn(start);

  /** Offers a rerun of each command that crashed, or that told a person to run it again. */
  function offerReruns(): void {
    for (const process of world.processes) {
      const start = pending.get(process.number);
      if (start === undefined || process.status === "running") continue;
      const isDone = process.status === "ended" && process.outcome?.kind === "told";
      pending.delete(process.number);
      if (isDone || start.command !== "create" || reruns === 0) continue;
      reruns -= 1;
      world.offer(
        `${process.name} is run again`,
        () => void spawn({ ...start, isPermitting: false, ...start.rerun }),
      );
    }
  }

  return {
    world,
    actions: () => world.actions(),
    async take(action, isChecked = true) {
      await world.take(action);
      if (isChecked) checkState(world);
      offerReruns();
    },
    finish: () => close(world, scenario, spawn),
  };
}

/** A command that starts after a person was told of an incident asks for another. */
function countIntent(world: World, wants: string, hasId: boolean): void {
  const told = world.processes.flatMap(({ outcome, wants: other }) =>
    outcome?.kind === "told" && other === wants ? outcome.ids : [],
  );
  const asked = hasId ? 1 : new Set(told).size + 1;
  world.intents.set(wants, Math.max(world.intents.get(wants) ?? 1, asked));
}

/** The same command until it is told, with a person who settles truthfully in between. */
async function close(
  world: World,
  { starts }: Scenario,
  spawn: (start: Start) => Promise<void>,
): Promise<void> {
  world.clearBudget();
  for (const start of starts) {
    if (start.command !== "create") continue;
    const wants = start.incidentName ?? defaultName;
    const before = world.service.created.length;
    const wasTold = world.processes.some(
      (process) =>
        process.outcome?.kind === "told" && process.wants === wants && process.outcome.ids.length > 0,
    );
    if (wasTold && start.id === undefined) continue;
    let outcome = await runToEnd(world, () => spawn({ ...start, isPermitting: false }));
    if (outcome?.kind === "failed" && outcome.failure === "uncertain") {
      await runToEnd(world, () => spawn({ command: "settle" }));
      outcome = await runToEnd(world, () => spawn({ ...start, isPermitting: false }));
    }
    const isOther = starts.some(
      ({ id, incidentName = defaultName }) => id !== undefined && id === start.id && incidentName !== wants,
    );
    if (outcome?.kind === "told") {
      const created = world.service.created.filter(({ name }) => name === wants).length;
      if (created === 0) throw new Violation(`"${wants}" was told, and does not exist`);
      if (wasTold && world.service.created.length > before)
        throw new Violation("a rerun of what is settled declared another");
    } else if (!isOther)
      throw new Violation(`the last rerun did not declare it: ${describeOutcome(outcome)}`);
  }
}

async function runToEnd(world: World, spawn: () => Promise<void>) {
  await spawn();
  const process = world.processes.at(-1);
  while (process?.status === "running") {
    const action = world
      .actions()
      .find((candidate) => candidate.process === process || candidate.label.includes("arrives"));
    if (action === undefined) throw new Violation(`${process.name} waits for ever`);
    await world.take(action);
    checkState(world);
  }
  return process?.outcome;
}
