// The world of the simulation: processes that run the real delivery code against a store, a network and a service.
// Every await of a process is a call that the scheduler resolves when it chooses to, so a sequence of choices is a
// run, and the same sequence is the same run.
import { hash } from "node:crypto";
import type { StoredEvent } from "../../src/delivery/journal/event-store.ts";
import type { Answered, Outcome } from "../../src/http/transport.ts";
import { createService, errorAnswer, type ServiceKind, type SimulatedService } from "./service.ts";

/** Faults that a run may still have. */
export const faultNames = [
  "crash",
  "lost-answer",
  "lost-request",
  "late-request",
  "refusal",
  "bad-gateway",
  "redirect",
  "rate-limit",
  "failed-read",
  "store-unknown",
  "store-down",
  "permit",
] as const;
export type Fault = (typeof faultNames)[number];
export type Budget = Readonly<Partial<Record<Fault, number>>>;

/** Something that can happen next. */
export interface Action {
  readonly label: string;
  readonly fault?: Fault;
  /** The process whose code runs on, if any. */
  readonly process?: SimulatedProcess;
  readonly run: () => void;
}

/** One way in which a call can end. */
export interface Ending<T> {
  readonly label: string;
  readonly fault?: Fault;
  readonly result: () => T;
}

interface Call {
  readonly label: string;
  readonly endings: () => readonly Ending<unknown>[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface Message {
  readonly number: number;
  readonly body: string;
  /** The id that names the operation. */
  readonly operation: string;
  /** The number of the process. */
  readonly sender: number;
  state: "in-flight" | "answered" | "lost";
  answer?: Answered;
  /** Whether its sender still waits. */
  isAwaited: boolean;
}

/** How a process ended, as a person or a script reads it. */
export type Outcomes =
  | { readonly kind: "told"; readonly ids: readonly string[] }
  | { readonly kind: "failed"; readonly failure: string; readonly message: string };

export interface SimulatedProcess {
  readonly number: number;
  readonly name: string;
  /** The name of the incident that it is asked to declare. */
  readonly wants: string;
  /** The instant of its start, in steps of the world. */
  readonly startedAt: number;
  status: "running" | "ended" | "crashed";
  outcome: Outcomes | undefined;
  /** A digest of everything that it was given. Its code is deterministic, so this stands for its whole state. */
  history: string;
  call: Call | undefined;
  /** Milliseconds that it has waited. */
  elapsed: number;
  calls: number;
  /** Whether the deadline of its attempt has passed. */
  isExpired: boolean;
  /** Whether it reads the list of unsettled operations. */
  lists: boolean;
  /** Its wall clock, in milliseconds since the epoch. */
  now: () => number;
}

export interface StoredLogState {
  first: number;
  events: StoredEvent[];
}

export class Violation extends Error {}

export class World {
  readonly service: SimulatedService;
  readonly logs = new Map<string, StoredLogState>();
  readonly notes = new Map<string, string>();
  readonly processes: SimulatedProcess[] = [];
  readonly messages: Message[] = [];
  readonly trace: string[] = [];
  /** How often a person asked for an incident, by its name. */
  readonly intents = new Map<string, number>();
  /** How often a person released an operation while a request of it was still on its way. */
  risks = 0;
  /** Whether the service refuses a second create with the same id, as a person promised. */
  allowsResend = false;
  /** Whether the processes that start the run are alike. */
  isSymmetric = false;
  steps = 0;
  readonly #budget: Map<Fault, number>;
  readonly #spawns: { readonly label: string; readonly spawn: () => void }[] = [];
  #idle: (() => void)[] = [];

  constructor(kind: ServiceKind, budget: Budget) {
    this.service = createService(kind);
    this.#budget = new Map(Object.entries(budget) as [Fault, number][]);
  }

  /** Starts the code of a process. It runs until its first call. */
  async spawn(
    name: string,
    wants: string,
    main: (process: SimulatedProcess) => Promise<Outcomes>,
  ): Promise<SimulatedProcess> {
    const process: SimulatedProcess = {
      number: this.processes.length + 1,
      name: `P${this.processes.length + 1} ${name}`,
      wants,
      startedAt: this.steps,
      status: "running",
      outcome: undefined,
      history: "",
      call: undefined,
      elapsed: 0,
      calls: 0,
      isExpired: false,
      lists: false,
      now: () => 0,
    };
    this.processes.push(process);
    const idle = this.#nextIdle();
    void main(process).then(
      (outcome) => {
        process.status = "ended";
        process.outcome = outcome;
        this.trace.push(`${process.name}: ${describeOutcome(outcome)}`);
        this.#notify();
      },
      (error: unknown) => {
        process.status = "ended";
        process.outcome = { kind: "failed", failure: "internal", message: String(error) };
        this.trace.push(`${process.name}: ${error instanceof Error ? error.stack : String(error)}`);
        this.#notify();
      },
    );
    await idle;
    return process;
  }

  /** Registers a rerun that a person may start after a crash. */
  offer(label: string, spawn: () => void): void {
    this.#spawns.push({ label, spawn });
  }

  /** A call of a process: it resolves with one of its endings when the scheduler chooses so. */
  call<T>(process: SimulatedProcess, label: string, endings: () => readonly Ending<T>[]): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      process.calls += 1;
      process.call = { label, endings, resolve: resolve as (value: unknown) => void, reject };
      this.#notify();
    });
  }

  /** Everything that can happen next, in a fixed order. */
  actions(): readonly Action[] {
    const actions: Action[] = [];
    const add = (action: Action) => {
      if (action.fault === undefined || (this.#budget.get(action.fault) ?? 0) > 0) actions.push(action);
    };
    const isFirstStep = this.isSymmetric && this.steps === 0 && !this.#budget.has("crash");
    for (const process of isFirstStep ? this.processes.slice(0, 1) : this.processes) {
      const { call } = process;
      if (process.status !== "running" || call === undefined) continue;
      for (const ending of call.endings()) {
        const label = `${process.name}: ${call.label}${ending.label === "" ? "" : ` → ${ending.label}`}`;
        const run = () => this.#finish(process, call, ending);
        add({ label, process, run, ...(ending.fault && { fault: ending.fault }) });
      }
    }
    for (const message of this.messages) {
      if (message.state === "in-flight") this.#addDeliveries(message, add);
    }
    for (const process of this.processes) {
      // Where all processes run the same command, it makes no difference which of them crashes first.
      const isFirstCrash = this.processes.every(({ status }) => status !== "crashed");
      const isOther = this.isSymmetric && isFirstCrash && process.number > 1;
      if (process.status === "running" && !isRead(process.call) && !isOther)
        add({ label: `${process.name} crashes`, fault: "crash", run: () => this.#crash(process) });
    }
    for (const [index, { label, spawn }] of this.#spawns.entries()) {
      actions.push({
        label,
        run: () => {
          this.#spawns.splice(index, 1);
          spawn();
        },
      });
    }
    return actions;
  }

  /** Takes one action, and waits until the process that it concerns calls again or ends. */
  async take(action: Action): Promise<void> {
    this.steps += 1;
    this.trace.push(action.label);
    if (action.fault !== undefined) this.#budget.set(action.fault, (this.#budget.get(action.fault) ?? 0) - 1);
    const spawned = this.processes.length;
    const idle = this.#nextIdle();
    action.run();
    if (action.process !== undefined || this.processes.length > spawned) await idle;
  }

  /** From now on nothing goes wrong. */
  clearBudget(): void {
    this.#budget.clear();
  }

  /** The whole state as a digest: two runs that reach the same state need not both go on. */
  digest(): string {
    const processes = this.processes.map(({ history, isExpired, name, status }) => [
      name,
      status,
      history,
      isExpired,
    ]);
    const messages = this.messages.map(({ isAwaited, operation, state }) => [operation, state, isAwaited]);
    const state = [
      [...this.logs].sort(([a], [b]) => a.localeCompare(b)),
      [...this.notes],
      this.service.created,
      processes,
      messages,
      [...this.#budget],
      this.#spawns.map(({ label }) => label),
      [...this.intents],
      this.risks,
    ];
    return hash("sha1", JSON.stringify(state));
  }

  #nextIdle(): Promise<void> {
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #notify(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #finish(process: SimulatedProcess, call: Call, ending: Ending<unknown>): void {
    process.call = undefined;
    try {
      const value = ending.result();
      process.history = hash("sha1", `${process.history}${call.label}${JSON.stringify(value) ?? ""}`);
      call.resolve(value);
    } catch (error) {
      if (error instanceof Violation) throw error;
      process.history = hash("sha1", `${process.history}${call.label}!${String(error)}`);
      call.reject(error);
    }
  }

  #crash(process: SimulatedProcess): void {
    process.status = "crashed";
    process.call = undefined;
    for (const message of this.messages) if (message.sender === process.number) message.isAwaited = false;
  }

  #addDeliveries(message: Message, add: (action: Action) => void): void {
    const name = `request ${message.number}`;
    const commit = () => this.service.create(message.body, message.operation);
    const settle = (answer: Answered) => {
      message.state = "answered";
      message.answer = answer;
    };
    add({ label: `${name} arrives`, run: () => settle(commit()) });
    add({
      label: `${name} is lost`,
      // A request whose sender is gone arrives or does not: neither is a fault of its own.
      ...(message.isAwaited && { fault: "lost-request" as const }),
      run: () => {
        message.state = "lost";
      },
    });
    if (!message.isAwaited) return;
    const refuse = (status: number, text: string) => () => settle(errorAnswer(status, text));
    add({ label: `${name} is refused`, fault: "refusal", run: refuse(403, "Forbidden") });
    add({ label: `${name} is rate limited`, fault: "rate-limit", run: refuse(429, "Too Many Requests") });
    add({ label: `${name} meets a bad gateway`, fault: "bad-gateway", run: refuse(502, "Bad Gateway") });
    add({
      label: `${name} arrives behind a bad gateway`,
      fault: "bad-gateway",
      run: () => {
        commit();
        settle(errorAnswer(502, "Bad Gateway"));
      },
    });
    add({
      label: `${name} arrives and is answered with a redirect`,
      fault: "redirect",
      run: () => {
        commit();
        settle(errorAnswer(303, "See Other"));
      },
    });
  }

  /** The ways in which the sender of a message gets to know what became of it. */
  answersTo(message: Message, deadline: number, process: SimulatedProcess): readonly Ending<Outcome>[] {
    const ends = (outcome: Outcome) => () => {
      message.isAwaited = false;
      return outcome;
    };
    const timeout = () => {
      process.elapsed += deadline;
      return ends({ phase: "unanswered", reason: "timeout", detail: "no answer in time" })();
    };
    switch (message.state) {
      case "lost":
        return [{ label: "no answer", result: timeout }];
      case "in-flight":
        return [{ label: "no answer yet, gives up", fault: "late-request", result: timeout }];
      case "answered":
        return [
          { label: `${message.answer?.status}`, result: ends(message.answer as Answered) },
          {
            label: "the answer is lost",
            fault: "lost-answer",
            result: ends({ phase: "unanswered", reason: "reset", detail: "reset" }),
          },
        ];
    }
  }
}

/** A process that crashes before it reads might as well crash after: reading changes nothing. */
function isRead(call: Call | undefined): boolean {
  return call?.label.startsWith("reads") === true;
}

export function describeOutcome(outcome: Outcomes | undefined): string {
  if (outcome === undefined) return "no outcome";
  return outcome.kind === "told"
    ? `told ${outcome.ids.join(", ")}`
    : `failed (${outcome.failure}: ${outcome.message})`;
}
