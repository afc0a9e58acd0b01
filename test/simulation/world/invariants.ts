// What must hold in every state of the simulation. The checks read the world itself, and none of the code under test.
import type { OperationEvent } from "../../../src/journal/events.ts";
import { checkChanges, checkChangesNotLost, checkChangeTold } from "./change-invariants.ts";
import { keyOf, keysOf, openIncidents } from "./keys.ts";
import { writerName } from "./names.ts";
import { count, hiddenCommits, operationLogs, type ReadLog, wasRefused } from "./operation-logs.ts";
import type { Request } from "./request.ts";
import { byPerson, type SimulatedIncident } from "./service.ts";
import { isOfChanges, machineOf, placeOf } from "./start.ts";
import { type SimulatedProcess, titleOf, Violation, type World, withEntry } from "./world.ts";

/** The longest run of a process, in requests. */
const longestProcess = 400;

/**
 * Checks that this send is one that a person asked for, and gives the operation that it belongs to. `changed`: the one
 * of an update.
 */
export function countSend(
  world: World,
  sender: number,
  bodyId: string | undefined,
  changed?: string,
): string {
  const writer = writerName(sender);
  // An alert can go on to the next incident of its key: its send belongs to the last one.
  const own = operationLogs(world).findLast(({ steps, writers }) => {
    const last = steps.findLastIndex(({ type }) => type === "sending");
    return last >= 0 && writers[last] === writer;
  });
  const operation = changed ?? own?.id ?? bodyId ?? "unknown";
  const place = placeOf(world.process(sender).start);
  const { next = 0, steps = [] } =
    operationLogs(world).find((each) => each.place === place && each.id === operation) ?? {};
  // Of a log that was shortened, the first two events stand for all that are over.
  const shortened = next > steps.length ? 1 : -1;
  const released = Math.max(
    shortened,
    steps.findLastIndex(({ type }) => type === "not-created"),
  );
  const since = steps.slice(released + 1);
  // Numbered from the beginning of the log, whatever was shortened of it.
  const key = `${place}${operation} ${next - steps.length + released}`;
  const sent = world.sends.get(key) ?? 0;
  const open = sent - count(since, "refused");
  // Once more after a 500 or a 503, where that is the only attempt whose outcome is not known.
  const unknown = since.filter(({ type }) => type === "uncertain");
  const isOnceMore = open === 1 && unknown.length === 1 && unknown.every(isServerError);
  if (open > 0 && !isOnceMore) {
    throw new Violation(
      `${titleOf(world.process(sender))} sends …${operation.slice(-8)} again, and the outcome of an earlier send is not known`,
    );
  }
  world.sends = withEntry(world.sends, key, sent + 1);
  return operation;
}

function isServerError(step: OperationEvent): boolean {
  return step.type === "uncertain" && (step.status === 500 || step.status === 503);
}

/** Throws a `Violation`. */
export function checkState(world: World): void {
  checkCounts(world);
  checkKeys(world);
  checkChanges(world);
  for (const process of world.processes) {
    if (isOfChanges(process.start)) checkChangeTold(world, process);
    else checkTruth(world, process);
    if (process.local.depth > longestProcess) throw new Violation(`${titleOf(process)} does not end`);
  }
  if (world.processes.every(({ status }) => status !== "running")) checkNothingLost(world);
}

/** A process that exits at a second signal says that nothing is unknown. Throws a `Violation`. */
export function checkExit(world: World, number: number): void {
  const isOwn = (log: ReadLog) => log.writers[lastUnended(log)] === writerName(number);
  if (operationLogs(world).some(isOwn))
    throw new Violation(
      `${titleOf(world.process(number))} exits at a second signal, and its attempt has no ending`,
    );
}

