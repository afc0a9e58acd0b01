// Everything that can happen next in a state of the world.
//
// Equivalent interleavings are pruned in four ways. Each keeps every end and every violation; random runs
// do without them.
// 1. A state that was reached before is not explored again, whatever order of steps led to it. Its key (state-key.ts)
//    has everything that its future depends on. Nothing is left of a process that is over but the ids that it told.
// 2. Processes that started alike are interchangeable: a key numbers them by their part in the state. The code uses the
//    number of a process as an opaque name only.
// 3. Two processes are in the same local state where all that the loop of a create keeps is equal (`checkpoint`,
//    command.ts), whatever they did before. The loop keeps its Progress and nothing else. A check guards that:
//    two local states with the same name must make the same next request (`Names.confirm`).
// 4. Steps that only their own process can tell from no step at all:
//    - A process does not crash before a read of the store or the service: a crash right after it leaves the same state,
//      since a read has no effect, and the read can be taken at once.
//    - An answer that has arrived is taken at once. It is the message of one process, so taking it commutes with every
//      step of the others. A fault that it can use up, it can use up now: a budget only shrinks.
//    No step is put off for ever: every step adds to the past of the world, so there are no cycles.
import { bodyOf } from "../definitions.ts";
import type { Fault } from "./faults.ts";
import { checkExit, checkPrint } from "./invariants.ts";
import { keyOf } from "./keys.ts";
import { answersTo, deliveries, endWait, ownMessage } from "./network.ts";
import { startCommand } from "./people.ts";
import { type Append, describeRequest, type Request, type Signalled } from "./request.ts";
import {
  byPerson,
  countResolutions,
  create,
  errorAnswer,
  list,
  read,
  readStale,
  remove,
  resolve,
} from "./service.ts";
import { postByPerson } from "./service-changes.ts";
import { isOfChanges, placeOf } from "./start.ts";
import { applyAppend, storeEndings } from "./store.ts";
import {
  type Action,
  type Ending,
  longPause,
  type Offer,
  type SimulatedProcess,
  titleOf,
  type World,
} from "./world.ts";

/** In a fixed order. */
export function actionsOf(world: World): readonly Action[] {
  const { isReduced } = world.surroundings.names;
  const running = world.processes.filter(({ status }) => status === "running");
  const isPossible = ({ fault }: Action) => fault === undefined || (world.budget.get(fault) ?? 0) > 0;
  const answered = isReduced && running.find((process) => isAnswered(world, process));
  if (answered) return stepsOf(world, answered).filter(isPossible);
  const crashing = running.filter(({ local }) => !isReduced || !changesNothing(local.request));
  return [
    ...running.flatMap((process) => stepsOf(world, process)),
    ...world.messages.flatMap((message) => (message.state === "in-flight" ? deliveries(message) : [])),
    ...world.lateAppends.flatMap(lateSteps),
    ...crashing.map(crash),
    ...running.flatMap(secondSignal),
    ...world.offers.map(rerun),
    ...resolutions(world),
    ...deletions(world),
    ...pauses(world, running),
    ...othersUpdates(world),
    ...othersIncidents(world),
  ].filter(isPossible);
}

/** The faults after which a process has not seen what it asked for. */
const cutsOff: ReadonlySet<Fault> = new Set(["failed-read", "refused-read", "store-unreachable", "signal"]);

function stepsOf(world: World, process: SimulatedProcess): readonly Action[] {
  const { number } = process;
  const request = process.local.request as Request;
  const title = titleOf(process);
  const endings = endingsOf(world, process, request);
  const signalled = process.isSignalled ? [] : firstSignal(world, process, request, endings);
  return [...endings, ...signalled].map(({ fault, happen, label }) => ({
    label: () => `${title}: ${describeRequest(request)}${label === "" ? "" : ` → ${label}`}`,
    process: number,
    ...(fault && { fault }),
    run(after: World) {
      if (fault !== undefined && cutsOff.has(fault)) after.replaceProcess(number, { isCutOff: true });
      return after.resume(number, happen(after));
    },
  }));
}

