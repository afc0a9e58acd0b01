// The whole state of the world as a short text: everything that its future depends on, and nothing else.
import type { LocalState } from "./local-state.ts";
import { type Renaming, writerName } from "./names.ts";
import type { SimulatedProcess, World } from "./world.ts";

export function stateKey(world: World): string {
  const { names } = world.surroundings;
  const order = names.isReduced ? orderOf(world) : world.processes.map(({ number }) => number);
  const renaming = names.renaming(order);
  const running: string[] = [];
  for (const process of world.processes) {
    const { deadline, holds, isCutOff, isSignalled, local, outcome } = process;
    const { listed, resolvedBefore, sawResolved } = process;
    if (process.status !== "running") continue;
    running.push(
      `${localNumber(renaming, local)} ${deadline} ${isCutOff} ${isSignalled} ${holds} ${outcome?.kind} ${resolvedBefore} ${sawResolved} ${listed}`,
    );
  }
  const { budget, created, intents, lateAppends, offers, sends, sequences } = world;
  return [
    running.sort().join(),
    renaming.partOf(world.processes, () => `told ${toldIncidents(renaming, world.processes)}`),
    world.processes.length,
    renaming.partOf(sequences, () => `journals ${[...sequences].map(([, each]) => each.number(renaming))}`),
    renaming.partOf(
      lateAppends,
      () => `late ${lateAppends.map((append) => renaming.numberOf(append)).sort()}`,
    ),
    renaming.partOf(created, () => `created ${created.map((incident) => renaming.numberOf(incident))}`),
    renaming.partOf(world.made, () => `made ${world.made.map((change) => renaming.numberOf(change))}`),
    messagesNumber(renaming, world),
    [...budget.values()].join(),
    world.reruns,
    renaming.partOf(offers, () => `offers ${offers.map(({ start }) => renaming.numberOf(start)).sort()}`),
    renaming.partOf(
      intents,
      () => `intents ${JSON.stringify([...intents].map(([place, each]) => [place, ...each]))}`,
    ),
    world.risks,
    world.isMisled,
    world.staleReads,
    world.passed,
    world.refusedCommits,
    renaming.partOf(sends, () => `sends ${renaming.numberOf([...sends].sort())}`),
  ].join("|");
}

/** Of a process that is over, only the incidents that a person was told of have any effect. */
function toldIncidents(renaming: Renaming, processes: readonly SimulatedProcess[]): readonly number[] {
  const told = processes.flatMap(({ outcome, start }) =>
    outcome?.kind === "told" ? outcome.ids.map((id) => renaming.number(`${start.wants} ${id}`)) : [],
  );
  return [...new Set(told)].sort();
}

function messagesNumber(renaming: Renaming, { messages, processes }: World): string {
  return messages
    .flatMap((message) => {
      const { answer, body, change, isAwaited, operation, sender, state } = message;
      const isOver = processes[sender - 1]?.status !== "running";
      // Nobody learns any more what became of it.
      if (isOver && state !== "in-flight") return [];
      const { isCommit, isReceived } = message;
      const part = [state, isAwaited, isCommit, isReceived, operation, answer?.status, body, change];
      const number = renaming.partOf(message, () => String(renaming.numberOf([writerName(sender), ...part])));
      return [`${number}${isOver ? "" : "!"}`];
    })
    .sort()
    .join();
}

export function localNumber(renaming: Renaming, local: LocalState): number {
  return renaming.partOf(local, () => local.describe(renaming));
}

/**
 * New numbers for the processes, which depend on their part in the state and not on their old ones: processes that
 * started alike are numbered as the logs mention them, then by their local states.
 */
function orderOf({ processes, sequences, surroundings: { names } }: World): readonly number[] {
  const mentioned = [...new Set([...sequences.values()].flatMap((each) => each.processes))];
  const rest = processes.map(({ number }) => number).filter((number) => !mentioned.includes(number));
  const groups = new Map<string, number[]>();
  for (const { number, start } of processes) {
    const group = names.textOf(start);
    groups.set(group, [...(groups.get(group) ?? []), number]);
  }
  const order: number[] = [];
  const assign = (numbers: readonly number[]) => {
    for (const group of groups.values()) {
      for (const number of numbers) if (group.includes(number)) order[number - 1] = free(group, order);
    }
  };
  assign(mentioned);
  if (rest.length > 1) {
    const renaming = names.renaming(processes.map(({ number }) => order[number - 1] ?? 0));
    const rank = (number: number) => {
      const { local, status } = processes[number - 1] as SimulatedProcess;
      return status === "running" ? localNumber(renaming, local) : -1;
    };
    rest.sort((a, b) => rank(a) - rank(b));
  }
  assign(rest);
  return order;
}

/** The first number of a group that is not given to any process. */
function free(group: readonly number[], order: readonly number[]): number {
  return group.find((number) => !order.includes(number)) as number;
}
