// What must hold of updates and edits in every state of the simulation: no update is made twice without a decision of a
// person, updates keep the order of their file, nothing is posted after a RESOLVED of somebody else, and what was made is
// told or listed. An edit may be made again, and is told as made only where the incident shows it.
import { hiddenCommits, operationLogs, type ReadLog, wasRefused } from "./operation-logs.ts";
import type { OwnChange } from "./request.ts";
import { countShown, type MadeChange, textOf, updatesOf } from "./service-changes.ts";
import { isOfChanges, placeOf, type Start } from "./start.ts";
import { type Message, type SimulatedProcess, titleOf, Violation, type World } from "./world.ts";

/** The updates that `apply` or `update` may post, in their order. */
function textsOf({ updates = [] }: Start): readonly string[] {
  return updates;
}

/**
 * Nothing reopens by itself. A `RESOLVED` that arrives between the last read and the send is unknown to the process, also
 * where the incident was resolved and reopened before. Throws a `Violation`.
 */
export function checkChangeLeaves(
  world: World,
  number: number,
  { incident, method, operation }: OwnChange,
): void {
  const { resolvedBefore, start } = world.process(number);
  const isEnded = textsOf(start).some((text) => text.startsWith("RESOLVED"));
  const { resolved = resolvedBefore } = world.created.findLast(({ id }) => id === incident) ?? {};
  if (method !== "POST" || resolved >= resolvedBefore || isEnded || world.staleReads > 0) return;
  throw new Violation(
    `${titleOf(world.process(number))} posts …${operation.slice(-8)} to a resolved incident`,
  );
}

/** Throws a `Violation`. */
export function checkChanges(world: World): void {
  if (world.made.length === 0) return;
  const allowance = world.risks + hiddenCommits(world);
  for (const change of world.made) {
    const same = world.made.filter(({ incident, text }) => isSame(change, { incident, text }));
    const asked = askedFor(world, change);
    if (same.length > asked + allowance)
      throw new Violation(
        `the update ${change.text} was made ${same.length} times, and asked for ${asked + allowance} times`,
      );
  }
  if (allowance === 0) checkOrder(world);
  if (allowance === 0 && world.staleReads === 0) checkCorrections(world);
}

const statusOf = (text: string) => text.split(" ", 1)[0];

/** A text of a file that was corrected after it was posted is not posted again: no version has two of its status. */
function checkCorrections(world: World): void {
  const applied = world.processes.flatMap(({ start }) => (start.command === "apply" ? [start] : []));
  if (world.processes.some(({ start }) => start.command === "update")) return;
  for (const { place, text } of world.made) {
    const isAlike = (other: string) => statusOf(other) === statusOf(text);
    const made = world.made.filter((each) => each.place === place && isAlike(each.text));
    const versions = applied.filter((start) => placeOf(start) === place);
    const most = Math.max(...versions.map((start) => textsOf(start).filter(isAlike).length));
    if (made.length > most) throw new Violation(`the update ${text} is a correction, and was posted`);
  }
}

/** Whether an update that was posted from here stands in the place of this one. */
export function isCorrection({ made }: World, start: Start, text: string): boolean {
  return made.some(
    (each) =>
      each.place === placeOf(start) &&
      !textsOf(start).includes(each.text) &&
      statusOf(each.text) === statusOf(text),
  );
}

/**
 * Whether another person posted the text of an update that is later in the file. An update has its place in time, so this
 * one is not posted after it: it is told as never published, or as a difference.
 */
export function isPassed({ created, made }: World, { updates = [], wants }: Start, text: string) {
  const incident = created.findLast(({ name }) => name === wants);
  const later = updates.slice(updates.indexOf(text) + 1);
  return later.some((each) => {
    const own = made.filter((change) => change.text === each).length;
    return incident !== undefined && countShown(incident, each) > own;
  });
}

/**
 * Whether another text of the same status is in the way of this update: where the journal does not know what the incident
 * was declared with, it may be the corrected one, and nothing is posted. Not of a RESOLVED.
 */
export function isInDoubt(world: World, start: Start, text: string): boolean {
  const isDeclared = ({ isChange, place, reading }: ReadLog) =>
    place === placeOf(start) && !isChange && reading.isDeclared;
  if (statusOf(text) === "RESOLVED" || operationLogs(world).some(isDeclared)) return false;
  const incident = world.created.findLast(({ name }) => name === start.wants);
  const shown = incident === undefined ? [] : updatesOf(incident).map(textOf);
  return shown.some((each) => statusOf(each) === statusOf(text) && !textsOf(start).includes(each));
}

function isSame(one: MadeChange, { incident, text }: Pick<MadeChange, "incident" | "text">): boolean {
  return one.incident === incident && one.text === text;
}

/**
 * Machines without a common journal ask each for itself. Of a machine, equal command lines ask for one update.
 */
