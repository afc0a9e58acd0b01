// The store of entries that all processes share, and the ways in which it can fail.
//
// To add the failure model of another store: add a name to `faultNames` (faults.ts), and a line to `storeFailures`
// below. It gives the endings that a request of the store can have under this fault. An ending changes the world as
// the store would, and gives the result that the engine would give to the journal: that of an append, or `storeDown`,
// which becomes the `Failure` of a store that did not answer. What a store does later, on its own, is state of the
// world (`lateAppends`) and an action (actions.ts). Then name the fault in a scenario (scenarios.ts); the random runs use
// it at once.
import type { OperationEvent, OwnEvent } from "../../../src/journal/events.ts";
import type { Entry, Sequence } from "../../../src/journal/sequence.ts";
import type { Fault } from "./faults.ts";
import { checkRelease } from "./invariants.ts";
import { operationLogs } from "./operation-logs.ts";
import { type Append, type StoreRequest, storeDown } from "./request.ts";
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
              return storeDown;
            },
          },
          { label: "not applied, no answer", happen: () => storeDown },
        ],
  /** The store answers too late, and carries the append out at any time after, or never. */
  "store-late": (request) =>
    request.kind !== "append"
      ? []
      : [
          {
            label: "no answer in time",
            happen: (world: World) => {
              world.lateAppends = [...world.lateAppends, request];
              return storeDown;
            },
          },
        ],
  /** The store cannot be reached, and says so. */
  "store-unreachable": () => [{ label: "the store cannot be reached", happen: () => storeDown }],
} satisfies Record<StoreFault, (request: StoreRequest) => readonly Omit<Ending, "fault">[]>;

function carryOut(world: World, request: StoreRequest): unknown {
  return request.kind === "read" ? world.sequence(request.place) : applyAppend(world, request);
}

export function applyAppend(
  world: World,
  { entry, number, place }: Append,
): Awaited<ReturnType<Sequence["append"]>> {
  const state = world.sequence(place);
  if (state.next !== number) return "taken";
  for (const own of (entry.events ?? []) as readonly OwnEvent[]) judge(world, place, own);
  const after =
    entry.snapshot === undefined ? state.append(entry) : state.replace(signed(world, place, entry));
  world.sequences = withEntry(world.sequences, place, after);
  return "ours";
}

/** The world still knows who wrote the events that a snapshot keeps. */
function signed(world: World, place: string, entry: Entry): Entry {
  const logs = operationLogs(world).filter((log) => log.place === place);
  return { ...entry, wrote: Object.fromEntries(logs.map(({ id, writers }) => [id, writers])) };
}

function judge(world: World, place: string, { event, id }: OwnEvent): void {
  const log = operationLogs(world).find((each) => each.place === place && each.id === id);
  if (event.type === "not-created") checkRelease(world, log);
  // A person who corrects a settlement takes its risk back: nothing was sent since.
  if (isCorrection(log?.steps.at(-1), event)) world.risks = Math.max(0, world.risks - 1);
}

/** Whether a person says that an incident exists after all. */
function isCorrection(last: OperationEvent | undefined, event: OperationEvent): boolean {
  return event.type === "created" && event.by === "person" && last?.type === "not-created";
}
