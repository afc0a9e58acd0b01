// The entries of a journal in the simulated store, shared between the states of the world that have them.
import type { Entry } from "../../../src/journal/sequence.ts";
import { type Names, processesIn, type Renaming } from "./names.ts";

export class SequenceState {
  /** The number of the first entry: those before a snapshot are dropped. */
  readonly first: number;
  readonly entries: readonly Entry[];
  /** The numbers of the processes that wrote it or are named in it, in the order of their first mention. */
  readonly processes: readonly number[];
  readonly #names: Names;
  readonly #describe: (renaming: Renaming) => string;
  readonly #next = new Map<string, SequenceState>();

  constructor(
    names: Names,
    describe: (renaming: Renaming) => string = () => "empty sequence",
    first = 0,
    entries: readonly Entry[] = [],
    processes: readonly number[] = [],
  ) {
    this.#names = names;
    this.#describe = describe;
    this.first = first;
    this.entries = entries;
    this.processes = processes;
  }

  /** The number of the entry that comes next. */
  get next(): number {
    return this.first + this.entries.length;
  }

  append(entry: Entry): SequenceState {
    const text = this.#names.textOf(entry);
    return this.#make(`+${text}`, () => {
      const describe = (renaming: Renaming) => `sequence ${this.number(renaming)} ${renaming.number(text)}`;
      const processes = [...new Set([...this.processes, ...processesIn(text)])];
      return new SequenceState(this.#names, describe, this.first, [...this.entries, entry], processes);
    });
  }

  /** With this snapshot alone, which replaces the entries before it. */
  replace(entry: Entry): SequenceState {
    const text = this.#names.textOf(entry);
    return this.#make(`=${text}`, () => {
      const describe = (renaming: Renaming) => `snapshot ${this.next} ${renaming.number(text)}`;
      return new SequenceState(this.#names, describe, this.next, [entry], processesIn(text));
    });
  }

  number(renaming: Renaming): number {
    return renaming.partOf(this, () => this.#describe(renaming));
  }

  #make(change: string, create: () => SequenceState): SequenceState {
    const known = this.#next.get(change);
    if (known !== undefined) return known;
    const state = create();
    this.#next.set(change, state);
    return state;
  }
}
