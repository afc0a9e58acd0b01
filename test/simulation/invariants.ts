// What must hold in every state of the simulation. The checks read the world itself, and none of the code under test
// but the fold of a log.
import type { OperationEvent, OperationKey } from "../../src/delivery/journal/events.ts";
import { foldEvents } from "../../src/delivery/journal/fold.ts";
import { type SimulatedProcess, Violation, type World } from "./world.ts";

interface Sends {
  readonly permitsUsed: number;
  readonly sent: number;
}

const sendsOf = new WeakMap<World, Map<string, Sends>>();

/** The longest run of a process, in calls. */
const longestProcess = 400;

/** The logs of operations as the store has them. */
export function operationLogs(world: World) {
  return [...world.logs].flatMap(([name, { events, first }]) => {
    if (!name.startsWith("op-")) return [];
    const records = events as unknown as { key: OperationKey; event: OperationEvent; writer: string }[];
    const key = records[0]?.key;
    if (key === undefined) return [];
    const steps = records.map(({ event }) => event);
    return [{ log: foldEvents(key, first, steps), steps, writers: records.map(({ writer }) => writer) }];
  });
}

/** Checks that this send is one that a person asked for, and gives the operation that it belongs to. */
export function countSend(world: World, process: SimulatedProcess, bodyId: string | undefined): string {
  const writer = `writer-${process.number}`;
  const own = operationLogs(world).find(({ steps, writers }) => {
    const last = steps.findLastIndex(({ type }) => type === "sending");
    return last >= 0 && writers[last] === writer;
  });
  const operation = own?.log.key.id ?? bodyId ?? "unknown";
  const logs = operationLogs(world).find(({ log }) => log.key.id === operation);
  const steps = logs?.steps ?? [];
  const released = steps.findLastIndex(({ type }) => type === "not-created" || type === "pruned");
  const count = (type: OperationEvent["type"]) =>
    steps.slice(released + 1).filter((step) => step.type === type).length;
  const sends = sendsOf.get(world) ?? new Map<string, Sends>();
  sendsOf.set(world, sends);
  // Numbered from the beginning of the log, whatever was pruned of it.
  const key = `${operation} ${(logs?.log.next ?? 0) - steps.length + released}`;
  const { permitsUsed, sent } = sends.get(key) ?? { permitsUsed: 0, sent: 0 };
  const open = sent - count("refused");
  if (open > 0 && !world.allowsResend && permitsUsed >= count("resend")) {
    throw new Violation(
      `${process.name} sends …${operation.slice(-8)} again, and the outcome of an earlier send is not known`,
    );
  }
  sends.set(key, { sent: sent + 1, permitsUsed: permitsUsed + (open > 0 ? 1 : 0) });
  return operation;
}

/** Throws a `Violation`. */
export function checkState(world: World): void {
  checkCounts(world);
  for (const process of world.processes) {
    checkTruth(world, process);
    if (process.calls > longestProcess) throw new Violation(`${process.name} does not end`);
  }
  if (world.processes.every(({ status }) => status !== "running")) checkNothingLost(world);
}

function checkCounts(world: World): void {
  for (const [wants, intents] of world.intents) {
    const created = world.service.created.filter(({ name }) => name === wants).length;
    const logs = operationLogs(world).filter(({ log }) => log.name === wants);
    const permits = logs.flatMap(({ steps }) => steps.filter(({ type }) => type === "resend")).length;
    const allowed = intents + permits + world.risks;
    if (created > allowed)
      throw new Violation(`"${wants}" was declared ${created} times, and asked for ${allowed} times`);
  }
}

/** What a process printed is true. */
function checkTruth(world: World, { name, number, outcome, wants }: SimulatedProcess): void {
  if (outcome?.kind === "told") {
    for (const id of outcome.ids) {
      const found = world.service.created.find((incident) => incident.id === id && incident.name === wants);
      if (found === undefined)
        throw new Violation(`${name} was told ${id}, and the service has no such incident`);
    }
  } else if (outcome !== undefined && outcome.failure !== "uncertain") {
    if (outcome.failure === "internal") throw new Violation(`${name} failed: ${outcome.message}`);
    const own = world.messages.filter(({ sender }) => sender === number);
    const isOpen = own.some(
      ({ answer, state }) =>
        state !== "answered" || (answer?.status ?? 0) >= 500 || (answer?.status ?? 0) < 400,
    );
    if (isOpen)
      throw new Violation(`${name} failed as ${outcome.failure}, and what it sent may have been accepted`);
  }
}

/** Each incident is known to a person, or its operation still says that it is to be looked for. */
function checkNothingLost(world: World): void {
  const told = new Set(
    world.processes.flatMap(({ outcome }) => (outcome?.kind === "told" ? outcome.ids : [])),
  );
  for (const { id, operation } of world.service.created) {
    if (told.has(id)) continue;
    const { log, steps = [] } = operationLogs(world).find(({ log: { key } }) => key.id === operation) ?? {};
    const isOpen =
      log?.uncertain !== undefined || (log?.state === "created" && log.acknowledged === undefined);
    // A person who permits another send, or releases one that is on its way, is told that there may be two.
    const isRisked = world.risks > 0 || steps.some(({ type }) => type === "resend");
    if (!isOpen && !isRisked)
      throw new Violation(`incident ${id} exists, and no person and no log knows of it`);
  }
}