function endingsOf(world: World, process: SimulatedProcess, request: Request): readonly Ending[] {
  const { number } = process;
  switch (request.kind) {
    case "append":
    case "read":
      return storeEndings(request);
    case "get":
      return [
        {
          label: "",
          happen(after) {
            const incident = after.created.findLast(({ id }) => id === request.id);
            if (isOfChanges(process.start))
              after.replaceProcess(number, {
                resolvedBefore: countResolutions(after.created),
                sawResolved: incident?.resolved !== undefined,
              });
            const answer = read(after.surroundings.service, after.created, request.id);
            return answer;
          },
        },
        ...readStale(world.surroundings.service, world.created, request.id).map(
          (answer): Ending => ({
            label: `a replica answers ${answer.status}, which is stale`,
            fault: "stale-read",
            happen(after) {
              after.staleReads += 1;
              pause(after);
              return answer;
            },
          }),
        ),
        { label: "fails", fault: "failed-read", happen: () => "timeout" },
        { label: "is refused", fault: "refused-read", happen: () => errorAnswer(401, "Unauthorized") },
      ];
    case "list":
      return listEndings(world, process);
    case "send":
      return [{ label: "", happen: () => undefined }];
    case "answer":
      return answersTo(ownMessage(world, process));
    case "sleep":
      return [{ label: "", happen: (after) => passTime(after, request.milliseconds) }];
    case "print":
      return [{ label: "", happen: (after) => print(after, number, request) }];
    case "inspect":
      return [{ label: "", happen: (after) => inspect(after, number, request) }];
  }
}

/** The list as it is, and as it was before the newest incident: it may be behind. */
function listEndings({ created }: World, { number, start }: SimulatedProcess): readonly Ending[] {
  const shows = (entries: World["created"]) => (after: World) => {
    const open = entries.filter(
      ({ isDeleted, name, resolved }) => name === start.wants && !isDeleted && resolved === undefined,
    );
    after.replaceProcess(number, { listed: open.map(({ id }) => id) });
    return list(after.surroundings.service, entries);
  };
  const isBehind = (after: World) => {
    after.staleReads += 1;
    return shows(created.slice(0, -1))(after);
  };
  return [
    { label: "", happen: (after) => shows(after.created)(after) },
    ...(created.length === 0
      ? []
      : [{ label: "it is behind", fault: "stale-read", happen: isBehind } as const]),
    { label: "fails", fault: "failed-read", happen: () => "timeout" },
  ];
}

/** The first signal arrives during a request: what can be left is left, and what changes a store is carried out. */
function firstSignal(
  world: World,
  process: SimulatedProcess,
  request: Request,
  [usual]: readonly Ending[],
): readonly Ending[] {
  if (request.kind === "print" || request.kind === "inspect" || usual === undefined) return [];
  // The first signal lets the requests of `apply` finish.
  const isPatient = process.start.command === "apply";
  if (isPatient && usual.fault !== undefined) return [];
  const ending = isPatient ? usual.happen : endingAtSignal(world, process, request, usual);
  const happen = (after: World) => {
    after.replaceProcess(process.number, { isSignalled: true });
    return { isSignalled: true, result: ending(after) } satisfies Signalled;
  };
  return [{ label: "a signal arrives", fault: "signal", happen }];
}

function endingAtSignal(
  world: World,
  process: SimulatedProcess,
  request: Request,
  { happen }: Ending,
): (after: World) => unknown {
  if (request.kind === "get" || request.kind === "list") return () => "cancelled";
  if (request.kind === "sleep") return () => undefined;
  if (request.kind === "answer") return endWait(ownMessage(world, process), "cancelled");
  return happen;
}

/** A second signal ends the process at once, unless it holds its exit. */
function secondSignal(process: SimulatedProcess): readonly Action[] {
  const { holds, isSignalled, number } = process;
  if (!isSignalled || holds > 0) return [];
  return [
    {
      label: () => `${titleOf(process)} exits at a second signal`,
      fault: "signal",
      run(world) {
        checkExit(world, number);
        stop(world, number);
        const outcome = { kind: "failed", failure: "interrupted", message: "exit code 130" } as const;
        world.replaceProcess(number, { status: "ended", outcome: world.process(number).outcome ?? outcome });
      },
    },
  ];
}

/** Whether nothing but the process itself can tell that this request was carried out. */
function changesNothing(request: Request | undefined): boolean {
  const { kind } = request ?? {};
  return kind === "read" || kind === "get" || kind === "list";
}

function isAnswered(world: World, process: SimulatedProcess): boolean {
  return process.local.request?.kind === "answer" && ownMessage(world, process).state !== "in-flight";
}

/** A deadline is over with its last millisecond: a clock may be read that much earlier than another one. */
function passTime(world: World, milliseconds: number): undefined {
  world.processes = world.processes.map((process) => {
    const { deadline } = process;
    if (deadline === undefined || deadline <= 0) return process;
    return { ...process, deadline: deadline - milliseconds < 1 ? 0 : deadline - milliseconds };
  });
  return undefined;
}

/** Minutes go by. */
function pause(world: World): void {
  world.passed += longPause;
  passTime(world, longPause);
}

/** Before a person runs a command again. */
function pauses(world: World, running: readonly SimulatedProcess[]): readonly Action[] {
  if (running.length > 0 || world.offers.length === 0) return [];
  return [{ label: () => "minutes go by", fault: "pause", run: pause }];
}

