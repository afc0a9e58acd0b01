// Everything that can happen next in a state of the world.
//
// Explored states are pruned in three ways, each of which keeps every end and every violation:
// 1. A state that was reached before is not explored again, whatever order of steps has led to it. The key of a state
//    (World.key) has all that its future depends on, and equal up to a permutation of processes that start alike counts
//    as equal: the code treats the number of a process as an opaque name.
// 2. A process does not crash while it waits for a step that changes nothing that others can see (reads of the store
//    and the service, its own answer). Crashing after that step leads to the same state, because nothing is left of a
//    crashed process but its writes; and a later step that others can see always follows: each command ends with one.
// 3. Where a process waits for an answer that has arrived, only that happens next. The answer is this process's alone,
//    so it commutes with every step of the others: a run in which they go first leads to the same state. (A budget only
//    shrinks, so what a later step could use of it, an earlier one can.) Every step makes the history of the world
//    longer, so that no step is put off for ever.
// `isReduced: false` switches off 2 and 3, and permutations of 1 are switched off with the scenario's.
import type { Append } from "../../../src/delivery/journal/event-store.ts";
import { answersTo, deliveries, leave, ownMessage } from "./network.ts";
import { startCommand } from "./people.ts";
import { describeRequest, type Request } from "./request.ts";
import { read } from "./service.ts";
import { applyAppend, storeEndings } from "./store.ts";
import { type Action, type Ending, type Offer, type SimulatedProcess, titleOf, type World } from "./world.ts";

export interface ActionsOptions {
  readonly isReduced: boolean;
}

/** In a fixed order. */
export function actionsOf(world: World, { isReduced }: ActionsOptions): readonly Action[] {
  const running = world.processes.filter(({ status }) => status === "running");
  const isPossible = ({ fault }: Action) => fault === undefined || (world.budget.get(fault) ?? 0) > 0;
  const answered = isReduced && running.find((process) => isAnswered(world, process));
  if (answered) return stepsOf(world, answered).filter(isPossible);
  const crashing = running.filter(({ local }) => !isReduced || !changesNothing(local.request));
  return [
    ...running.flatMap((process) => stepsOf(world, process)),
    ...world.messages.flatMap((message) => (message.state === "in-flight" ? deliveries(message) : [])),
    ...world.lateAppends.flatMap(lateSteps),
    ...crashing.map(crash),
    ...world.offers.map(rerun),
  ].filter(isPossible);
}

function stepsOf(world: World, process: SimulatedProcess): readonly Action[] {
  const { number } = process;
  const request = process.local.request as Request;
  const title = titleOf(process);
  return endingsOf(world, process, request).map(({ fault, happen, label }) => ({
    label: () => `${title}: ${describeRequest(request)}${label === "" ? "" : ` → ${label}`}`,
    process: number,
    ...(fault && { fault }),
    run: (after: World) => after.resume(number, happen(after)),
  }));
}

function endingsOf(world: World, process: SimulatedProcess, request: Request): readonly Ending[] {
  const { number } = process;
  switch (request.kind) {
    case "append":
    case "logs":
    case "prune":
    case "read":
    case "unsettled":
      return storeEndings(request);
    case "get":
      return [
        { label: "", happen: (after) => read(after.created, request.id) },
        { label: "fails", fault: "failed-read", happen: () => "timeout" },
      ];
    case "send":
      return process.deadline === "over"
        ? [{ label: "too late, so nothing leaves", happen: () => "too late" }]
        : [{ label: "", happen: (after) => leave(after, number, request.body) }];
    case "answer":
      return answersTo(ownMessage(world, process));
    case "sleep":
      return [{ label: "", happen: expireDeadlines }];
    case "print":
      return [{ label: "", happen: (after) => print(after, number, request) }];
    case "inspect":
      return [{ label: "", happen: (after) => inspect(after, number, request.operation) }];
  }
}

/** Whether nothing but the process itself can tell that this request was carried out. */
function changesNothing(request: Request | undefined): boolean {
  const { kind } = request ?? {};
  return kind === "read" || kind === "unsettled" || kind === "logs" || kind === "get";
}

function isAnswered(world: World, process: SimulatedProcess): boolean {
  return process.local.request?.kind === "answer" && ownMessage(world, process).state !== "in-flight";
}

function expireDeadlines(world: World): undefined {
  world.processes = world.processes.map((process) =>
    process.deadline === "ahead" ? { ...process, deadline: "over" } : process,
  );
  return undefined;
}

function print(world: World, number: number, { failure, ids }: Request & { kind: "print" }): undefined {
  world.replaceProcess(number, {
    outcome: ids.length > 0 ? { kind: "told", ids } : { kind: "failed", failure, message: "" },
  });
  return undefined;
}

/** A person looks for an incident, and is told where it may appear after all. Gives its id. */
function inspect(world: World, number: number, operation: string): string | undefined {
  const found = world.created.find((incident) => incident.operation === operation);
  const isAtWork = world.processes.some((other) => other.number !== number && other.status === "running");
  const isOnItsWay = world.messages.some(
    (message) => message.operation === operation && message.state === "in-flight",
  );
  if (found === undefined && (isAtWork || isOnItsWay)) world.risks += 1;
  return found?.id;
}

/** The ways in which an append ends that the store has not answered. */
function lateSteps(append: Append, index: number): readonly Action[] {
  const remove = (world: World) => {
    world.lateAppends = world.lateAppends.filter((_, at) => at !== index);
  };
  const what = () => describeRequest({ kind: "append", appends: [append] });
  return [
    {
      label: () => `the store, late, ${what()}`,
      run: (world) => {
        remove(world);
        applyAppend(world, append);
      },
    },
    { label: () => `the store never ${what()}`, run: remove },
  ];
}

function crash(process: SimulatedProcess): Action {
  const { number } = process;
  return {
    label: () => `${titleOf(process)} crashes`,
    fault: "crash",
    run: (world) => {
      world.replaceProcess(number, { status: "crashed" });
      world.messages = world.messages.map((message) =>
        message.sender === number ? { ...message, isAwaited: false } : message,
      );
    },
  };
}

function rerun({ by, start }: Offer, index: number): Action {
  return {
    label: () => `${by} is run again`,
    run: (world) => {
      world.offers = world.offers.filter((_, at) => at !== index);
      return startCommand(world, start);
    },
  };
}
