// The state of the simulated world, as plain data that is copied before it changes: the store, the service, the
// requests on their way, and where the code of each process stands. Every object in it is replaced, never changed.
import type { Budget, Fault } from "./faults.ts";
import {
  describeOutcome,
  type LocalState,
  type Outcomes,
  type Program,
  type Transition,
} from "./local-state.ts";
import type { Names } from "./names.ts";
import type { Append, OwnChange } from "./request.ts";
import type { SequenceState } from "./sequence-state.ts";
import { countResolutions, type Service, type ServiceAnswer, type SimulatedIncident } from "./service.ts";
import type { MadeChange } from "./service-changes.ts";
import { isOfChanges, type Start } from "./start.ts";

export interface SimulatedProcess {
  readonly number: number;
  readonly start: Start;
  readonly status: "running" | "ended" | "crashed";
  readonly local: LocalState;
  /** What a person has read of it. */
  readonly outcome: Outcomes | undefined;
  /** How many resolutions there were before its start, or before a process that changes incidents last read one. */
  readonly resolvedBefore: number;
  /** Whether the incident was resolved when a process that changes it last read it. */
  readonly sawResolved: boolean;
  /** The open incidents with its name that the list showed when it last read it. */
  readonly listed: readonly string[];
  /** The milliseconds that are left of the deadline of its last attempt; undefined before the first. */
  readonly deadline: number | undefined;
  /** Whether the store or the service did not answer a read of it. */
  readonly isCutOff: boolean;
  readonly isSignalled: boolean;
  /** The holds during which a second signal does not end it. */
  readonly holds: number;
  /** Whether its end was looked at, for a rerun. */
  readonly isOver: boolean;
}

/** A create, an update or an edit on its way. */
export interface Message {
  readonly number: number;
  readonly body: string;
  /** Undefined for a create. */
  readonly change?: OwnChange | undefined;
  /** The id that names the operation. */
  readonly operation: string;
  readonly sender: number;
  readonly state: "in-flight" | "answered" | "lost";
  readonly answer?: ServiceAnswer;
  /** Whether its sender still waits. */
  readonly isAwaited: boolean;
  /** Whether only its commit is left: its sender got another answer. */
  readonly isCommit?: boolean;
  /** Whether its sender got the answer. */
  readonly isReceived?: boolean;
}

/** A command that a person may run again. */
export interface Offer {
  readonly by: string;
  readonly start: Start;
}

/** What all states of an exploration have in common. */
export interface Surroundings {
  readonly names: Names;
  readonly emptySequence: SequenceState;
  readonly service: Service;
  readonly program: (start: Start, number: number) => Program;
  /** The first byte of a create, an update or an edit leaves. */
  readonly leave: (world: World, number: number, body: string, change?: OwnChange) => void;
}

/** One way in which a request of a process can end. */
export interface Ending {
  /** Empty where nothing special happens. */
  readonly label: string;
  readonly fault?: Fault;
  /** Changes the world, and gives the result. */
  readonly happen: (world: World) => unknown;
}

/** Something that can happen next. */
export interface Action {
  readonly label: () => string;
  readonly fault?: Fault;
  /** The number of the process whose code runs on. */
  readonly process?: number;
  /** Whether what was sent reaches the service. */
  readonly isArrival?: true;
  /** Asynchronous where the code of a process runs on from a state that is new. */
  readonly run: (world: World) => void | Promise<void>;
}

/** The steps that led to a state, latest first. */
export interface Trace {
  readonly before: Trace | undefined;
  readonly line: () => string;
}

export class Violation extends Error {
  /** The steps that led to it. */
  trace: readonly string[] = [];
}

/** The milliseconds that pass with each stale read and each pause, so that reads over minutes can be stale. */
export const longPause = 180_000;

