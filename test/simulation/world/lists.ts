// What a list proves to a create that looks at it: an open incident with its content is the answer, unless another
// operation has it.
import { count, operationLogs } from "./operation-logs.ts";
import { placeOf } from "./start.ts";
import { type SimulatedProcess, titleOf, Violation, type World } from "./world.ts";

/** Throws a `Violation` where a create leaves, and its last look showed an open incident that is nobody's here. */
export function checkListed(world: World, { listed, start, ...sender }: SimulatedProcess): void {
  // A read of the incident that failed or was stale is a look that missed it.
  if (start.dedupKey !== undefined || sender.isCutOff || world.staleReads > 0) return;
  const logs = operationLogs(world).filter(({ place }) => place === placeOf(start));
  const isKnown = (operation: string) => logs.some(({ id }) => id === operation);
  for (const { id, operation } of world.created) {
    // A person has permitted another send.
    const isPermitted = logs.some(({ steps }) => count(steps, "resend") > 0);
    if (!listed.includes(id) || isKnown(operation) || isPermitted) continue;
    throw new Violation(`${titleOf({ listed, start, ...sender })} sends another, and the list shows ${id}`);
  }
}
