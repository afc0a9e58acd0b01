// A command that a person starts in the simulation.

/** `own`: of the process. `shared`: of all processes, while it can be reached. */
export type Limit = "own" | "shared";

export interface CommandOptions {
  /** The definition's own id; absent for a create that is found by its content. */
  readonly id?: string;
  /** One open incident for this key: `--dedup-key`. */
  readonly dedupKey?: string;
  /** Whether the person at the terminal permits one more send of a create whose outcome is not known. */
  readonly isPermitting?: boolean;
  /** Days that the wall clock of this process is ahead. */
  readonly daysAhead?: number;
  readonly promised?: "unique";
  readonly settleFor?: number;
  readonly maxRetries?: number;
  /** Whether the journal is shared: the `sending` event is appended before the connection is opened. */
  readonly isShared?: boolean;
  /** The rate limit that its requests keep; none where it is absent. */
  readonly limit?: Limit;
}

export interface Start extends CommandOptions {
  readonly command: "create" | "prune" | "settle";
  /** The name of the incident. */
  readonly wants: string;
  /** What is different when a person runs it again. */
  readonly rerun?: Partial<CommandOptions>;
}
