// What must be known before a create leaves: that an earlier incident which a person has deleted is gone, and that no list
// shows an open one with its content. A 404 for an id proves nothing, so that without a list only a person may permit another
// create.
import { keyOf } from "./keys.ts";
import { operationLogs } from "./operation-logs.ts";
import { placeOf } from "./start.ts";
import { type SimulatedProcess, titleOf, Violation, type World } from "./world.ts";

/** Throws a `Violation` where a create leaves, and the earlier incident is deleted, and not known to be. */
export function checkGone(world: World, sender: SimulatedProcess): void {
  const { dedupKey, wants } = sender.start;
  // Five minutes after, a complete list that does not show it proves it.
  const isProven = (id: string) =>
    world.surroundings.service.lists && world.passed >= 300_000 && !sender.listed.includes(id);
  const place = placeOf(sender.start);
  for (const incident of world.created) {
    if (!incident.isDeleted || incident.place !== place || incident.resolved !== undefined) continue;
    const isSame = dedupKey === undefined ? incident.name === wants : keyOf(world, incident) === dedupKey;
    const log = operationLogs(world).find((each) => each.place === place && each.id === incident.operation);
    if (!isSame || isProven(incident.id) || !log?.reading.isDeclared) continue;
    throw new Violation(
      `${titleOf(sender)} sends another, and nothing proves that …${incident.id.slice(-8)}, which was declared, is gone`,
    );
  }
}

/**
 * An open incident with its content is the answer, unless another operation has it. Throws a `Violation` where a create
 * leaves, and its last look showed one that is nobody's here.
 */
export function checkListed(world: World, sender: SimulatedProcess): void {
  const { isCutOff, listed, start } = sender;
  // A read of the incident that failed or was stale is a look that missed it.
  if (start.dedupKey !== undefined || isCutOff || world.staleReads > 0) return;
  const own = operationLogs(world).filter(({ place }) => place === placeOf(start));
  for (const { id, operation } of world.created)
    if (listed.includes(id) && !own.some((log) => log.id === operation))
      throw new Violation(`${titleOf(sender)} sends another, and the list shows ${id}`);
}