function print(world: World, number: number, request: Request & { kind: "print" }): undefined {
  const { failure, ids } = request;
  checkPrint(world, number, request);
  world.replaceProcess(number, {
    outcome: ids.length > 0 ? { kind: "told", ids, failure } : { kind: "failed", failure, message: "" },
  });
  return undefined;
}

/**
 * A person looks for an incident, and is told where it may appear after all. Gives its id, or what the person says
 * without a look.
 */
function inspect(
  world: World,
  number: number,
  { name, operation, says }: Request & { kind: "inspect" },
): string | undefined {
  const place = placeOf(world.process(number).start);
  const made = world.made.find((change) => change.operation === operation && change.place === place);
  const found =
    made ??
    world.created.find(
      (incident) =>
        incident.operation === operation &&
        (incident.place === place || incident.id === operation) &&
        (name === undefined || incident.name === name),
    );
  if (says === "not-created" && found !== undefined) {
    world.risks += 1;
    return undefined;
  }
  if (says === "created") {
    world.isMisled ||= found === undefined;
    return found?.id ?? operation;
  }
  const isAtWork = world.processes.some((other) => other.number !== number && other.status === "running");
  const isOnItsWay = world.messages.some(
    (message) => message.operation === operation && message.state === "in-flight",
  );
  if (found === undefined && (isAtWork || isOnItsWay)) world.risks += 1;
  return found?.id;
}

/** The ways in which an append ends that the store has not answered. */
function lateSteps(append: Append, index: number): readonly Action[] {
  const remove = (world: World) => {
    world.lateAppends = world.lateAppends.filter((_, at) => at !== index);
  };
  const what = () => describeRequest(append);
  return [
    {
      label: () => `the store, late, ${what()}`,
      run: (world) => {
        remove(world);
        applyAppend(world, append);
      },
    },
    { label: () => `the store never ${what()}`, run: remove },
  ];
}

function crash(process: SimulatedProcess): Action {
  const { number } = process;
  return { label: () => `${titleOf(process)} crashes`, fault: "crash", run: (world) => stop(world, number) };
}

function stop(world: World, number: number): void {
  world.replaceProcess(number, { status: "crashed" });
  world.messages = world.messages.map((one) => (one.sender === number ? { ...one, isAwaited: false } : one));
}

/** What other people post to incidents that processes change. */
function othersUpdates(world: World): readonly Action[] {
  const changing = world.processes.filter(({ start }) => isOfChanges(start));
  const present = world.created.filter(({ isDeleted }) => !isDeleted);
  const open = present.filter(({ name }) => changing.some(({ start }) => start.wants === name));
  const [own] = changing.flatMap(({ start: { updates = [] } }) => updates);
  const texts = [
    ["other-update", "IDENTIFIED Another person looks at it."],
    ...(own === undefined ? [] : [["equal-update", own] as const]),
    ["resolution", "RESOLVED Another person has repaired it."],
  ] as const;
  return open.flatMap((incident) =>
    texts.map(([fault, text]) => ({
      label: () => `another person posts: ${text}`,
      fault,
      run: (after: World) => {
        after.created = postByPerson(after.surroundings.service, after.created, incident, text);
      },
    })),
  );
}

/** Another person declares an incident with the content of a create. */
function othersIncidents({ surroundings: { service }, processes }: World): readonly Action[] {
  const [wants] = processes.flatMap(({ start }) => (start.command === "create" ? [start.wants] : []));
  if (!service.lists || wants === undefined) return [];
  return [
    {
      label: () => `another person declares "${wants}"`,
      fault: "equal-incident",
      run(after) {
        ({ created: after.created } = create(service, after.created, bodyOf(wants), byPerson));
      },
    },
  ];
}

/** Of incidents of a key: nothing else depends on the status. */
function resolutions(world: World): readonly Action[] {
  const open = world.created.filter(
    (incident) =>
      incident.resolved === undefined && !incident.isDeleted && keyOf(world, incident) !== undefined,
  );
  return open.map((incident) => ({
    label: () => `incident …${incident.id.slice(-8)} is resolved`,
    fault: "resolution",
    run: (after) => {
      after.created = resolve(after.created, incident);
    },
  }));
}

function deletions(world: World): readonly Action[] {
  const present = world.created.filter(({ isDeleted }) => !isDeleted);
  return present.map((incident) => ({
    label: () => `incident …${incident.id.slice(-8)} is deleted`,
    fault: "deletion",
    run: (after) => {
      after.created = remove(after.created, incident);
    },
  }));
}

function rerun({ by, start }: Offer, index: number): Action {
  return {
    label: () => `${by} is run again`,
    run: (world) => {
      world.offers = world.offers.filter((_, at) => at !== index);
      return startCommand(world, start);
    },
  };
}
