// The commands of the simulation: the real delivery code on the simulated store, network, clock and terminal.
import { type Client, createClient } from "../../src/api/client.ts";
import { createAll } from "../../src/delivery/batch/batch.ts";
import { createUnlessOpen } from "../../src/delivery/batch/dedup-key.ts";
import type { DeliveryOptions } from "../../src/delivery/delivery-options.ts";
import { nextStep } from "../../src/delivery/next-step.ts";
import { canDecide, canRevise, recordDecision } from "../../src/delivery/settle-by-person.ts";
import { Failure } from "../../src/failure.ts";
import { withRateLimit } from "../../src/http/rate-limiter.ts";
import { waitForRetry, withRetries } from "../../src/http/retry.ts";
import type { Outcome, Transport } from "../../src/http/transport.ts";
import type { ClientIds } from "../../src/journal/events.ts";
import { shortened } from "../../src/journal/fold.ts";
import { createJournal, type Journal } from "../../src/journal/journal.ts";
import { emptyModel, format, newest, operationIn, unsettled } from "../../src/journal/model.ts";
import type { Entry, Sequence, Sequences } from "../../src/journal/sequence.ts";
import type { Named } from "../../src/journal/snapshot.ts";
import type { System } from "../../src/platform/context.ts";
import { clientSettings, setting } from "../harness/builders.ts";
import { definitionOf } from "./definitions.ts";
import type { Mutant } from "./mutant.ts";
import type { Outcomes, ProcessPort } from "./world/local-state.ts";
import { guidOf, writerName } from "./world/names.ts";
import type { Request, Signalled, StoreRequest, storeDown } from "./world/request.ts";
import type { SequenceState } from "./world/sequence-state.ts";
import { type ServiceAnswer, toAnswered } from "./world/service.ts";
import { isOfChanges, placeOf, type Start } from "./world/start.ts";

const service = { baseUrl: "http://service.example", account: undefined };
const deadline = 30_000;
const firstInstant = Date.parse("2026-03-10T08:30:00Z");
const day = 24 * 60 * 60 * 1000;
/** So low that each process has to wait. */
const lowRate = { requests: 1, window: 60_000 };

const reporter: DeliveryOptions["reporter"] = {
  info: () => undefined,
  warn: () => undefined,
  withSpinner: (_say, work) => work(),
};

export interface RunOptions {
  readonly mutant?: Mutant | undefined;
  /** Whether the service describes a list. */
  readonly hasList?: boolean | undefined;
  /** Called with the support for ids that each decision relies on. */
  readonly visit?: ((support: ClientIds) => void) | undefined;
}

export async function runCreate(
  port: ProcessPort,
  start: Start,
  { hasList, mutant, visit }: RunOptions,
): Promise<Outcomes> {
  const { delivery, seen } = openDelivery(port, start, { hasList, mutant, visit });
  const { dedupKey, id, wants } = start;
  const definition = definitionOf(wants, id);
  const options = delivery;
  const { delivered, failure } =
    dedupKey === undefined
      ? await createAll({ ...options, isNew: mutant?.looksAtNothing ?? false }, [definition])
      : await createUnlessOpen(
          { ...options, isNew: true },
          definition,
          mutant?.dedupKey?.(start) ?? dedupKey,
        );
  const ids = delivered.map(({ incident }) => incident.id);
  await port.call({ kind: "print", ids, failure: failure?.kind ?? "none", seen: seen() });
  if (failure !== undefined && ids.length === 0)
    return { kind: "failed", failure: failure.kind, message: failure.message };
  return { kind: "told", ids, failure: failure?.kind ?? "none" };
}

export function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
}

/** A person looks at the service, and settles each operation by what is there, or corrects what was settled. */
export async function runSettle(
  port: ProcessPort,
  start: Start,
  { mutant, visit }: RunOptions,
): Promise<Outcomes> {
  const { delivery, journal } = openDelivery(port, start, { mutant, visit });
  const model = await journal.model(service);
  for (const log of start.corrects ? [...newest(model)].reverse() : unsettled(model)) {
    if (start.corrects && !canRevise(log)) continue;
    const { key, name } = log;
    const look = { kind: "inspect", operation: key.id, name, says: start.people } as const;
    const found = await port.call<string | undefined>(look);
    const decision =
      found === undefined
        ? ({ type: "not-created" } as const)
        : ({ type: "created", by: "person", serviceId: found } as const);
    if (start.corrects && !canDecide(log, decision)) continue;
    await recordDecision({ ...delivery, journal }, log, decision).catch(ignoreFailure);
  }
  return { kind: "told", ids: [], failure: "none" };
}