function checkCounts(world: World): void {
  for (const wants of new Set(world.created.map(({ name }) => name))) {
    const own = ({ name, operation }: SimulatedIncident) =>
      name === wants && operation !== byPerson.operation;
    const created = world.created.filter(own).length;
    const intents = [...world.intents.values()].reduce((sum, each) => sum + (each.get(wants) ?? 0), 0);
    // One that nobody here knew, and that a person has deleted, may be declared again; `checkGone` checks the others.
    const deleted = world.created.filter(({ isDeleted, name }) => isDeleted && name === wants).length;
    if (intents === 0 || created <= intents + world.risks + deleted) continue;
    // A content names its incident only while that is open. An id names one for ever.
    const over = world.created.filter(
      ({ name, operation, resolutions = 0 }) =>
        name === wants && resolutions > 0 && !world.processes.some(({ start }) => start.id === operation),
    ).length;
    const allowed = over + intents + deleted + world.risks + hiddenCommits(world);
    if (created > allowed)
      throw new Violation(`"${wants}" was declared ${created} times, and asked for ${allowed} times`);
  }
}

/** A person releases an operation only when its sender can no longer send. Throws a `Violation`. */
export function checkRelease(world: World, log: ReadLog | undefined): void {
  if (log === undefined) return;
  const writer = log.writers[lastUnended(log)];
  const sender = world.processes.find(
    ({ number, status }) => status === "running" && writerName(number) === writer,
  );
  if (sender !== undefined && (sender.deadline ?? 0) > 0)
    throw new Violation(`…${log.id.slice(-8)} is released, and ${titleOf(sender)} may still send it`);
}

/** At most one incident of a key is open. */
function checkKeys(world: World): void {
  for (const key of keysOf(world)) {
    const open = openIncidents(world, key).length;
    if (open > 1 && open > maxOpen(world)) throw new Violation(`the key "${key}" has ${open} open incidents`);
  }
}

/** The most incidents of a key that are open at a time. */
export function maxOpen(world: World): number {
  const places = new Set(world.processes.map(({ start }) => placeOf(start))).size;
  return places + world.risks + hiddenCommits(world);
}

/**
 * A result that is about to be printed: an id in an answer is told, and an outcome counts as unknown only where it is,
 * and where no sender is at work that may still learn it. Throws a `Violation`.
 */
export function checkPrint(
  world: World,
  number: number,
  { failure, ids, seen }: Request & { kind: "print" },
): void {
  const title = titleOf(world.process(number));
  const own = world.messages.filter(({ sender }) => sender === number);
  for (const { answer, change, isReceived } of own) {
    if (!isReceived || answer?.status !== 201 || change !== undefined) continue;
    const { id } = JSON.parse(answer.text).data ?? JSON.parse(answer.text);
    if (!ids.includes(id))
      throw new Violation(`${title} got the id ${id}, and ends as ${failure} without it`);
  }
  const { isCutOff, listed, start } = world.process(number);
  for (const id of failure === "none" ? ids : []) {
    // An alert and a change are also answered by an incident that another machine has declared, without any log, and a
    // create without a name by one of the list.
    const isOfList = start.id === undefined && listed.includes(id);
    if (
      !isOfList &&
      start.dedupKey === undefined &&
      !isOfChanges(start) &&
      !isRecorded(world, placeOf(start), id)
    )
      throw new Violation(`${title} tells ${id}, and its journal does not know of it`);
  }
  if (failure !== "uncertain" || ids.length > 0 || seen === undefined || isCutOff) return;
  const place = placeOf(start);
  const found = operationLogs(world).find((each) => each.place === place && each.id === seen.operation);
  if (found === undefined || found.next !== seen.next) return;
  // A 200 proves only what it contains, and a person may have settled what the service has never shown.
  const isUnclear = own.some(({ answer, isReceived }) => !isReceived || answer?.status !== 201);
  if (found.reading.unknown === 0 && !isUnclear)
    throw new Violation(`${title} ends as uncertain, and the log knows the outcome`);
  const at = lastUnended(found);
  const sender = world.processes.find(
    (process) => process.status === "running" && writerName(process.number) === found.writers[at],
  );
  // An edited definition is refused at once.
  const isSame = start.wants === found.reading.name;
  const isOther =
    sender !== undefined && sender.number !== number && machineOf(sender.start) === machineOf(start);
  if (isSame && isOther && (sender.deadline ?? 0) > 0)
    throw new Violation(`${title} ends as uncertain, and ${titleOf(sender)} still waits for the answer`);
}

