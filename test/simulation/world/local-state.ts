// Processes as automata. The code of a process is deterministic: its next request follows from the results of its
// earlier ones. So the real code runs once for each new sequence of results, and the request that follows is kept;
// everywhere else that sequence occurs, in another interleaving, the kept request is used. A sequence of results is
// the local state of a process, and where the code says what it keeps of its past (a checkpoint), that and the results
// since: two sequences with the same checkpoint have the same future.
import { type Names, type Renaming, writerName } from "./names.ts";
import type { Effect, Request } from "./request.ts";
import { SequenceState } from "./sequence-state.ts";

/** How a process ended, as a person or a script reads it. */
export type Outcomes =
  /** With incidents; a failure can come after one. */
  | { readonly kind: "told"; readonly ids: readonly string[]; readonly failure: string }
  | { readonly kind: "failed"; readonly failure: string; readonly message: string };

/** The world as the code of a process sees it. */
export interface ProcessPort {
  readonly number: number;
  /** Resolves with the result that the scheduler chooses, when it chooses. */
  call<T>(request: Request): Promise<T>;
  /** Reads a part of the world at once. */
  look(what: string): string | undefined;
  /**
   * Says that these values are everything that the code still has of its past: its further run depends on them and on
   * its later results alone.
   */
  checkpoint(values: readonly unknown[]): void;
  /** Changes a part of the world at once. */
  effect(effect: Effect): void;
}

export type Main = (port: ProcessPort) => Promise<Outcomes>;
export type Look = (what: string) => string | undefined;

/** What the code does with one result until it calls again or ends. */
export interface Transition {
  readonly reads: readonly (readonly [what: string, value: string | undefined])[];
  readonly effects: readonly Effect[];
  readonly to: LocalState;
}

export interface LocalState {
  readonly program: Program;
  /** The number of results that led here. */
  readonly depth: number;
  readonly request: Request | undefined;
  /** Defined where the process has ended. */
  readonly outcome: Outcomes | undefined;
  readonly previous?: {
    readonly state: LocalState;
    readonly result: unknown;
    readonly reads: Transition["reads"];
  };
  readonly transitions: Map<string | SequenceState, Transition[]>;
  /** The program and all results so far, with the processes renamed. */
  describe(renaming: Renaming): string;
}

/** Code that waits for a result can go on once; of those, only the latest are kept. */
const longestLive = 300;

export class Program {
  readonly start: LocalState;
  readonly #names: Names;
  readonly #number: number;
  readonly #main: Main;
  readonly #numberUnder: (renaming: Renaming) => number;
  readonly #live = new Map<LocalState, Execution>();

  constructor(names: Names, title: string, number: number, main: Main) {
    this.#names = names;
    this.#number = number;
    this.#main = main;
    this.start = {
      program: this,
      depth: 0,
      request: undefined,
      outcome: undefined,
      transitions: new Map(),
      describe: (renaming) => `local ${this.#numberUnder(renaming)}`,
    };
    this.#numberUnder = (renaming) => renaming.number(`${title} ${writerName(number)}`);
  }

