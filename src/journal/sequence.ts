// The port between the journal and the place that keeps it. A sequence of entries only grows, and there is one for each
// service and account. An append names the entry that it follows, so that of all who read the same sequence one wins.
import { escapeUnit } from "../platform/terminal/safe-text.ts";

/** An entry: JSON. `writer`: a random id, which tells it from all others. */
export interface Entry {
  readonly writer: string;
  readonly [field: string]: unknown;
}

/** Entries in their order. `first` is the number of the first of them. */
export interface Tail {
  readonly first: number;
  readonly entries: readonly Entry[];
}

export interface Sequence {
  /**
   * The entries from number `from` on. Where those before a snapshot were dropped, or need not be read, it begins with
   * that snapshot, which can have a higher number. Throws a `Failure` for content that cannot be trusted.
   */
  read(from: number): Promise<Tail>;
  /**
   * Appends the entry as number `at`, exclusively. `ours`: it is durable. `taken`: it is not there, and never will be.
   * Throws a `Failure` where the store refuses it or did not say: a reading shows whether it is there.
   */
  append(at: number, entry: Entry): Promise<"ours" | "taken">;
  /** Drops the entries before number `at`, which is a durable snapshot. Their numbers stay taken. */
  drop(at: number): Promise<void>;
  /** Whether this machine may drop entries. */
  mayDrop(): boolean;
  /** Where an entry is, for people. */
  place(number: number): string;
}

/** The sequences of a journal, by their names: letters and digits. A process makes one call at a time. */
export interface Sequences {
  /** Names a journal that machines share; undefined for one of this machine. */
  readonly shared?: string;
  names(): Promise<readonly string[]>;
  /** Reads nothing yet. */
  open(name: string): Sequence;
}

/** JSON in plain ASCII: a database of any encoding takes it, and git rewrites no character that it holds for a mistake. */
export function asciiOf(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escapeUnit);
}