/** Whether the log of its operation says that it was declared: of two that a person permitted, it names one. */
function isRecorded(world: World, place: string, id: string): boolean {
  const operations = world.created.flatMap((incident) => (incident.id === id ? [incident.operation] : []));
  const isDeclared = ({ type }: OperationEvent) => type === "created";
  // A person may have said that it exists.
  if (operations.length === 0) return true;
  return operationLogs(world).some(
    (log) => log.place === place && operations.includes(log.id) && log.steps.some(isDeclared),
  );
}

/** The index of the last attempt without an ending; -1 where there is none. */
function lastUnended({ next, steps }: ReadLog): number {
  const first = next - steps.length;
  const ended = steps.flatMap((step) => ("attempt" in step ? [step.attempt] : []));
  const settled = steps.findLastIndex(({ type }) => type === "created" || type === "not-created");
  return steps.findLastIndex(
    ({ type }, index) => type === "sending" && index > settled && !ended.includes(first + index),
  );
}

/** What a process printed is true. */
function checkTruth(world: World, process: SimulatedProcess): void {
  const { number, outcome, resolvedBefore, start } = process;
  if (outcome === undefined) return;
  // Under an id that a person chose, an incident of another machine may have another name: a warning says so.
  const isFromElsewhere =
    start.id !== undefined &&
    world.processes.some(
      (other) => placeOf(other.start) !== placeOf(start) || other.start.machine !== start.machine,
    );
  if (outcome.kind === "told") {
    for (const id of outcome.ids) {
      const found = world.created.filter(
        (incident) =>
          incident.id === id &&
          (start.dedupKey === undefined
            ? incident.name === start.wants || isFromElsewhere
            : keyOf(world, incident) === start.dedupKey),
      );
      // A person who says that an incident exists is believed.
      if (found.length === 0 && !world.isMisled)
        throw new Violation(`${titleOf(process)} was told ${id}, and the service has no such incident`);
      if (start.dedupKey === undefined || world.staleReads > 0 || world.isMisled || process.isCutOff)
        continue;
      // Nobody can read its end.
      if (found.some(({ isDeleted }) => isDeleted)) continue;
      if (found.every(({ resolved = resolvedBefore }) => resolved < resolvedBefore))
        throw new Violation(`${titleOf(process)} was told ${id}, which was resolved before it started`);
    }
  } else if (outcome.failure !== "uncertain") {
    if (outcome.failure === "internal") throw new Violation(`${titleOf(process)} failed: ${outcome.message}`);
    const isTwice = world.messages.some(({ answer, sender }) => sender === number && answer?.status === 409);
    if (isTwice && (start.id ?? start.dedupKey) === undefined)
      throw new Violation(
        `${titleOf(process)} failed as ${outcome.failure}, and no other create can have its random id`,
      );
    // An alert that goes on after the end of its incident asks for another one.
    const isResolved = (operation: string) =>
      world.created.some((incident) => incident.operation === operation && incident.resolved !== undefined);
    const isOpen = world.messages.some(
      ({ answer, operation, sender, state }) =>
        sender === number &&
        !isResolved(operation) &&
        (state !== "answered" || (answer?.status ?? 0) >= 500 || (answer?.status ?? 0) < 400),
    );
    if (isOpen)
      throw new Violation(
        `${titleOf(process)} failed as ${outcome.failure}, and what it sent may have been accepted`,
      );
  }
}

/** Each incident is known to a person, or its operation still says that it is to be looked for. */
function checkNothingLost(world: World): void {
  checkChangesNotLost(world);
  const told = new Set(
    world.processes.flatMap(({ outcome }) => (outcome?.kind === "told" ? outcome.ids : [])),
  );
  for (const { id, operation } of world.created) {
    if (told.has(id) || operation === byPerson.operation) continue;
    const logs = operationLogs(world).filter(({ id: own }) => own === operation);
    const isOpen = logs.some(({ reading }) => reading.isDeclared || reading.unknown > 0);
    // The next run looks for it before it sends.
    const isLookedFor = world.refusedCommits > 0 && logs.some(({ steps }) => wasRefused(steps));
    if (!isOpen && world.risks === 0 && !isLookedFor)
      throw new Violation(`incident ${id} exists, and no person and no log knows of it`);
  }
}

// What must be known before a create leaves. A 404 for an id proves nothing, so that without a list only a person may permit
// another create.

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
