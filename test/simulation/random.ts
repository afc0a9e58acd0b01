// Random runs: any number of processes, operations and faults, by a seed.
import { createDice, type Dice } from "../delivery/dice.ts";
import { finish, type Scenario, startWorld, take } from "./scenario.ts";
import { actionsOf } from "./world/actions.ts";
import { type Fault, faultNames } from "./world/faults.ts";
import { allKinds } from "./world/service.ts";
import type { Start } from "./world/start.ts";
import { linesOf, Violation } from "./world/world.ts";

export interface RandomResult {
  /** What happened, where nothing is violated. */
  readonly trace?: readonly string[];
  readonly violation?: { readonly message: string; readonly trace: readonly string[] };
}

const id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const rareFaults: readonly Fault[] = ["signal", "deletion", "pause"];
const usualFaults = faultNames.filter((fault) => !rareFaults.includes(fault));

export function randomScenario(seed: number): Scenario {
  const dice = createDice(seed);
  const { pick } = dice;
  const creates = 1 + dice.below(4);
  // The same id with other content is an edited definition.
  const contents: readonly Partial<Start>[] = [
    { id },
    { id },
    { wants: "Shop fails" },
    { wants: "Shop fails" },
    { id: id.replace("7", "8"), wants: "Search fails" },
    { id, wants: "Checkout fails for all" },
    { dedupKey: "payments", wants: "Payments fail" },
    { dedupKey: "payments", wants: "Payments fail: 17 % of them" },
  ];
  const service = { kind: pick(allKinds) };
  // One operation with many faults, or many operations.
  const isOne = dice.below(2) === 0;
  const chosen = isOne ? [pick(contents)] : contents;
  const journal = pick(["local", "local", "shared"] as const);
  const machines = pick([1, 1, 2]);
  const anywhere = () => ({ machine: 1 + dice.below(machines), journal });
  const starts: Start[] = Array.from({ length: creates }, () => ({
    ...anywhere(),
    command: "create",
    wants: "Checkout fails",
    ...pick(chosen),
    ...(isOne && { rerun: {} }),
    daysAhead: pick([0, 0, 0, 400, -400]),
    settleFor: pick([0, 0, 500]),
    maxRetries: dice.below(3),
    isLimited: pick([false, true]),
  }));
  if (dice.below(3) === 0) starts.push({ ...anywhere(), command: "prune", wants: "", daysAhead: 400 });
  const people = pick([{}, {}, { people: "not-created" }, { people: "created" }] as const);
  if (dice.below(3) === 0) starts.push({ ...anywhere(), command: "settle", wants: "", ...people });
  const budget = Object.fromEntries(
    usualFaults.map((fault) => [fault, dice.below(isOne ? 2 : 3) === 0 ? 1 + dice.below(2) : 0]),
  );
  const reruns = dice.below(isOne ? 8 : 4);
  const shared = { name: `seed ${seed}`, service, reruns };
  // A third has signals, and incidents that are deleted.
  if (dice.below(3) > 0) return { ...shared, starts, budget };
  const rare = Object.fromEntries(rareFaults.map((fault) => [fault, dice.below(4)]));
  return { ...shared, starts, budget: { ...budget, ...rare } };
}

const [cause, watching, back] = [
  "IDENTIFIED We know the cause.",
  "MONITORING We are watching it.",
  "IDENTIFIED It is back.",
] as const;

/** Two of the updates are equal. */
const timelines = [
  [cause, watching, back, watching],
  [watching, watching, cause],
  [watching, "RESOLVED It is repaired.", back, watching],
] as const;

/** The scenario of a seed with updates and edits: a file that grows, and updates of a command line. */
export function randomChangeScenario(seed: number): Scenario {
  const dice = createDice(seed);
  const { pick } = dice;
  const service = { kind: pick(allKinds) };
  const wants = "Checkout fails";
  const journal = pick(["local", "shared"] as const);
  const machines = journal === "shared" ? pick([1, 2]) : 1;
  const anywhere = () => ({ machine: 1 + dice.below(machines), journal, daysAhead: pick([0, 0, 400]) });
  const severity = dice.below(3) === 0 ? { severity: "CRITICAL" } : {};
  const maxRetries = dice.below(3);
  const timeline = pick(timelines);
  const apply = (length: number): Start => ({
    ...anywhere(),
    ...severity,
    ...{ command: "apply", wants, id, maxRetries, updates: timeline.slice(0, length) },
  });
  const isKept = service.kind !== "ignores-ids" && service.kind !== "refuses-ids";
  const update = (): Start => ({
    ...anywhere(),
    ...{ command: "update", wants, maxRetries },
    id: isKept ? id : "99999999-0000-4000-8000-000000000001",
    updates: [pick(["IDENTIFIED We have found it.", "RESOLVED It is over."])],
  });
  const isDeclared = dice.below(3) > 0;
  const given = isDeclared ? { given: [{ ...apply(0), daysAhead: 0 }] } : {};
  const starts: Start[] = Array.from({ length: 1 + dice.below(3) }, () =>
    isDeclared && dice.below(3) === 0 ? update() : apply(1 + dice.below(timeline.length)),
  );
  if (dice.below(4) === 0) starts.push({ ...anywhere(), command: "prune", wants: "", daysAhead: 400 });
  const people = pick([{}, {}, { people: "not-created" }] as const);
  if (dice.below(4) === 0) starts.push({ ...anywhere(), command: "settle", wants: "", ...people });
  const budget = Object.fromEntries(
    [...usualFaults, "signal"].map((fault) => [fault, dice.below(3) === 0 ? 1 + dice.below(2) : 0]),
  );
  return { name: `seed ${seed} of updates`, service, ...given, starts, budget, reruns: dice.below(6) };
}

export async function runRandomly(scenario: Scenario, seed: number): Promise<RandomResult> {
  const dice: Dice = createDice(seed);
  let world = await startWorld(scenario, false);
  for (;;) {
    const actions = actionsOf(world);
    try {
      if (actions.length > 0) world = await take(world, dice.pick(actions));
      else {
        await finish(world, scenario.starts);
        return { trace: linesOf(world.trace) };
      }
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      return { violation: { message: error.message, trace: error.trace } };
    }
  }
}
