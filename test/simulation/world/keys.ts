// The keys of `--dedup-key`. An alert has a text of its own, so the name of an incident tells its key.
import type { SimulatedIncident } from "./service.ts";
import type { World } from "./world.ts";

/** Undefined for an incident without a key. */
export function keyOf({ processes }: World, { name }: Pick<SimulatedIncident, "name">): string | undefined {
  return processes.find(({ start }) => start.wants === name && start.dedupKey !== undefined)?.start.dedupKey;
}

export function openIncidents(world: World, key: string): readonly SimulatedIncident[] {
  return world.created.filter(
    (incident) => incident.resolved === undefined && !incident.isDeleted && keyOf(world, incident) === key,
  );
}

export function keysOf({ processes }: World): ReadonlySet<string> {
  return new Set(processes.flatMap(({ start }) => start.dedupKey ?? []));
}