/** Replaces what is over by what a snapshot keeps of it. */
export async function runPrune(
  port: ProcessPort,
  start: Start,
  { mutant, visit }: RunOptions,
): Promise<Outcomes> {
  const { journal } = openDelivery(port, start, { mutant, visit });
  const model = await journal.model(service);
  const operations = [...model.operations].map(([id, whole], index): Named => {
    const log = operationIn(model, { ...service, id });
    const events = log.change === undefined ? (mutant?.shortened ?? shortened)(log) : undefined;
    if (events === undefined) return [id, whole];
    return [id, { first: log.next - events.length, events, began: index }];
  });
  const snapshot = { operations, pastById: "", began: operations.length, ids: model.ids };
  const entry = { ...format, at: 0, service, writers: model.writers, snapshot };
  const append = { kind: "append", place: placeOf(start), number: model.next } as const;
  if (model.next > 0) await port.call({ ...append, entry: { ...entry, writer: writerName(port.number) } });
  return { kind: "told", ids: [], failure: "none" };
}

/**
 * A pause between two reads lasts longer than every deadline, so that a process reads twice at most. The first pause
 * after a store that did not say, and all that are longer than any of these, last as long as asked.
 */
function lengthOf(asked: number): number {
  return asked === 100 || asked > 2000 ? asked : 61_000;
}

/** The world as a process sees it whose first signal aborts `controller`. */
function withSignal(port: ProcessPort, controller: AbortController): ProcessPort {
  return {
    ...port,
    async call<T>(request: Request) {
      const result = await port.call<T | Signalled>(request);
      if (!isSignalled(result)) return result;
      controller.abort("SIGINT");
      return result.result as T;
    },
  };
}

function isSignalled(result: unknown): result is Signalled {
  return typeof result === "object" && result !== null && "isSignalled" in result;
}

