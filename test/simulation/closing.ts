// The end of a run: the last rerun, in a world without faults, has to tell the incident, and there is one. A person
// settles truthfully in between.
import { actionsOf } from "./world/actions.ts";
import { isCorrection, isInDoubt, isPassed } from "./world/change-invariants.ts";
import { checkState, maxOpen } from "./world/invariants.ts";
import { keyOf, openIncidents } from "./world/keys.ts";
import { describeOutcome, type Outcomes } from "./world/local-state.ts";
import { hiddenCommits } from "./world/operation-logs.ts";
import { startCommand } from "./world/people.ts";
import { canBeRead, type SimulatedIncident } from "./world/service.ts";
import { countShown, textOf, updatesOf } from "./world/service-changes.ts";
import { isOfChanges, placeOf, type Start } from "./world/start.ts";
import { titleOf, Violation, type World } from "./world/world.ts";

/** The same commands again until they are told. Throws a `Violation`. */
export async function close(world: World, starts: readonly Start[]): Promise<void> {
  world.budget = new Map();
  for (const start of starts) {
    if (isOfChanges(start)) await closeChanges(world, start);
    if (start.command !== "create") continue;
    const { dedupKey, id, wants } = start;
    const before = world.created.length;
    const openBefore = dedupKey === undefined ? 0 : openIncidents(world, dedupKey).length;
    // Machines without a common journal know of each other only by reading the id.
    const isKnown = (other: Start, ids: readonly string[]) =>
      placeOf(other) === placeOf(start) ||
      (id !== undefined && ids.includes(id) && canBeRead(world.surroundings.service));
    const wasTold = world.processes.some(
      ({ outcome, start: other }) =>
        outcome?.kind === "told" &&
        other.wants === wants &&
        outcome.ids.length > 0 &&
        isKnown(other, outcome.ids),
    );
    if (wasTold && (id ?? dedupKey) === undefined) continue;
    let outcome = await runToEnd(world, start);
    if (outcome?.kind === "failed" && outcome.failure === "uncertain") {
      await settleByPerson(world, start);
      outcome = await runToEnd(world, start);
    }
    const isOther = starts.some((other) => id !== undefined && other.id === id && other.wants !== wants);
    if (outcome?.kind === "told") {
      const isAnswer = (incident: SimulatedIncident) =>
        dedupKey === undefined
          ? incident.name === wants || incident.id === id
          : (incident.resolved === undefined || incident.isDeleted) && keyOf(world, incident) === dedupKey;
      if (!world.created.some(isAnswer) && !world.isMisled)
        throw new Violation(`"${wants}" was told, and does not exist`);
      // Of two incidents of one operation, the journal knows one.
      const isSettled =
        dedupKey === undefined ? wasTold && !world.isMisled : openBefore > 0 && maxOpen(world) === 1;
      const isDeleted = world.created.some((incident) => incident.isDeleted);
      if (isSettled && !isDeleted && world.created.length > before)
        throw new Violation("a rerun of what is settled declared another");
    } else if (outcome?.failure === "missing" && world.created.some(({ isDeleted }) => isDeleted)) {
    } else if (!isOther && !world.isMisled)
      throw new Violation(`the last rerun did not declare it: ${describeOutcome(outcome)}`);
  }
}

/** A person settles what is uncertain. */
async function settleByPerson(world: World, { journal, machine, wants }: Start): Promise<void> {
  const person = { wants, ...(journal && { journal }), ...(machine && { machine }) };
  await runToEnd(world, { ...person, command: "settle" });
}

/** The same changes again: all updates are posted then, unless a person stands in the way. Throws a `Violation`. */
async function closeChanges(world: World, first: Start): Promise<void> {
  const start = { ...first, ...first.rerun };
  // Once it is told, the same text is another update.
  const isTold = world.processes.some(({ outcome, start: { command, updates } }) =>
    [command === "update", updates?.join() === start.updates?.join(), outcome?.failure === "none"].every(
      Boolean,
    ),
  );
  if (isTold) return;
  let outcome = await runToEnd(world, start);
  if (outcome?.failure === "uncertain") {
    await settleByPerson(world, start);
    outcome = await runToEnd(world, start);
  }
  const { updates = [], wants } = start;
  const incident = world.created.findLast(({ name }) => name === wants);
  if (incident === undefined) throw new Violation(`"${wants}" does not exist: ${describeOutcome(outcome)}`);
  const missing = updates.find(
    (text) =>
      countShown(incident, text) === 0 && !isCorrection(world, start, text) && !isPassed(world, start, text),
  );
  // A file that ends the incident ends none that a person has resolved, and another one has reopened.
  const isOtherEnd = (text: string) => text.startsWith("RESOLVED") && !updates.includes(text);
  const isReopened =
    updates.at(-1)?.startsWith("RESOLVED") && updatesOf(incident).map(textOf).some(isOtherEnd);
  if (missing === undefined || incident.resolved !== undefined || isReopened || world.isMisled) return;
  // An update that a stale read has doubled can be taken for an equal one later in the file.
  const isLeft = hiddenCommits(world) > 0 || isInDoubt(world, start, missing);
  if (!isLeft || outcome?.kind !== "told" || outcome.failure !== "drift")
    throw new Violation(`the last rerun did not post ${missing}: ${describeOutcome(outcome)}`);
}

/** Runs a command alone, in a world in which nothing goes wrong. */
export async function runToEnd(world: World, start: Start): Promise<Outcomes | undefined> {
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
