// The people of the simulation: they start commands, and run them again.
import { isOfChanges, placeOf, type Start } from "./start.ts";
import { titleOf, type World, withEntry } from "./world.ts";

export function startCommand(world: World, start: Start): void | Promise<void> {
  if (start.command === "create" || start.command === "apply") countIntent(world, start);
  return world.spawn(start);
}

/** A command that starts after a person was told of an incident asks for another. */
function countIntent(world: World, start: Start): void {
  const { dedupKey, id, wants } = start;
  // An open incident of the key answers an alert, whatever its text.
  if (dedupKey !== undefined) return;
  const told = world.processes.flatMap(({ outcome, start }) =>
    outcome?.kind === "told" && start.wants === wants ? outcome.ids : [],
  );
  const asked = id !== undefined ? 1 : new Set(told).size + 1;
  const place = placeOf(start);
  const intents = world.intents.get(place) ?? new Map();
  const most = withEntry(intents, wants, Math.max(intents.get(wants) ?? 1, asked));
  world.intents = withEntry(world.intents, place, most);
}

/** Offers a rerun of each command that crashed, or that told a person to run it again. */
export function offerReruns(world: World): void {
  for (const process of world.processes) {
    const { number, outcome, start, status } = process;
    if (status === "running" || process.isOver) continue;
    world.replaceProcess(number, { isOver: true });
    const isDone = status === "ended" && outcome?.kind === "told" && outcome.failure === "none";
    const isOfSends = start.command === "create" || isOfChanges(start) || start.repeats;
    if ((isDone && !start.repeats) || !isOfSends || world.reruns === 0) continue;
    world.reruns -= 1;
    const again = { ...start, ...start.rerun };
    world.offers = [...world.offers, { by: titleOf(process), start: again }];
  }
}