function askedFor(world: World, { text }: MadeChange): number {
  const asked = new Map<string, number>();
  const commands = new Set<string>();
  for (const { start } of world.processes.filter(({ start }) => isOfChanges(start))) {
    const place = placeOf(start);
    const wanted = textsOf(start).filter((each) => each === text).length;
    if (start.command === "update" && wanted > 0) commands.add(place);
    else asked.set(place, Math.max(asked.get(place) ?? 0, wanted));
  }
  return [...asked.values()].reduce((sum, each) => sum + each, commands.size);
}

/** Whether the service shows more updates with this text than processes have posted. */
function isPostedByOther(world: World, { incident, text }: MadeChange): boolean {
  const shown = world.created.findLast(({ id }) => id === incident);
  const made = world.made.filter((each) => each.incident === incident && each.text === text).length;
  return shown !== undefined && countShown(shown, text) > made;
}

/** Each machine posts the updates of its file in their order. The longest file has grown last. */
function checkOrder(world: World): void {
  const longest = new Map<string, Start>();
  for (const { start } of world.processes) {
    if (start.command !== "apply") continue;
    const known = longest.get(placeOf(start));
    if (known === undefined || textsOf(known).length < textsOf(start).length)
      longest.set(placeOf(start), start);
  }
  for (const start of longest.values()) {
    // Where somebody else posts the text of an update first, runs at the same moment can differ on its place.
    const own = world.made.filter((each) => each.place === placeOf(start) && !isPostedByOther(world, each));
    const file = textsOf(start);
    let at = -1;
    for (const { text } of own) {
      const next = file.indexOf(text, at + 1);
      if (next < 0 && file.includes(text))
        throw new Violation(`the update ${text} is posted after one that follows it in the file`);
      if (next >= 0) at = next;
    }
  }
}

/** A process that has ended says what became of what it sent, and what it says is true. Throws a `Violation`. */
export function checkChangeTold(world: World, process: SimulatedProcess): void {
  const { number, outcome, sawResolved, start } = process;
  if (outcome === undefined) return;
  const title = titleOf(process);
  const { failure } = outcome;
  if (failure === "internal")
    throw new Violation(`${title} failed: ${outcome.kind === "failed" ? outcome.message : ""}`);
  const unclear = world.messages.filter((message) => message.sender === number && isUnclear(message));
  if (failure !== "uncertain" && unclear.some((message) => isOpen(world, message)))
    throw new Violation(`${title} ends as ${failure}, and what it sent may have been accepted`);
  if (failure !== "none" || world.isMisled || world.staleReads > 0) return;
  const incident = world.created.findLast(({ name }) => name === start.wants);
  const severities = new Set(world.processes.map((each) => each.start.severity));
  const isOpenStill = !sawResolved && incident?.resolved === undefined;
  const isLeft = isOpenStill && incident?.fields.severity !== start.severity;
  if (start.severity !== undefined && severities.size === 1 && isLeft)
    throw new Violation(`${title} tells that the severity is edited, and the service does not show it`);
  // A file that ends the incident has nothing to add to one that was resolved when it was read, and may be open again.
  const isOver = sawResolved && textsOf(start).at(-1)?.startsWith("RESOLVED");
  if (start.command === "apply" && isOver) return;
  for (const text of incident === undefined ? [] : textsOf(start)) {
    if (start.command === "apply" && (isCorrection(world, start, text) || isPassed(world, start, text)))
      continue;
    const wanted = textsOf(start).filter((each) => each === text).length;
    if (countShown(incident as NonNullable<typeof incident>, text) < wanted)
      throw new Violation(`${title} tells that ${text} is posted, and the service does not show it`);
  }
}

function isUnclear({ answer, isReceived, state }: Message): boolean {
  if (state !== "answered" || !isReceived) return true;
  const status = answer?.status ?? 0;
  return status >= 500 || (status >= 300 && status < 400);
}

/** Whether its log knows no outcome; of an edit, whether the incident does not show it. */
function isOpen(world: World, { change, operation }: Message): boolean {
  if (change !== undefined && change.method !== "POST") {
    const incident = world.created.findLast(({ id }) => id === change.incident);
    return incident?.fields.severity !== JSON.parse(change.body).severity;
  }
  const logs = operationLogs(world).filter(({ id }) => id === operation);
  return logs.every(({ reading }) => reading.unknown > 0 && !reading.isDeclared);
}

/** Each update is known to the journal, or the journal lists it as uncertain. Throws a `Violation`. */
export function checkChangesNotLost(world: World): void {
  for (const { operation, place, text } of world.made) {
    const logs = operationLogs(world).filter((log) => log.id === operation && log.place === place);
    if (!logs.some((log) => isRemembered(world, log)) && world.risks === 0)
      throw new Violation(`the update ${text} is made, and no log knows of it`);
  }
}

function isRemembered({ refusedCommits }: World, { reading, steps }: ReadLog): boolean {
  // The next run looks for what was refused after its bytes were on the wire.
  const isLookedFor = refusedCommits > 0 && wasRefused(steps);
  return reading.isDeclared || reading.unknown > 0 || isLookedFor;
}