  /** The transition, if this result was given in this state before. */
  known(state: LocalState, result: unknown, look: Look): Transition | undefined {
    return state.transitions
      .get(this.#keyOf(result))
      ?.find(({ reads }) => reads.every(([what, value]) => look(what) === value));
  }

  /** Runs the real code on. */
  async discover(state: LocalState, result: unknown, look: Look): Promise<Transition> {
    const execution = this.#live.get(state) ?? (await this.#replay(state));
    this.#live.delete(state);
    const { checkpoint, effects, outcome, reads, request } = await execution.resume(result, look);
    const to: LocalState = {
      program: this,
      depth: state.depth + 1,
      request,
      outcome,
      previous: { state, result, reads },
      transitions: new Map(),
      describe: (renaming) => {
        if (checkpoint !== undefined && this.#names.isReduced) {
          const values = checkpoint.values.map((value) => renaming.numberOf(value));
          const since = JSON.stringify(reads.slice(checkpoint.reads));
          return `checkpoint ${this.#numberUnder(renaming)} ${values} ${since}`;
        }
        const before = renaming.partOf(state, () => state.describe(renaming));
        const given =
          result instanceof SequenceState ? result.number(renaming) : renaming.numberOf(result ?? null);
        return `local ${before} ${given} ${JSON.stringify(reads)}`;
      },
    };
    this.#names.confirm(to.describe(this.#names.renaming([])), outcome ?? request);
    const transition = { reads, effects, to };
    const key = this.#keyOf(result);
    state.transitions.set(key, [...(state.transitions.get(key) ?? []), transition]);
    if (outcome === undefined) this.#keep(to, execution);
    return transition;
  }

  async #replay(state: LocalState): Promise<Execution> {
    const path: NonNullable<LocalState["previous"]>[] = [];
    for (let at = state.previous; at !== undefined; at = at.state.previous) path.unshift(at);
    const execution = new Execution(this.#number, this.#main);
    for (const { reads, result } of path) {
      const values = new Map(reads);
      await execution.resume(result, (what) => values.get(what));
    }
    return execution;
  }

  #keep(state: LocalState, execution: Execution): void {
    this.#live.set(state, execution);
    const [oldest] = this.#live.keys();
    if (this.#live.size > longestLive && oldest !== undefined) this.#live.delete(oldest);
  }

  #keyOf(result: unknown): string | SequenceState {
    return result instanceof SequenceState ? result : this.#names.textOf(result);
  }
}

interface Step {
  /** The latest one, and how many reads it comes after. */
  readonly checkpoint: { readonly values: readonly unknown[]; readonly reads: number } | undefined;
  readonly reads: [string, string | undefined][];
  readonly effects: Effect[];
  readonly request: Request | undefined;
  readonly outcome: Outcomes | undefined;
}

/** One run of the code. */
class Execution {
  readonly #main: () => Promise<Outcomes>;
  #resolve: ((result: unknown) => void) | undefined;
  #request: Request | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #reads: [string, string | undefined][] = [];
  #effects: Effect[] = [];
  #checkpoint: Step["checkpoint"];
  #look: Look = () => undefined;
  #paused: (outcome: Outcomes | undefined) => void = () => undefined;

  constructor(number: number, main: Main) {
    this.#main = () =>
      main({
        number,
        call: <T>(request: Request) => this.#call(request) as Promise<T>,
        look: (what) => {
          const value = this.#look(what);
          this.#reads.push([what, value]);
          return value;
        },
        checkpoint: (values) => {
          this.#checkpoint = { values, reads: this.#reads.length };
        },
        effect: (effect) => void this.#effects.push(effect),
      });
  }

  /** Gives a result, and waits until the code calls again or ends. */
  async resume(result: unknown, look: Look): Promise<Step> {
    this.#look = look;
    this.#reads = [];
    this.#effects = [];
    this.#checkpoint = undefined;
    const paused = new Promise<Outcomes | undefined>((resolve) => {
      this.#paused = resolve;
    });
    const resolve = this.#resolve;
    this.#resolve = undefined;
    this.#request = undefined;
    if (resolve !== undefined) resolve(result);
    else void this.#main().then((outcome) => this.#paused(outcome));
    const outcome = await paused;
    return {
      checkpoint: this.#checkpoint,
      reads: this.#reads,
      effects: this.#effects,
      request: this.#request,
      outcome,
    };
  }

  /** One call at a time, in the order in which the code makes them. */
  #call(request: Request): Promise<unknown> {
    const answered = this.#last.then(() => this.#callNow(request));
    this.#last = answered;
    return answered;
  }

  #callNow(request: Request): Promise<unknown> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#request = request;
      this.#paused(undefined);
    });
  }
}

export function describeOutcome(outcome: Outcomes | undefined): string {
  if (outcome === undefined) return "no outcome";
  return outcome.kind === "told"
    ? `told ${outcome.ids.join(", ")}${outcome.failure === "none" ? "" : `, and failed (${outcome.failure})`}`
    : `failed (${outcome.failure}: ${outcome.message})`;
}
