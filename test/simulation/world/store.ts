// The store of events that all processes share, and the ways in which it can fail.
//
// To add the failure model of another store: add a name to `faultNames` (faults.ts), and a line to `storeFailures`
// below. It gives the endings that a request of the store can have under this fault. An ending changes the world as
// the store would, and gives the result that the store's code would give to the journal: the results of an append, or
// `storeDown`, which becomes the `Failure` of a store that cannot be reached. What a store does later, on its own, is
// state of the world (`lateAppends`) and an action (actions.ts). Then name the fault in a scenario (scenarios.ts); the
// random runs use it at once.
import type { Append, AppendResult, StoredEvent } from "../../../src/journal/event-store.ts";
import type { OperationEvent } from "../../../src/journal/events.ts";
import type { Fault } from "./faults.ts";
import { checkRelease } from "./invariants.ts";
import type { LogState } from "./log-state.ts";
import { type StoreRequest, storeDown } from "./request.ts";
import { type Ending, type World, withEntry } from "./world.ts";

export type StoreFault = Extract<Fault, `store-${string}`>;

export function storeEndings(request: StoreRequest): readonly Ending[] {
  const usual: Ending = { label: "", happen: (world) => carryOut(world, request) };
  const failures = Object.entries(storeFailures) as [StoreFault, (typeof storeFailures)[StoreFault]][];
  return [
    usual,
    ...failures.flatMap(([fault, endings]) => endings(request).map((ending) => ({ ...ending, fault }))),
  ];
}

const storeFailures = {
  /** The connection breaks before or after the store has carried out an append. */
  "store-ambiguous": (request) =>
    request.kind !== "append"
      ? []
      : [
          {
            label: "applied, no acknowledgement",
            happen: (world: World) => {
              carryOut(world, request);
              return unknownOf(request.appends);
            },
          },
          { label: "not applied, no answer", happen: () => unknownOf(request.appends) },
        ],
  /** The store answers too late, and carries the append out at any time after, or never. */
  "store-late": (request) =>
    request.kind !== "append"
      ? []
      : [
          {
            label: "no answer in time",
            happen: (world: World) => {
              world.lateAppends = [...world.lateAppends, ...request.appends];
              return unknownOf(request.appends);
            },
          },
        ],
  /** The store cannot be reached, and says so. */
  "store-unreachable": () => [{ label: "the store cannot be reached", happen: () => storeDown }],
} satisfies Record<StoreFault, (request: StoreRequest) => readonly Omit<Ending, "fault">[]>;

function unknownOf(appends: readonly Append[]): readonly AppendResult[] {
  return appends.map(() => "unknown");
}

function carryOut(world: World, request: StoreRequest): unknown {
  switch (request.kind) {
    case "append":
      return request.appends.map((append) => applyAppend(world, append));
    case "read":
      return world.log(request.log);
    case "logs":
      return [...world.logs.keys()].filter((log) => log.startsWith(request.prefix));
    case "prune": {
      const { event, log, number } = request.append;
      const state = world.log(log);
      if (state.next !== number) return "taken";
      world.logs = withEntry(world.logs, log, state.prune(event));
      return "ours";
    }
  }
}

export function applyAppend(world: World, { event, log, number }: Append): AppendResult {
  const state = world.log(log);
  if (state.next !== number) return "taken";
  if (isRelease(event)) checkRelease(world, log);
  world.logs = withEntry(world.logs, log, state.append(event));
  // A person who corrects a settlement takes its risk back: nothing was sent since.
  if (isCorrection(state, event)) world.risks = Math.max(0, world.risks - 1);
  return "ours";
}

function stepOf(stored: StoredEvent | undefined): OperationEvent | undefined {
  return stored?.event as OperationEvent | undefined;
}

/** Whether it may be sent after this event although the outcome of an earlier attempt is not known. */
function isRelease(event: StoredEvent): boolean {
  return stepOf(event)?.type === "not-created";
}

/** Whether a person says that an incident exists after all. */
function isCorrection({ events }: LogState, event: StoredEvent): boolean {
  const step = stepOf(event);
  return step?.type === "created" && step.by === "person" && stepOf(events.at(-1))?.type === "not-created";
}
