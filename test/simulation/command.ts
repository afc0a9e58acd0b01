// The commands of the simulation: the real delivery code on the simulated store, network, clock and terminal.
import { createClient } from "../../src/api/client.ts";
import { createAll } from "../../src/delivery/batch.ts";
import { createClientIdMemory } from "../../src/delivery/client-ids.ts";
import type { DeliveryOptions } from "../../src/delivery/delivery-options.ts";
import { createClaims } from "../../src/delivery/journal/claims.ts";
import type { Append, AppendResult, EventStore } from "../../src/delivery/journal/event-store.ts";
import { createJournal } from "../../src/delivery/journal/journal.ts";
import { pruneLog } from "../../src/delivery/journal/prune.ts";
import { nextStep } from "../../src/delivery/next-step.ts";
import { recordDecision } from "../../src/delivery/settle-by-person.ts";
import { Failure } from "../../src/failure.ts";
import type { Outcome, Transport } from "../../src/http/transport.ts";
import type { Definition } from "../../src/incident/definition.ts";
import type { System } from "../../src/platform/context.ts";
import { definition as aDefinition } from "../harness/builders.ts";
import { countSend } from "./invariants.ts";
import type { Mutant } from "./mutants.ts";
import type { Message, Outcomes, SimulatedProcess, World } from "./world.ts";

export interface CommandOptions {
  /** The definition's own id; absent for a create that is found by its content. */
  readonly id?: string;
  readonly incidentName?: string;
  /** Whether the person at the terminal permits one more send of a create whose outcome is not known. */
  readonly isPermitting?: boolean;
  /** Days that the wall clock of this process is ahead. */
  readonly daysAhead?: number;
  readonly promised?: "unique";
  readonly settleFor?: number;
  readonly maxRetries?: number;
}

const service = { baseUrl: "http://service.example", account: undefined };
const deadline = 30_000;
const start = Date.parse("2026-03-10T08:30:00Z");
const day = 24 * 60 * 60 * 1000;

/** Nothing is known of similar incidents: they only cause a question. */
const subjects = { find: () => [], add: () => undefined };

/** One run of `incident create`. */
export async function runCreate(
  world: World,
  process: SimulatedProcess,
  options: CommandOptions,
  mutant: Mutant | undefined,
): Promise<Outcomes> {
  const { claims, delivery } = openDelivery(world, process, options, mutant);
  const definition: Definition = aDefinition({
    name: process.wants,
    ...(options.id !== undefined && { id: options.id }),
  });
  const { acknowledge, failure, incidents } = await createAll(
    { ...delivery, claims, subjects, isNew: false },
    [definition],
  );
  const ids = failure === undefined ? incidents.map(({ id }) => id) : [];
  if (mutant?.acknowledgesFirst) await acknowledge();
  await world.call(process, "prints", () => [
    { label: "", result: () => printed(world, process, ids, failure) },
  ]);
  if (failure !== undefined && ids.length === 0)
    return { kind: "failed", failure: failure.kind, message: failure.message };
  // Printed is told, whatever happens after.
  if (!mutant?.acknowledgesFirst) await acknowledge().catch(ignoreFailure);
  return { kind: "told", ids };
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}

/** A person reads the result at this instant. */
function printed(
  world: World,
  process: SimulatedProcess,
  ids: readonly string[],
  failure: Failure | undefined,
): string {
  process.outcome =
    ids.length > 0
      ? { kind: "told", ids }
      : { kind: "failed", failure: failure?.kind ?? "none", message: failure?.message ?? "" };
  void world;
  return ids.join(" ");
}

