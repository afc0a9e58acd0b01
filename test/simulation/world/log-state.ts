// The content of a log in the simulated store, shared between the states of the world that have it.
import type { StoredEvent, StoredLog } from "../../../src/journal/event-store.ts";
import { type Names, processesIn, type Renaming } from "./names.ts";

export class LogState implements StoredLog {
  readonly first: number;
  readonly events: readonly StoredEvent[];
  /** The numbers of the processes that wrote it or are named in it, in the order of their first mention. */
  readonly processes: readonly number[];
  readonly #names: Names;
  readonly #describe: (renaming: Renaming) => string;
  readonly #next = new Map<string, LogState>();

  constructor(
    names: Names,
    describe: (renaming: Renaming) => string = () => "empty log",
    first = 0,
    events: readonly StoredEvent[] = [],
    processes: readonly number[] = [],
  ) {
    this.#names = names;
    this.#describe = describe;
    this.first = first;
    this.events = events;
    this.processes = processes;
  }

  /** The number of the event that comes next. */
  get next(): number {
    return this.first + this.events.length;
  }

  append(event: StoredEvent): LogState {
    const text = this.#names.textOf(event);
    return this.#make(`+${text}`, () => {
      const describe = (renaming: Renaming) => `log ${this.number(renaming)} ${renaming.number(text)}`;
      const processes = [...new Set([...this.processes, ...processesIn(text)])];
      return new LogState(this.#names, describe, this.first, [...this.events, event], processes);
    });
  }

  /** With this event alone, which replaces those before it. */
  prune(event: StoredEvent): LogState {
    const text = this.#names.textOf(event);
    return this.#make(`=${text}`, () => {
      const describe = (renaming: Renaming) => `pruned log ${this.next} ${renaming.number(text)}`;
      return new LogState(this.#names, describe, this.next, [event], processesIn(text));
    });
  }

  number(renaming: Renaming): number {
    return renaming.partOf(this, () => this.#describe(renaming));
  }

  #make(change: string, create: () => LogState): LogState {
    const known = this.#next.get(change);
    if (known !== undefined) return known;
    const state = create();
    this.#next.set(change, state);
    return state;
  }
}
