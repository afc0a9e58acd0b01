// The port between the journal and the place that keeps its events: a local folder, memory, or an engine that several
// machines share. `test/journal/event-store.ts` is the conformance suite that every store passes.

import type { Failure } from "../failure.ts";

/** An event as a store keeps it: JSON, with a random id of its own. */
export interface StoredEvent {
  readonly writer: string;
  readonly [field: string]: unknown;
}

/** The events of a log from number `first` on; those before it were pruned. */
export interface StoredLog {
  readonly first: number;
  readonly events: readonly StoredEvent[];
  /** Why nothing may be appended: these events are this machine's copy of a log that the shared journal has lost. */
  readonly lost?: Failure;
}

export interface Append {
  /** Letters, digits and hyphens. */
  readonly log: string;
  /** The number of the event: the number of events that the writer has read in this log. */
  readonly number: number;
  readonly event: StoredEvent;
  /** Whether the log is among `unsettled()` while this event is its last. */
  readonly isUnsettled: boolean;
  /** The event may become durable as late as the next one: until then, losing it in a power failure is harmless. */
  readonly isDeferred?: boolean;
}

/**
 * `ours`: the event is durable, unless it is deferred, and directly follows the log as it stood. `taken`: it is not in the log, and never
 * will be. `unknown`: the store did not say; reading the log tells.
 */
export type AppendResult = "ours" | "taken" | "unknown";

/** The names of the logs of operations start with it. */
export const operationPrefix = "op-";

export interface EventStore {
  /**
   * Appends each event, exclusively by log and number: of all writers that read the same log, one gets `ours`. The
   * results are in the order of the events. Throws a `Failure` where nothing was appended.
   */
  append(appends: readonly Append[]): Promise<readonly AppendResult[]>;
  /** Throws a `Failure` for content that cannot be trusted. */
  read(log: string): Promise<StoredLog>;
  /** The logs whose last event is unsettled; some others may be among them. */
  unsettled(): Promise<readonly string[]>;
  /** All logs whose names start with `prefix`. */
  logs(prefix: string): Promise<readonly string[]>;
  /**
   * The logs of operations, the newest first, at most `limit`; with Infinity all, in any order. A hint that saves a look at all of them: after a power
   * failure, some may be missing for a day, and `logs` has them.
   */
  newest(limit: number): Promise<readonly string[]>;
  /**
   * The logs of operations with this id (lower case), the one that was sent or the service's own; some others may be
   * among them. Absent, or undefined, where only reading all logs tells.
   */
  find?(id: string): Promise<readonly string[] | undefined>;
  /** Appends `event` as `append` does, then drops the events before it. */
  prune(append: Omit<Append, "isUnsettled">): Promise<AppendResult>;
  /** Tidies up: completes hints, and removes the unfinished files of processes that died before `time` (milliseconds since the epoch). */
  sweep(time: number): Promise<void>;
}
