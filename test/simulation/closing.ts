// The end of a run: the last rerun, in a world without faults, has to tell the incident, and there is one. A person
// settles truthfully in between.
import { actionsOf } from "./world/actions.ts";
import { checkState, maxOpen } from "./world/invariants.ts";
import { keyOf, openIncidents } from "./world/keys.ts";
import { describeOutcome, type Outcomes } from "./world/local-state.ts";
import { startCommand } from "./world/people.ts";
import { canBeRead, type SimulatedIncident } from "./world/service.ts";
import { placeOf, type Start } from "./world/start.ts";
import { titleOf, Violation, type World } from "./world/world.ts";

/** The same commands again until they are told. Throws a `Violation`. */
export async function close(world: World, starts: readonly Start[]): Promise<void> {
  world.budget = new Map();
  for (const start of starts) {
    if (start.command !== "create") continue;
    const { confirmed, dedupKey, id, wants } = start;
    const before = world.created.length;
    const openBefore = dedupKey === undefined ? 0 : openIncidents(world, dedupKey).length;
    // Machines without a common journal know of each other only by reading the id.
    const isKnown = (other: Start, ids: readonly string[]) =>
      placeOf(other) === placeOf(start) ||
      (id !== undefined && ids.includes(id) && canBeRead(world.surroundings.service, start.promised));
    const wasTold = world.processes.some(
      ({ outcome, start: other }) =>
        outcome?.kind === "told" &&
        other.wants === wants &&
        outcome.ids.length > 0 &&
        isKnown(other, outcome.ids),
    );
    if (wasTold && (id ?? dedupKey ?? confirmed) === undefined) continue;
    const again = { ...start, isPermitting: false };
    let outcome = await runToEnd(world, again);
    if (outcome?.kind === "failed" && outcome.failure === "uncertain") {
      const { journal, keepsCopies, machine } = start;
      const person = { wants, ...(journal && { journal }), ...(machine && { machine }) };
      if (keepsCopies) await runToEnd(world, { ...person, keepsCopies, command: "put-back" });
      await runToEnd(world, { ...person, ...(keepsCopies && { keepsCopies }), command: "settle" });
      outcome = await runToEnd(world, again);
    }
    const isOther = starts.some((other) => id !== undefined && other.id === id && other.wants !== wants);
    if (outcome?.kind === "told") {
      const isAnswer = (incident: SimulatedIncident) =>
        dedupKey === undefined
          ? incident.name === wants || incident.id === id
          : incident.resolved === undefined && keyOf(world, incident) === dedupKey;
      if (!world.created.some(isAnswer) && !world.isMisled)
        throw new Violation(`"${wants}" was told, and does not exist`);
      // Of two incidents that a person has permitted, the journal knows one.
      const isSettled =
        dedupKey === undefined
          ? wasTold && !world.isMisled
          : openBefore > 0 && maxOpen(world, dedupKey) === 1;
      if (isSettled && world.created.length > before)
        throw new Violation("a rerun of what is settled declared another");
    } else if (!isOther && !world.isMisled)
      throw new Violation(`the last rerun did not declare it: ${describeOutcome(outcome)}`);
  }
}

/** Runs a command alone, in a world in which nothing goes wrong. */
async function runToEnd(world: World, start: Start): Promise<Outcomes | undefined> {
  await startCommand(world, start);
  const { number } = world.processes.at(-1) as (typeof world.processes)[number];
  while (world.process(number).status === "running") {
    const action = actionsOf(world).find((candidate) => candidate.process === number || candidate.isArrival);
    if (action === undefined) throw new Violation(`${titleOf(world.process(number))} waits for ever`);
    world.say(action.label);
    await action.run(world);
    checkState(world);
  }
  return world.process(number).outcome;
}