/** A person looks at the service, and settles the operation by what is there. */
export async function runSettle(
  world: World,
  process: SimulatedProcess,
  options: CommandOptions,
  mutant: Mutant | undefined,
): Promise<Outcomes> {
  process.lists = true;
  const { delivery, journal } = openDelivery(world, process, options, mutant);
  const { logs } = await journal.unsettled();
  for (const log of logs) {
    const found = world.service.created.find(({ operation }) => operation === log.key.id);
    // The person is asked, and told that it may appear after all.
    const isAtWork = world.processes.some((other) => other !== process && other.status === "running");
    const isOnItsWay = world.messages.some(
      ({ operation, state }) => operation === log.key.id && state === "in-flight",
    );
    if (found === undefined && (isOnItsWay || isAtWork)) world.risks += 1;
    const decision =
      found === undefined
        ? ({ type: "not-created" } as const)
        : ({ type: "created", by: "person", serviceId: found.id } as const);
    await recordDecision({ ...delivery, journal }, log, decision).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
    });
  }
  return { kind: "told", ids: [] };
}

/** Housekeeping under a clock that is far ahead, so that every log is old. */
export async function runPrune(
  world: World,
  process: SimulatedProcess,
  options: CommandOptions,
  mutant: Mutant | undefined,
): Promise<Outcomes> {
  const { journal } = openDelivery(world, process, options, mutant);
  const { logs } = await journal.list();
  for (const log of logs) {
    if (mutant?.summary !== undefined)
      await journal.prune(log, mutant.summary(log), "2027-01-01T00:00:00.000Z");
    else await pruneLog(journal, log, "2027-01-01T00:00:00.000Z");
  }
  return { kind: "told", ids: [] };
}

function openDelivery(
  world: World,
  process: SimulatedProcess,
  options: CommandOptions,
  mutant: Mutant | undefined,
) {
  const { daysAhead = 0, isPermitting = false, maxRetries = 1, promised, settleFor = 0 } = options;
  let guids = 0;
  process.now = () => start + daysAhead * day + process.elapsed;
  const system: Pick<System, "bootTime" | "clock" | "random" | "signal" | "user"> = {
    clock: {
      now: process.now,
      monotonic: () => process.elapsed,
      // Other processes take any number of steps between two calls anyway, so waiting needs no call of its own.
      // A sleep lasts at least a deadline, so that every attempt that began before it has expired.
      sleep: async (milliseconds) => {
        process.elapsed += Math.max(milliseconds, deadline);
        for (const other of world.processes) other.isExpired = true;
      },
    },
    // Only the order of starts and acknowledgements matters: an instant is the number of processes that had started.
    bootTime: (of) => ({
      boot: "sim",
      elapsed: of === "now" ? world.processes.length + 0.5 : process.number,
    }),
    random: {
      guid: () =>
        `00000000-0000-4000-8000-${String(process.number).padStart(6, "0")}${String(++guids).padStart(6, "0")}`,
      fraction: () => 0.5,
    },
    signal: new AbortController().signal,
    user: undefined,
  };
  const store = mutant?.wrapStore?.(createStore(world, process), process) ?? createStore(world, process);
  const journalDeps = { store, writer: () => `writer-${process.number}`, clock: system.clock };
  const journal = createJournal(journalDeps);
  const claims = createClaims({ ...journalDeps, journal, system, readOldClaim: () => undefined });
  const rawTransport = createTransport(world, process);
  const transport = mutant?.wrapTransport?.(rawTransport) ?? rawTransport;
  const setting = <T>(value: T) => ({ value, origin: "test" });
  const client = createClient(
    {
      baseUrl: setting(service.baseUrl),
      account: setting(undefined),
      accountHeader: "x-service-account",
      apiKey: setting("key"),
      clientIds: undefined,
    },
    transport,
    { deadline, signal: system.signal },
  );
  const notes = {
    read: (name: string) => world.notes.get(name),
    replace: (name: string, text: string) => void world.notes.set(name, text),
  };
  let permits = isPermitting ? 1 : 0;
  const delivery: DeliveryOptions = {
    system,
    reporter: { info: () => undefined, warn: () => undefined, withSpinner: (_say, work) => work() },
    client,
    service,
    journal,
    clientIds: createClientIdMemory(notes, service, promised),
    maxRetries,
    settleFor,
    waitForRetry: async (_outcome, milliseconds) => {
      process.elapsed += milliseconds;
    },
    ...(isPermitting && { confirmResend: async () => permits-- > 0 }),
    decide: mutant?.decide ?? nextStep,
  };
  return { claims, delivery, journal };
}