export function openDelivery(plainPort: ProcessPort, start: Start, { hasList, mutant, visit }: RunOptions) {
  const controller = new AbortController();
  const port = withSignal(plainPort, controller);
  const { daysAhead = 0, isLimited, journal: journalKind = "local", maxRetries = 1, settleFor = 0 } = start;
  let guids = 0;
  let hasId = false;
  /** Milliseconds that this process has waited. */
  let elapsed = 0;
  // It goes on with the clock of the machine.
  const now = () => firstInstant + daysAhead * day + Math.round(Number(port.look("now")));
  const pass = (milliseconds: number) => {
    elapsed += milliseconds;
  };
  /** The past of the rate limiter: when each request left and ended, and how. */
  const past: (readonly [left: number, ended: number, outcome: unknown])[] = [];
  const withPast =
    (transport: Transport): Transport =>
    async (request, control) => {
      const left = elapsed;
      const outcome = await transport(request, control);
      if (isLimited) past.push([left, elapsed, outcome.phase === "answered" ? outcome.status : ""]);
      return outcome;
    };
  /** With ages in place of times, because the limiter compares nothing else. */
  const describePast = () => past.map(([left, ended, outcome]) => [elapsed - left, elapsed - ended, outcome]);
  const system: Pick<
    System,
    "clock" | "holdExit" | "localOffset" | "random" | "signal" | "startDeadline" | "user"
  > = {
    localOffset: () => 0,
    clock: {
      now,
      monotonic: () => elapsed,
      sleep: async (asked, signal) => {
        if (!(asked > 0)) throw new Error(`waits ${asked} ms`);
        if (signal?.aborted) return;
        const milliseconds = lengthOf(asked);
        await port.call({ kind: "sleep", milliseconds });
        pass(milliseconds);
      },
    },
    holdExit() {
      if (mutant?.holdsNoExit) return () => undefined;
      port.effect({ kind: "hold", change: 1 });
      let isHeld = true;
      return () => {
        if (isHeld) port.effect({ kind: "hold", change: -1 });
        isHeld = false;
      };
    },
    startDeadline(milliseconds) {
      if (!mutant?.limitsLast) port.effect({ kind: "attempt", deadline: milliseconds });
      return () => port.look("overdue") === "true" && !mutant?.ignoresDeadline;
    },
    random: {
      guid() {
        if (hasId) throw new Error("an id is made up after a checkpoint");
        return guidOf(port.number, ++guids);
      },
      fraction: () => 0.5,
    },
    // The running requests of `apply` finish: docs/ci.md.
    signal: start.command === "apply" ? new AbortController().signal : controller.signal,
    user: undefined,
  };
  const plainSequence = createSequence(port, placeOf(start));
  const sequence = mutant?.wrapSequence?.(plainSequence, { now }) ?? plainSequence;
  const plainJournal = { ...openJournal(sequence, system), isShared: journalKind === "shared" };
  const journal = mutant?.wrapJournal?.(plainJournal) ?? plainJournal;
  let last: { readonly operation: string; readonly next: number } | undefined;
  const plainTransport = withPast(createTransport(port, pass, () => last?.operation ?? ""));
  const unlimited = mutant?.wrapTransport?.(plainTransport) ?? plainTransport;
  const deps = { ...reporter, system };
  // In the order in which create-transport.ts assembles them.
  const limited = isLimited
    ? withRetries(withRateLimit(unlimited, deps, lowRate), deps, maxRetries)
    : unlimited;
  const transport = mutant?.limitsLast ? withLateLimit(limited) : limited;
  /** The page of the list that a create has read. */
  let page: unknown;
  const settings = { ...clientSettings, baseUrl: setting(service.baseUrl), account: setting(undefined) };
  const plainClient = createClient(settings, transport, { deadline, signal: system.signal });
  const client: Client = {
    ...plainClient,
    async list(...args) {
      page = undefined;
      const list = await plainClient.list(...args);
      page = list.entries;
      return list;
    },
  };
  const next = mutant?.decide ?? nextStep;
  const delivery: DeliveryOptions = {
    system,
    reporter,
    client,
    service,
    journal,
    operations: async () => ({ ...((hasList || mutant?.lists) && { list: { items: [] } }) }),
    maxRetries,
    began: system.clock.monotonic(),
    memory: { answers: new Map(), similar: new Set() },
    settleFor,
    waitForRetry: isLimited
      ? (outcome, milliseconds) => waitForRetry(deps, outcome, milliseconds, system.signal)
      : async (_outcome, milliseconds) => pass(milliseconds),
    // Beside its Progress, a create keeps what is here: its options, the page that it has read, the
    // memory of ids, and the past of its rate limiter. It keeps no other instant of a clock, and makes up no id any more.
    nextStep({ log, ...rest }, request) {
      last = { operation: log.key.id, next: log.next };
      // A timeline keeps more: what it has read and posted so far.
      if (!isOfChanges(start)) {
        hasId = true;
        const kept = describeProgress([
          rest,
          page,
          journal.known(service).ids,
          system.signal.aborted,
          describePast(),
        ]);
        port.checkpoint([log.key.id, log.next, ...log.events, kept]);
      }
      const step = next({ log, ...rest }, request);
      visit?.(journal.known(service).ids);
      return step;
    },
  };
  return { delivery, journal, settings: client.settings, seen: () => last, stop: controller.signal };
}

/** As text, with the fields of errors and the bytes of bodies. */
function describeProgress(values: readonly unknown[]): string {
  return JSON.stringify(values, (_, value) => {
    if (value instanceof Uint8Array) return new TextDecoder().decode(value);
    return value instanceof Error ? { ...value, message: value.message, cause: value.cause } : value;
  });
}

