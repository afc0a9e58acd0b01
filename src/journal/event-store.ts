// The port between the journal and the place that keeps its events: a local folder, memory, or an engine that several
// machines share. `test/journal/event-store.ts` is the conformance suite that every store passes.

import { jsonDigest } from "../text/json-digest.ts";
import type { ServiceKey } from "./events.ts";

/** An event as a store keeps it: JSON, with a random id of its own. */
export interface StoredEvent {
  readonly writer: string;
  readonly [field: string]: unknown;
}

/** The events of a log from number `first` on; those before it were pruned. */
export interface StoredLog {
  readonly first: number;
  readonly events: readonly StoredEvent[];
}

export interface Append {
  /** Letters, digits and hyphens. */
  readonly log: string;
  /** The number of the event: the number of events that the writer has read in this log. */
  readonly number: number;
  readonly event: StoredEvent;
  /** Whether the log is among `unsettled()` while this event is its last. */
  readonly isUnsettled: boolean;
}

/**
 * `ours`: the event is durable, and directly follows the log as it stood. `taken`: it is not in the log, and never
 * will be. `unknown`: the store did not say; reading the log tells.
 */
export type AppendResult = "ours" | "taken" | "unknown";

/** The names of the logs of operations start with it. */
export const operationPrefix = "op-";

/** Of a digest that names the service and account of a log. */
const serviceLength = 12;

/** The start of the names of the logs of a kind, such as "op-", for a service and account. */
export function logPrefix(kind: string, { account, baseUrl }: ServiceKey): string {
  return `${kind}${jsonDigest([baseUrl, account]).slice(0, serviceLength)}-`;
}

/** The part of a log's name that stands for its service and account; undefined for a log that has none. */
export function serviceNameOf(log: string): string | undefined {
  return /^[a-z]+-([0-9a-f]{12})-/.exec(log)?.[1];
}

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
   * The logs of operations whose names start with `prefix`, by default all, the newest first, at most `limit`. Those of
   * one service are in the order in which they began.
   */
  newest(limit: number, prefix?: string): Promise<readonly string[]>;
  /**
   * The logs of operations with this id, the one that was sent or the service's own; some others may be among them.
   */
  find(id: string): Promise<readonly string[]>;
  /** Tidies up, and removes the unfinished files of processes that died before `time` (milliseconds since the epoch). */
  sweep(time: number): Promise<void>;
}