/** The store of events, as all processes of the machine share it. */
function createStore(world: World, process: SimulatedProcess): EventStore {
  const stateOf = (log: string) => world.logs.get(log) ?? { first: 0, events: [] };
  const apply = ({ event, log, number }: Pick<Append, "event" | "log" | "number">): AppendResult => {
    const state = stateOf(log);
    if (state.first + state.events.length !== number) return "taken";
    world.logs.set(log, { first: state.first, events: [...state.events, event] });
    return "ours";
  };
  const down = (): never => {
    throw new Failure("unavailable", "the store cannot be reached", { hint: "try again" });
  };
  const call = <T>(
    label: string,
    result: () => T,
    faults: readonly { label: string; result: () => T }[] = [],
  ) =>
    world.call(process, label, () => [
      { label: "", result },
      ...faults.map((fault) => ({ ...fault, fault: "store-unknown" as const })),
      { label: "store down", fault: "store-down", result: down },
    ]);
  const appendAll = (appends: readonly Append[]) => appends.map(apply);
  return {
    append: (appends) =>
      call(`appends ${appends.map(describeAppend).join(", ")}`, () => appendAll(appends), [
        {
          label: "applied, no acknowledgement",
          result: () => appendAll(appends).map(() => "unknown" as const),
        },
        { label: "not applied, no answer", result: () => appends.map(() => "unknown" as const) },
      ]),
    read: (log) => call(`reads ${shortName(log)}`, () => stateOf(log)),
    // A create only warns of them.
    unsettled: () =>
      process.lists
        ? call("lists the unsettled", () => [...world.logs.keys()].filter((log) => log.startsWith("op-")))
        : Promise.resolve([]),
    logs: (prefix) => call("lists all", () => [...world.logs.keys()].filter((log) => log.startsWith(prefix))),
    prune: (append) =>
      call(`prunes ${shortName(append.log)}`, () => {
        const result = apply(append);
        if (result === "ours") world.logs.set(append.log, { first: append.number, events: [append.event] });
        return result;
      }),
    sweep: async () => undefined,
  };
}

/** The way to the service: a create is a message that can be lost or late, a read is one step. */
function createTransport(world: World, process: SimulatedProcess): Transport {
  return async (request, control) => {
    if (request.method === "GET") {
      const id = request.url.split("/").at(-1) ?? "";
      return world.call<Outcome>(process, `reads incident …${id.slice(-8)}`, () => [
        { label: "", result: () => world.service.read(id) },
        {
          label: "fails",
          fault: "failed-read",
          result: () => ({ phase: "unanswered", reason: "timeout", detail: "no answer" }),
        },
      ]);
    }
    process.isExpired = false;
    await control.beforeSend?.();
    const message = await world.call(process, "sends the create", () => [
      process.isExpired
        ? { label: "too late, so nothing leaves", result: () => undefined }
        : { label: "", result: () => leave(world, process, request.body ?? "") },
    ]);
    if (message === undefined) return { phase: "unsent", reason: "timeout", detail: "no connection in time" };
    return world.call(process, `waits for the answer to request ${message}`, () =>
      world.answersTo(world.messages[message - 1] as Message, control.deadline, process),
    );
  };
}

function leave(world: World, process: SimulatedProcess, body: string): number {
  const number = world.messages.length + 1;
  const operation = countSend(world, process, JSON.parse(body).id);
  world.messages.push({
    number,
    body,
    operation,
    sender: process.number,
    state: "in-flight",
    isAwaited: true,
  });
  return number;
}

function describeAppend({ event, log, number }: Append): string {
  const { claim, event: step } = event as { claim?: { id: string }; event?: { type: string } };
  return `${step?.type ?? `claim of …${claim?.id.slice(-8)}`} #${number} to ${shortName(log)}`;
}

function shortName(log: string): string {
  return log.replace(/^(op|claim)-(.{4}).*/, "$1 $2");
}
