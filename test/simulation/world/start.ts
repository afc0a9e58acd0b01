// A command that a person starts in the simulation.

export function machineOf({ machine = 1 }: Start): number {
  return machine;
}

/** The name of its journal: machines with folders of their own have journals of their own. */
export function placeOf({ journal = "local", machine = 1 }: Start): string {
  return journal === "shared" || machine === 1 ? "" : `m${machine}`;
}

/**
 * Where the processes keep their logs. `local`: in a folder of their machine. `shared`: in a journal of all machines,
 * where the `sending` event is appended before the connection is opened.
 */
export type JournalKind = "local" | "shared";

export interface Start {
  readonly command: "apply" | "create" | "prune" | "settle" | "update";
  /** The name of the incident. */
  readonly wants: string;
  /** The machine that it runs on, from 1. */
  readonly machine?: number;
  readonly journal?: JournalKind;
  /** The definition's own id; absent for a create that is found by its content. */
  readonly id?: string;
  /** One open incident for this key: `--dedup-key`. */
  readonly dedupKey?: string;
  /** Days that the wall clock of this process is ahead. */
  readonly daysAhead?: number;
  readonly settleFor?: number;
  readonly maxRetries?: number;
  /** Whether its requests keep a rate limit. */
  readonly isLimited?: boolean;
  /** The updates of the file after its first, or the one update of `incident update`: the status, and then the text. */
  readonly updates?: readonly string[];
  /** The severity of the file, where it is another. */
  readonly severity?: string;
  /** Of a person who settles without a look at the service. */
  readonly people?: Belief;
  /** Of a person who looks at what was settled, and corrects it. */
  readonly corrects?: boolean;
  /** Whether a person runs it again also after a success. */
  readonly repeats?: boolean;
  /** What is different when a person runs it again. */
  readonly rerun?: Partial<Omit<Start, "rerun">>;
}

/** Whether it posts updates, or edits. */
export function isOfChanges({ command }: Pick<Start, "command">): boolean {
  return command === "apply" || command === "update";
}

/** What a person says of an operation: the truth, or what the person believes. */
export type Belief = "not-created" | "created";