export class World {
  readonly surroundings: Surroundings;
  /** By the names of the journals. */
  sequences: ReadonlyMap<string, SequenceState> = new Map();
  /** Appends that a store has accepted and not carried out. */
  lateAppends: readonly Append[] = [];
  /** Every incident that was created, also one that was replaced: customers were notified of it. */
  created: readonly SimulatedIncident[] = [];
  /** Every update and edit that the service has made for a process: customers were notified of it. */
  made: readonly MadeChange[] = [];
  processes: readonly SimulatedProcess[] = [];
  messages: readonly Message[] = [];
  budget: ReadonlyMap<Fault, number>;
  /** How many more commands a person runs again. */
  reruns = 0;
  offers: readonly Offer[] = [];
  /** How often a person asked for an incident, by the place of the logs, and by its name. */
  intents: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map();
  /** How often a person released an operation while a request of it was still on its way. */
  risks = 0;
  /** Whether a person has said of an incident that it exists, and there was none. */
  isMisled = false;
  /** How many creates were committed, and answered with a refusal. */
  refusedCommits = 0;
  /** How many reads gave what is no longer true. */
  staleReads = 0;
  /** The milliseconds that have passed with stale reads and pauses. */
  passed = 0;
  /** The sends of each operation since a person last released it. */
  sends: ReadonlyMap<string, number> = new Map();
  trace: Trace | undefined;

  constructor(surroundings: Surroundings, budget: Budget, reruns: number) {
    this.surroundings = surroundings;
    this.budget = new Map(Object.entries(budget) as [Fault, number][]);
    this.reruns = reruns;
  }

  copy(): World {
    return Object.assign(new World(this.surroundings, {}, 0), this);
  }

  sequence(place: string): SequenceState {
    return this.sequences.get(place) ?? this.surroundings.emptySequence;
  }

  process(number: number): SimulatedProcess {
    return this.processes[number - 1] as SimulatedProcess;
  }

  replaceProcess(number: number, fields: Partial<SimulatedProcess>): void {
    this.processes = this.processes.map((one) => (one.number === number ? { ...one, ...fields } : one));
  }

  replaceMessage(number: number, fields: Partial<Message>): void {
    this.messages = this.messages.map((one) => (one.number === number ? { ...one, ...fields } : one));
  }

  say(line: () => string): void {
    this.trace = { before: this.trace, line };
  }

  /** Starts the code of a process. It runs until its first request. */
  spawn(start: Start): void | Promise<void> {
    const number = this.processes.length + 1;
    const local = this.surroundings.program(start, number).start;
    const process = {
      number,
      start,
      status: "running",
      local,
      outcome: undefined,
      resolvedBefore:
        start.dedupKey === undefined && !isOfChanges(start) ? 0 : countResolutions(this.created),
      sawResolved: false,
      listed: [],
      deadline: undefined,
      isCutOff: false,
      isSignalled: false,
      holds: 0,
      isOver: false,
    } as const;
    this.processes = [...this.processes, process];
    return this.resume(number, undefined);
  }

  /** Gives a process the result of its request. It runs until its next request. Asynchronous where this is new. */
  resume(number: number, result: unknown): void | Promise<void> {
    const { local } = this.process(number);
    const look = (what: string) => {
      return String(what === "now" ? this.passed : (this.process(number).deadline ?? 1) <= 0);
    };
    const known = local.program.known(local, result, look);
    if (known !== undefined) return this.#follow(number, known);
    return local.program.discover(local, result, look).then((found) => this.#follow(number, found));
  }

  #follow(number: number, { effects, to }: Transition): void {
    for (const effect of effects) {
      if (effect.kind === "leave") this.surroundings.leave(this, number, effect.body, effect.change);
      else if (effect.kind === "hold")
        this.replaceProcess(number, { holds: this.process(number).holds + effect.change });
      else this.replaceProcess(number, { deadline: effect.deadline });
    }
    const { outcome } = to;
    this.replaceProcess(number, { local: to, ...(outcome && { outcome, status: "ended" }) });
    if (outcome !== undefined)
      this.say(() => `${titleOf(this.process(number))}: ${describeOutcome(outcome)}`);
  }
}

export function titleOf({ number, start }: SimulatedProcess): string {
  return `P${number} ${start.command}`;
}

/** The lines of a trace, first to last. */
export function linesOf(trace: Trace | undefined): readonly string[] {
  const lines: string[] = [];
  for (let at = trace; at !== undefined; at = at.before) lines.unshift(at.line());
  return lines;
}

export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value);
}
