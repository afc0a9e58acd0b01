// Incidents that a person deletes: a machine may declare another only after it has missed the first one in several reads in
// a row, over minutes, without a restart. Written from docs/exactly-once.md.
import { keyOf } from "./keys.ts";
import { count, operationLogs } from "./operation-logs.ts";
import { machineOf, placeOf } from "./start.ts";
import { type SimulatedProcess, titleOf, Violation, type World, withEntry } from "./world.ts";

const fewestReads = 3;
const shortestSpan = 300_000;

/** Counts a read of this machine. */
export function noteMiss(world: World, machine: number, id: string, isMiss: boolean): void {
  if (!world.created.some((incident) => incident.id === id)) return;
  const name = `${machine} ${id}`;
  const before = world.misses.get(name);
  if (!isMiss) {
    if (before !== undefined) world.misses = new Map([...world.misses].filter(([other]) => other !== name));
    return;
  }
  const boot = bootOf(world, machine);
  const first = before?.boot === boot ? before : { boot, reads: 0, first: world.passed };
  world.misses = withEntry(world.misses, name, { ...first, reads: first.reads + 1, last: world.passed });
}

/** Throws a `Violation` where a create leaves, and the earlier incident is deleted, and not known to be. */
export function checkGone(world: World, sender: SimulatedProcess): void {
  const { dedupKey, wants } = sender.start;
  const place = placeOf(sender.start);
  for (const incident of world.created) {
    if (!incident.isDeleted || incident.place !== place || incident.resolved !== undefined) continue;
    const isSame = dedupKey === undefined ? incident.name === wants : keyOf(world, incident) === dedupKey;
    const log = operationLogs(world).find((each) => each.place === place && each.id === incident.operation);
    // A person has permitted another send.
    if (!isSame || !log?.reading.isDeclared || count(log.steps, "resend") > 0) continue;
    if (isMissed(world, machineOf(sender.start), incident.id)) continue;
    throw new Violation(
      `${titleOf(sender)} sends another, and few reads have missed …${incident.id.slice(-8)}, which was declared`,
    );
  }
}

function isMissed(world: World, machine: number, id: string): boolean {
  const missed = world.misses.get(`${machine} ${id}`);
  if (missed === undefined || missed.boot !== bootOf(world, machine)) return false;
  return missed.reads >= fewestReads && missed.last - missed.first >= shortestSpan;
}

function bootOf({ boots }: World, machine: number): number {
  return boots.get(machine) ?? 1;
}