/** A process keeps nothing of the journal from one step to the next but what it says of ids. */
function openJournal(sequence: Sequence, system: Pick<System, "clock" | "signal">): Journal {
  const sequences: Sequences = { names: async () => [], open: () => sequence };
  let writers = 0;
  const random = { guid: () => `w${++writers}`, fraction: () => 0 };
  let last = emptyModel;
  const using = async <T>(work: (journal: Journal) => Promise<T>): Promise<T> => {
    const journal = createJournal({ sequences, system: { ...system, random } });
    const result = await work(journal);
    last = journal.known(service);
    return result;
  };
  return {
    isShared: false,
    known: () => last,
    model: (...args) => using((journal) => journal.model(...args)),
    models: () => using((journal) => journal.models()),
    read: (...args) => using((journal) => journal.read(...args)),
    append: (...args) => using((journal) => journal.append(...args)),
    accept: () => undefined,
    shorten: async () => undefined,
  };
}

/** The sequence of a journal, as all processes share it. The world knows entries by the names of their processes. */
function createSequence(port: ProcessPort, place: string): Sequence {
  const name = writerName(port.number);
  const ask = async <T>(request: StoreRequest): Promise<T> => {
    const result = await port.call<T | typeof storeDown>(request);
    if (isDown(result))
      throw new Failure("unavailable", "the store cannot be reached", { hint: "try again", retryable: true });
    return result;
  };
  /** The names that this process has for its entries. */
  const own = new Map<string, string>();
  const textOf = (number: number, entry: Entry) => JSON.stringify([number, { ...entry, writer: name }]);
  return {
    place: (number) => `entry ${number}`,
    mayDrop: () => false,
    drop: async () => undefined,
    append(number, entry) {
      own.set(textOf(number, entry), entry.writer);
      return ask({ kind: "append", place, number, entry: { ...entry, writer: name } });
    },
    async read(from) {
      const { entries, first } = await ask<SequenceState>({ kind: "read", place });
      const shown = entries.map((entry, index) => {
        const writer = entry.writer === name ? own.get(textOf(first + index, entry)) : undefined;
        return writer === undefined ? entry : { ...entry, writer };
      });
      return from <= first ? { first, entries: shown } : { first: from, entries: shown.slice(from - first) };
    },
  };
}

function isDown(result: unknown): result is typeof storeDown {
  return typeof result === "object" && result !== null && "isDown" in result;
}

/**
 * The way to the service: what changes something leaves, and then waits for its answer; a read is one step. `operation`:
 * the one that the loop of an update works on.
 */
function createTransport(
  port: ProcessPort,
  pass: (milliseconds: number) => void,
  operation: () => string,
): Transport {
  return async (request, control) => {
    const cancelled = { phase: "unsent", reason: "cancelled", detail: "cancelled" } as const;
    if (control.signal?.aborted) return cancelled;
    if (request.method === "GET") {
      const id = request.url.split("/").at(-1) ?? "";
      if (id === "incidents") return outcomeOf(await port.call<ServiceAnswer | Missing>({ kind: "list" }));
      return outcomeOf(await port.call<ServiceAnswer | Missing>({ kind: "get", id }));
    }
    await control.beforeSend?.();
    if (control.signal?.aborted) return cancelled;
    const [, incident] = /\/incidents\/([^/]+)/.exec(request.url) ?? [];
    const { method } = request;
    const what = incident === undefined ? "create" : method === "POST" ? "update" : "edit";
    await port.call({ kind: "send", what });
    if (control.signal?.aborted) return cancelled;
    if (control.isOverdue?.()) return { phase: "unsent", reason: "timeout", detail: "no connection in time" };
    const body = request.body ?? "";
    const change = incident !== undefined && {
      ...{ method, incident, body },
      operation: what === "update" ? operation() : "",
    };
    port.effect({ kind: "leave", body, ...(change && { change }) });
    const answer = await port.call<ServiceAnswer | Missing>({ kind: "answer" });
    if (answer === "timeout") pass(control.deadline);
    return outcomeOf(answer);
  };
}

/** Calls `beforeSend` before the rate limiter waits. */
function withLateLimit(transport: Transport): Transport {
  return async (request, { beforeSend, ...control }) => {
    await beforeSend?.();
    return transport(request, control);
  };
}

/** Why an answer is missing. */
type Missing = "timeout" | "reset" | "cancelled";

function outcomeOf(answer: ServiceAnswer | Missing): Outcome {
  if (typeof answer !== "string") return toAnswered(answer);
  return { phase: "unanswered", reason: answer, detail: answer === "timeout" ? "no answer in time" : answer };
}
